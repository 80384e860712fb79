const names = new Set([".DS_Store", "Thumbs.db", "desktop.ini", "__MACOSX", ".git"]);

const ofSystem = new Set([".DS_Store", "Thumbs.db", "desktop.ini"]);

/**
 * True for what a system or a version control puts beside a skill's files (`.DS_Store`, `._NAME`, `Thumbs.db`,
 * `desktop.ini`, `__MACOSX/`, `.git`): no part of the skill, so neither installed nor in its digest.
 */
export function isJunk(path: string): boolean {
  return path.split("/").some((segment) => names.has(segment) || segment.startsWith("._"));
}

/** True for the small files among them that a system makes again by itself, so that nobody misses one. */
export function isSystemFile(name: string): boolean {
  return ofSystem.has(name) || name.startsWith("._");
}
