import type { SkillReader } from "../skill/document.ts";

/** Where a skill comes from (docs/cli.md, scope words). */
export type Scope =
  | "managed"
  | "workspace"
  | "user"
  | "config"
  | "agent"
  | "plugin"
  | "remote"
  | "mcp"
  | "builtin";

/** What is followed when a link is met (table "Links" of the feature list). */
export interface LinkRules {
  /** The root folder itself may be a link. */
  readonly root: "follow" | "inside-boundary" | "never";
  /** A folder link whose target lies inside the root's real tree. */
  readonly folderInside: "follow" | "refuse";
  /** A folder link that leads outside: always, only to another known root or a trusted folder, or never. */
  readonly folderOutside: "follow" | "known" | "refuse";
  /**
   * SKILL.md itself is a link: always, to Markdown files anywhere ("markdown"), only when the target lies inside a known
   * root or trusted folder, or never.
   */
  readonly file: "follow" | "markdown" | "known" | "refuse";
  /** What counts as inside: the root's real path (default), or its path as it is written. */
  readonly boundary?: "as-written";
}

/** How a root is walked. */
export interface ScanRules {
  /** Levels of folders below the root that may hold SKILL.md: 1 = direct children only. */
  readonly depth: number;
  /** SKILL.md directly in the root makes the root itself a skill. */
  readonly rootIsSkill: boolean;
  /** "stop": a folder with SKILL.md is a leaf; "enter": nested SKILL.md files are skills too. */
  readonly nested: "stop" | "enter";
  /** Enter folders whose name starts with a dot. */
  readonly hidden: boolean;
  /** Folder names that are never entered. */
  readonly ignore: ReadonlySet<string>;
  /** Markdown files at the root's top are skills named after the file: never, all, or those with frontmatter. */
  readonly flat: "none" | "any" | "frontmatter";
  /** Order of one root's candidates: "names" = depth first by folder name; "paths" = by whole location. Code-unit order. */
  readonly order: "names" | "paths";
  /** "exact": SKILL.md only; "any-case": skill.md too where there is no SKILL.md. */
  readonly fileName: "exact" | "any-case";
  /**
   * "real-path": a real folder is entered once; "ancestors": only cycles end, the same folder may be met on several
   * paths; "link-limit": a cycle is walked until its path holds as many links as the system would follow, and no more
   * than one cycle at a time.
   */
  readonly visit: "real-path" | "ancestors" | "link-limit";
  readonly links: LinkRules;
  /** Children of the root that count; absent = all. */
  readonly only?: ReadonlySet<string>;
  /** A file that is not the same before and after reading is left out. */
  readonly recheck?: boolean;
}

/** A folder that is searched. Roots come in scan order; `rank` is its place in that order. */
export interface Root {
  /** Stable and unique in one plan, e.g. `workspace:.agents@/repo`. */
  readonly id: string;
  readonly path: string;
  readonly scope: Scope;
  /** Short word for people and JSON: `user-agents`, `workspace-claude`, … */
  readonly source: string;
  readonly brand: string | null;
  /** Workspace roots: 0 = the working folder, 1 = its parent, …; else null. */
  readonly level: number | null;
  /** The profile's own number where it has one (minimax), else null. */
  readonly priority: number | null;
  /** Its skills wait for the workspace to be trusted. */
  readonly needsTrust: boolean;
  /** Links must not lead out of this folder ("inside-boundary" rules); null = no boundary. */
  readonly boundary: string | null;
  readonly bundled: boolean;
  readonly scan: ScanRules;
  /** A sentence for people when the root is special ("main checkout of this worktree"), else null. */
  readonly note: string | null;
  /** A missing folder is worth a warning (a configured path), else silent. */
  readonly expected: boolean;
  /** Reads its files in place of the profile's reader. */
  readonly reader?: SkillReader;
}
