import type { DiagnosticCode } from "../diagnostics/table.ts";
import { looksAbsorbed } from "./absorbed-body.ts";
import { isBrokenForSure } from "./broken-line.ts";
import type { ReadLimits } from "./document.ts";
import { fastEntries } from "./fast-entries.ts";
import type { Entry } from "./frontmatter-node.ts";
import { recoverEntries } from "./recover-entries.ts";
import type { StrayLine } from "./segments.ts";
import { yamlEntries } from "./yaml-entries.ts";

export type FrontmatterRead =
  | { readonly kind: "entries"; readonly entries: readonly Entry[]; readonly stray: readonly StrayLine[] }
  /** A plain text or a list. */
  | { readonly kind: "other" }
  /** The closing fence belongs to the text: the block was never closed. */
  | { readonly kind: "absorbed" }
  | { readonly kind: "refused"; readonly code: DiagnosticCode; readonly message: string };

export interface FrontmatterOptions {
  readonly limits: ReadLimits;
  /** Line in the file of the first line of the text. */
  readonly line: number;
  /** False leaves out the fast reader; the result is the same (property test). */
  readonly fast?: boolean;
}

const noStray: readonly StrayLine[] = Object.freeze([]);

/**
 * Frontmatter text (LF line ends, the last line ended) as fields: by the fast reader, else by YAML behind the guard,
 * else field by field. Source texts are kept; nothing is converted to numbers, booleans or dates yet.
 */
export function readFrontmatter(text: string, options: FrontmatterOptions): FrontmatterRead {
  // The fast reader stays below 20 levels; with a tighter limit the guard has to count.
  if (options.fast !== false && options.limits.depth >= 20) {
    const entries = fastEntries(text, { line: options.line, keys: options.limits.keys });
    if (entries !== null) return { kind: "entries", entries, stray: noStray };
  }
  if (looksAbsorbed(text)) return { kind: "absorbed" };
  const broken =
    options.fast !== false &&
    options.limits.depth >= 20 &&
    isBrokenForSure(text, { line: options.line, keys: options.limits.keys });
  if (!broken) {
    const read = yamlEntries(text, options);
    if (read.kind === "entries") return { kind: "entries", entries: read.entries, stray: noStray };
    if (read.kind === "refused") return read;
  }
  const recovered = recoverEntries(text, options);
  if (recovered.entries.length === 0) return { kind: "other" };
  return { kind: "entries", ...recovered };
}
