import type { Skills } from "../host/skills.ts";
import type { FlagValues } from "./flags.ts";
import type { Io } from "./io.ts";
import type { Painter } from "./output/paint.ts";

/** One verb of the command line: what it is called, what it takes, what it does. */
export interface Command {
  readonly name: string;
  /** Operands as the help shows them, e.g. `NAME [ARGUMENT…]`. */
  readonly operands?: string;
  readonly least?: number;
  /** Default: as many as `least`; null = any number. */
  readonly most?: number | null;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Paragraphs for `skillet help NAME`. */
  readonly details?: readonly string[];
  readonly examples?: readonly (readonly [line: string, meaning: string])[];
  /** Names of its own flags; the global ones come with every command. */
  readonly flags?: readonly string[];
  /** Does its work and resolves to the exit code. */
  run(context: Context): Promise<number>;
}

/** What a command gets to work with. */
export interface Context {
  readonly io: Io;
  readonly operands: readonly string[];
  readonly flags: FlagValues;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** Colours, symbols and widths of stdout. */
  readonly paint: Painter;
  /**
   * Opens the skills on first use; the same ones afterwards. The MCP servers of the settings are asked first where their
   * last answer is no longer good, unless `connect` is false.
   */
  skills(options?: { readonly connect?: boolean }): Promise<Skills>;
  /** Writes text to stdout as it is. */
  write(text: string): void;
  /** Writes lines to stdout, each ended by a newline. */
  print(...lines: readonly string[]): void;
  printJson(value: unknown): void;
  /** A sentence for people on stderr, wrapped to the terminal; silent with `--quiet`. Foreign parts are safe already. */
  note(text: string, tone?: "dim" | "warning"): void;
}

/** Lazily loaded, so that one command never pays for another. */
export interface CommandEntry {
  readonly name: string;
  /** Heading in the help; null = not shown in help and completion. */
  readonly group: string | null;
  load(): Promise<Command>;
}
