import type { DiagnosticCode } from "../diagnostics/table.ts";
import { printable } from "../text/printable.ts";
import { codePointLength } from "../text/single-line.ts";

/** `ascii`: letters a to z only, what every agent takes. `unicode`: what the reference validator takes. */
export type NameRules = "ascii" | "unicode";

export interface NameProblem {
  readonly code: DiagnosticCode;
  readonly message: string;
}

/**
 * A name by the rules of the published standard, in the order of its reference validator: NFKC, 1 to 64 characters,
 * lower case, no hyphen at an edge or doubled, only letters, digits and hyphens, equal to its folder (field.md A1, A4).
 * `folder` null = not in a folder of its own.
 */
export function nameProblems(text: string, folder: string | null, names: NameRules): readonly NameProblem[] {
  const name = text.trim().normalize("NFKC");
  const shown = printable(name).slice(0, 100);
  const found: NameProblem[] = [];
  const add = (code: DiagnosticCode, message: string): void => {
    found.push({ code, message });
  };
  const length = codePointLength(name);
  if (length > 64) add("standard/name-too-long", `the name has ${length} characters; the standard allows 64`);
  if (name !== name.toLowerCase()) add("standard/name-case", `the name "${shown}" has upper-case letters`);
  if (name.startsWith("-") || name.endsWith("-")) {
    add("standard/name-hyphen", `the name "${shown}" begins or ends with a hyphen`);
  }
  if (name.includes("--")) add("standard/name-hyphen", `the name "${shown}" has two hyphens in a row`);
  const other = names === "ascii" ? /[^A-Za-z0-9-]/u.exec(name) : /[^\p{L}\p{N}-]/u.exec(name);
  if (other !== null) {
    const allowed =
      names === "ascii"
        ? "only a to z, 0 to 9 and hyphens are portable"
        : "only letters, digits and hyphens are allowed";
    add(
      "standard/name-characters",
      `the name "${shown}" has the character "${printable(other[0])}"; ${allowed}`,
    );
  }
  if (folder !== null && name !== folder.normalize("NFKC")) {
    add(
      "standard/name-folder",
      `the name "${shown}" is not that of its folder, "${printable(folder).slice(0, 100)}"`,
    );
  }
  return found;
}
