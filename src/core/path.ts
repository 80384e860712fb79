/**
 * Path arithmetic on `/`-separated absolute paths; the host turns `\` into `/` at its border. Drive letters
 * (`C:/…`) are kept as a first segment.
 */

const driveRoot = /^[A-Za-z]:\//;

export function isAbsolute(path: string): boolean {
  return path.startsWith("/") || driveRoot.test(path);
}

/** Resolves `.` and `..` and doubled slashes; never climbs above the root. A trailing slash is dropped. */
export function normalize(path: string): string {
  if (!/\/\.{0,2}(\/|$)|\/\//.test(path) && !path.endsWith("/")) return path;
  const prefix = driveRoot.test(path) ? path.slice(0, 3) : path.startsWith("/") ? "/" : "";
  const segments: string[] = [];
  for (const segment of path.slice(prefix.length).split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment === ".." && (prefix !== "" || (segments.length > 0 && segments.at(-1) !== "..")))
      segments.pop();
    else segments.push(segment);
  }
  return prefix + segments.join("/") || ".";
}

/** `base` is absolute; `path` may be absolute or relative to it. */
export function resolve(base: string, path: string): string {
  return normalize(isAbsolute(path) ? path : `${base}/${path}`);
}

export function join(base: string, ...parts: readonly string[]): string {
  return normalize([base, ...parts].join("/"));
}

export function dirname(path: string): string {
  const cut = path.lastIndexOf("/");
  if (cut < 0) return ".";
  if (cut === 0) return "/";
  if (cut === 2 && driveRoot.test(path)) return path.slice(0, 3);
  return path.slice(0, cut);
}

export function basename(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** True when `path` is `folder` itself or lies inside it (compared with the separator, never as a bare prefix). */
export function contains(folder: string, path: string): boolean {
  if (path === folder) return true;
  const prefix = folder.endsWith("/") ? folder : `${folder}/`;
  return path.startsWith(prefix);
}

/** `path` relative to `folder` when inside it (`""` for the folder itself), else null. */
export function relativeInside(folder: string, path: string): string | null {
  if (path === folder) return "";
  const prefix = folder.endsWith("/") ? folder : `${folder}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : null;
}

/** `path` and its parents, nearest first, ending with the root. */
export function ancestors(path: string): readonly string[] {
  const found = [path];
  for (let current = path; ; ) {
    const parent = dirname(current);
    if (parent === current || parent === ".") return found;
    found.push(parent);
    current = parent;
  }
}

/** Shortens the home folder to `~` for people. */
export function tildify(home: string, path: string): string {
  const rest = home === "/" ? null : relativeInside(home, path);
  return rest === null ? path : rest === "" ? "~" : `~/${rest}`;
}
