import { join } from "node:path";
import { expect } from "vitest";
import type { Diagnostic } from "../../../src/core/diagnostic.ts";
import type { Case, ExpectedDiagnostic } from "./case-format.ts";
import type { DiagnosticReading, Reading } from "./readings.ts";

/**
 * Every expected diagnostic is there, with its level, file and line, and says what the reading asks for; and nothing
 * above information level is there that the case does not expect. `findings` are those of `skillet check`, which says more.
 */
export function checkDiagnostics(
  one: Case,
  own: readonly Diagnostic[],
  at: { readonly folder: string; readonly reading: Reading; readonly findings?: readonly Diagnostic[] },
): void {
  const found = [...own, ...(at.findings ?? [])];
  const wanted = one.expected.diagnostics ?? [];
  const readings = at.reading.diagnostics ?? [];
  expect(readings, `readings of ${one.id}, one a diagnostic`).toHaveLength(wanted.length);
  const matched = new Set<Diagnostic>(found.filter(({ code }) => at.reading.also?.includes(code)));
  wanted.forEach((expected, index) => {
    const reading = readings[index];
    if (reading === undefined) return;
    for (const file of filesOf(expected, reading)) {
      const path = file === null ? null : join(at.folder, file);
      const fitting = found.filter(
        (diagnostic) =>
          diagnostic.severity === expected.level &&
          reading.codes.includes(diagnostic.code) &&
          (path === null || diagnostic.path === path) &&
          (expected.line === undefined || diagnostic.range?.line === expected.line),
      );
      for (const diagnostic of fitting) matched.add(diagnostic);
      const words = [...reading.says, ...ofFile(reading, file)];
      const said = fitting.filter(({ message, hint }) =>
        words.every((word) => word.test(`${message} ${hint}`)),
      );
      if (expected.optional === true && fitting.length === 0) continue;
      expect(
        said,
        `${expected.level} for ${file ?? "the case"}: ${expected.says}\n${shown(found)}`,
      ).not.toEqual([]);
    }
  });
  const unexpected = own.filter((diagnostic) => diagnostic.severity !== "info" && !matched.has(diagnostic));
  expect(shown(unexpected), "diagnostics that the case does not expect").toBe("");
}

function filesOf(expected: ExpectedDiagnostic, reading: DiagnosticReading): readonly (string | null)[] {
  return reading.files ?? [expected.file ?? null];
}

function ofFile({ saysOf }: DiagnosticReading, file: string | null): readonly RegExp[] {
  const word = file === null ? undefined : saysOf?.[file];
  return word === undefined ? [] : [word];
}

function shown(diagnostics: readonly Diagnostic[]): string {
  return diagnostics
    .map(
      ({ severity, code, path, range, message }) =>
        `${severity} ${code} ${path}:${range?.line ?? "-"} ${message}`,
    )
    .join("\n");
}
