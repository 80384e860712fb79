import type { Diagnostic, Severity } from "../diagnostic.ts";
import type { CodeText } from "../diagnostics/define-codes.ts";
import { makeDiagnostic } from "../diagnostics/make.ts";
import { type DiagnosticCode, diagnosticTable } from "../diagnostics/table.ts";
import { type Entry, entryPlace } from "./frontmatter-node.ts";

export interface FindingPlace {
  /** The field it is about; marks the field for `check --fix` when the code can be mended. */
  readonly entry?: Entry | undefined;
  /** Offset in the entry's source; its value when left out. */
  readonly at?: number | undefined;
  /** Line in the file, where there is no entry. */
  readonly line?: number;
  readonly column?: number;
  readonly hint?: string | undefined;
  readonly severity?: Severity;
}

/** Diagnostics of one file while it is read, and the fields whose source a fix would write anew. */
export interface Findings {
  readonly path: string;
  readonly list: Diagnostic[];
  /** Null until there is one: most files have nothing to mend, and ten thousand empty sets are felt. */
  mendable: Set<Entry> | null;
}

/** More of them help nobody; hostile files could cause thousands. */
const most = 100;

export function newFindings(path: string): Findings {
  return { path, list: [], mendable: null };
}

/** Adds one finding. Texts of the file that go into `message` or `hint` must be printable. */
export function addFinding(
  findings: Findings,
  code: DiagnosticCode,
  message: string,
  place: FindingPlace = {},
): void {
  const { entry } = place;
  const text: CodeText = diagnosticTable[code];
  if (entry !== undefined && text.mendable === true) {
    findings.mendable ??= new Set();
    findings.mendable.add(entry);
  }
  if (findings.list.length >= most) return;
  const range =
    entry !== undefined
      ? entryPlace(entry, place.at ?? entry.value.start)
      : { line: place.line ?? 1, column: place.column ?? 1 };
  findings.list.push(
    makeDiagnostic(code, {
      path: findings.path,
      message,
      range,
      hint: place.hint,
      ...(place.severity === undefined ? {} : { severity: place.severity }),
    }),
  );
}
