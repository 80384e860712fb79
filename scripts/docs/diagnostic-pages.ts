import type { CodeText } from "../../src/core/diagnostics/define-codes.ts";
import { codePage, diagnosticTable } from "../../src/core/diagnostics/table.ts";

/** A page a code and their index, as path and text. */
export function diagnosticPages(): readonly (readonly [string, string])[] {
  const table: Readonly<Record<string, CodeText>> = diagnosticTable;
  const codes = Object.entries(table).sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    ["docs/diagnostics/README.md", overview(codes)],
    ...codes.map(([code, text]) => [codePage(code), page(code, text)] as const),
  ];
}

function page(code: string, text: CodeText): string {
  const example = text.example === undefined ? [] : ["## Example", "", "```yaml", text.example, "```", ""];
  const mended = text.mendable === true ? ["`skillet check --fix` does this for you.", ""] : [];
  return [
    `# ${text.title}`,
    "",
    `\`${code}\` · ${text.severity}`,
    "",
    text.why,
    "",
    "## What to do",
    "",
    text.fix,
    "",
    ...mended,
    ...example,
    "[All diagnostics](README.md)",
    "",
  ].join("\n");
}

function overview(codes: readonly (readonly [string, CodeText])[]): string {
  return [
    "# Diagnostics",
    "",
    "Every code that Skillet reports. Codes are stable; texts may change. An error costs the user a skill, a warning may,",
    "an info never does.",
    "",
    "| code | severity | what |",
    "|---|---|---|",
    ...codes.map(
      ([code, text]) =>
        `| [\`${code}\`](${codePage(code).split("/").at(-1)}) | ${text.severity} | ${text.title} |`,
    ),
    "",
  ].join("\n");
}
