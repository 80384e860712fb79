import type { DiagnosticCode } from "../diagnostics/table.ts";
import { closeBlock, nextLine, type Opening } from "./close-block.ts";
import type { SourceText } from "./source-text.ts";
import { unusualOpening } from "./unusual-opening.ts";

/** Something unusual about a fence that was recognised all the same. */
export interface FenceNote {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly line: number;
}

/** Where the frontmatter lies, in units of the source. */
export type Fences =
  | {
      readonly kind: "block";
      /** First unit of the first line between the fences, and the first unit of the closing line. */
      readonly from: number;
      readonly to: number;
      /** First unit of the line after the closing fence. */
      readonly body: number;
      /** Line of the first field, counted from 1. */
      readonly line: number;
      readonly notes: readonly FenceNote[];
    }
  /** No frontmatter: everything is text. */
  | { readonly kind: "none" }
  | { readonly kind: "unclosed"; readonly line: number; readonly from: number }
  | { readonly kind: "language"; readonly line: number; readonly language: string };

const dash = 0x2d;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const plainOpening: Opening = { line: 1, indent: 0, notes: [] };

/**
 * Finds the two fences (cases p-bom, p-crlf, p-no-closing-fence; security.md A01, A08, A18). Rules of profile
 * `skillet`:
 * - Opening: `---` in the first line, trailing blanks allowed. With a warning: after blank lines or HTML comments,
 *   indented by up to three blanks, behind hidden characters or the opening of a code block, four or more dashes, dashes
 *   that an editor made of three hyphens (`—-`), a comment or `yaml`/`yml` behind it. Apart from the plain form the next
 *   line with text must look like `key:`, else a Markdown rule was meant.
 * - Closing: the first line that begins with `---` and holds nothing else but blanks; with a warning more dashes,
 *   `...`, an indented `---` that is not part of a block text, or a line of such dashes as opened.
 * - Lines end with LF, CRLF or CR. Linear in the length of the file.
 */
export function findFences(source: SourceText): Fences {
  const { units, start } = source;
  if (units[start] === dash && units[start + 1] === dash && units[start + 2] === dash) {
    const end = units[start + 3];
    if (end === lineFeed) return closeBlock(units, start + 4, plainOpening);
    if (end === carriageReturn) return closeBlock(units, nextLine(units, start + 3), plainOpening);
    if (end === undefined) return { kind: "unclosed", line: 1, from: units.length };
  }
  return unusualOpening(source);
}
