import type { DiagnosticCode } from "../../core/diagnostics/table.ts";

/** Ends the reading of an archive; turned into a diagnostic by `extractArchive`, never seen by callers. */
export class ArchiveFault extends Error {
  readonly code: DiagnosticCode;

  constructor(code: DiagnosticCode, message: string) {
    super(message);
    this.name = "ArchiveFault";
    this.code = code;
  }
}
