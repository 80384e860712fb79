import type { Severity, TextRange } from "../diagnostic.ts";
import type { DiagnosticCode } from "../diagnostics/table.ts";
import type { ReadContext, SkillSource } from "./document.ts";
import type { NameRules } from "./strict-name.ts";

/** Which letters a name may have. */
export interface StrictOptions {
  readonly names: NameRules;
}

/** Where findings go. */
export interface Report {
  add(
    code: DiagnosticCode,
    message: string,
    place?: { range?: TextRange; hint?: string; severity?: Severity },
  ): void;
}

/** What the rules for fields need. */
export interface FieldContext {
  readonly source: SkillSource;
  readonly context: ReadContext;
  readonly options: StrictOptions;
  readonly report: Report;
}

/** The same with places in the file. */
export interface Placed extends FieldContext {
  rangeAt(offset: number): TextRange;
}
