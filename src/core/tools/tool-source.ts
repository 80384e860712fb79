import type { SkillFile } from "../activation/skill-file.ts";
import type { Profile, VisibleSkill } from "../profile.ts";

/** How a load ended. */
export type LoadStatus = "loaded" | "unknown" | "denied" | "manual-only" | "ask" | "unreadable";

/** What a load gives, as far as tools need it. `output` is always the exact text to hand on. */
export interface SourceLoad {
  readonly status: LoadStatus;
  readonly name: string;
  readonly output: string;
}

/** A file of a skill, a list of its files, or why neither is given; `output` is then the text to hand on. */
export type SourceFile =
  | { readonly status: "read"; readonly name: string; readonly file: SkillFile }
  | {
      readonly status: "listed";
      readonly name: string;
      readonly files: readonly string[];
      readonly more: boolean;
    }
  | {
      readonly status: Exclude<LoadStatus, "loaded">;
      readonly name: string;
      readonly output: string;
    };

export interface SourceOptions {
  /** The caller asked its user about an `ask` rule and got a yes. */
  readonly approved?: boolean;
}

/** Where tools get skills from: an open set of skills, or a session over one. */
export interface ToolSource {
  readonly profile: Pick<Profile, "failedCall" | "unknown">;
  readonly entries: readonly VisibleSkill[];
  /** A second load of the same text gives a short note, and `again` gives the text; absent = it always gives the text. */
  readonly remembers?: boolean;
  /** Fetches what a load or a file needs first; absent = everything is here. */
  retrieve?(name: string, path: string | null, options: { readonly signal?: AbortSignal }): Promise<void>;
  load(
    name: string,
    options: SourceOptions & { readonly arguments?: string; readonly again?: boolean },
  ): SourceLoad | Promise<SourceLoad>;
  search(
    query: string,
    options?: { readonly limit?: number },
  ): {
    readonly results: readonly { readonly name: string; readonly location: string }[];
    readonly autoLoad: string | null;
  };
  /** The mirrored search tool's own text; absent or null = `search` answers. */
  searchTool?(query: string, options: SourceOptions): string | null;
  /** A file of a skill; null lists them. */
  loadFile(name: string, path: string | null, options: SourceOptions): SourceFile;
}
