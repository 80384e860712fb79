import type { LinkRules, ScanRules } from "../../discovery/root.ts";

/**
 * Folders that never hold skills of their own: version control, dependencies, environments, caches, operating system
 * left-overs (case d-nesting; rows C08, C20).
 */
export const ignoredFolders: ReadonlySet<string> = new Set([
  "node_modules",
  "bower_components",
  "vendor",
  "venv",
  "env",
  "site-packages",
  "__pycache__",
  "__MACOSX",
  "CVS",
  "SKILL.md",
]);

/** User, managed and configured roots (table "Links"). */
const ownLinks: LinkRules = {
  root: "follow",
  folderInside: "follow",
  folderOutside: "follow",
  // Case d-symlinks: users keep the file elsewhere. A skill that was put there by others may not make SKILL.md of any
  // file of the system, so the target has to be Markdown.
  file: "markdown",
};

/** Workspace roots: a repository's links may not lead out of what is known. */
const workspaceLinks: LinkRules = {
  root: "inside-boundary",
  folderInside: "follow",
  folderOutside: "known",
  file: "known",
};

const linkRules = {
  own: ownLinks,
  workspace: workspaceLinks,
  // Without a repository there is no border that a link could cross; the user's trust decides (cases d-symlinks, w-reload).
  "trusted-folder": { ...workspaceLinks, root: "follow", folderOutside: "follow" },
} satisfies Readonly<Record<string, LinkRules>>;

export interface SkilletScan {
  readonly depth: number;
  readonly flatFiles: boolean;
  readonly links: keyof typeof linkRules;
}

/** Grouping folders are walked, a SKILL.md ends the walk below it, hidden folders stay closed. */
export function skilletScan({ depth, flatFiles, links }: SkilletScan): ScanRules {
  return {
    depth,
    rootIsSkill: true,
    nested: "stop",
    hidden: false,
    ignore: ignoredFolders,
    flat: flatFiles ? "frontmatter" : "none",
    order: "names",
    fileName: "any-case",
    visit: "real-path",
    links: linkRules[links],
  };
}
