import type { Diagnostic, Severity, TextRange } from "../diagnostic.ts";
import { codePage, type DiagnosticCode, diagnosticTable } from "./table.ts";

export interface DiagnosticDetails {
  readonly path: string | null;
  readonly message: string;
  readonly range?: TextRange | undefined;
  /** What to do about exactly this place; the table's general advice when left out. */
  readonly hint?: string | undefined;
  readonly profileCode?: string | null;
  /** Only where the same finding weighs differently than the table says. */
  readonly severity?: Severity;
}

/**
 * A diagnostic with the severity of its code. Texts of users go through `printable` before they get here. The hint
 * says what to do and ends with the page that explains the code.
 */
export function makeDiagnostic(code: DiagnosticCode, details: DiagnosticDetails): Diagnostic {
  const text = diagnosticTable[code];
  const base = {
    code,
    profileCode: details.profileCode ?? null,
    severity: details.severity ?? text.severity,
    message: details.message,
    path: details.path,
    hint: `${details.hint ?? text.fix} (see ${codePage(code)})`,
  };
  return details.range === undefined ? base : { ...base, range: details.range };
}
