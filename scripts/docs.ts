// Writes the pages and files that are made from tables: one page a diagnostic code, their index, the JSON schema.
//   --check  writes nothing; fails when a page is not up to date
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { configurationSchema } from "../src/core/configuration/schema.ts";
import type { CodeText } from "../src/core/diagnostics/define-codes.ts";
import { codePage, diagnosticTable } from "../src/core/diagnostics/table.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const pages = join(root, "docs", "diagnostics");
const check = process.argv.includes("--check");

function codes(): readonly (readonly [string, CodeText])[] {
  const table: Readonly<Record<string, CodeText>> = diagnosticTable;
  return Object.entries(table).sort(([a], [b]) => (a < b ? -1 : 1));
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

function overview(): string {
  const rows = codes().map(
    ([code, text]) =>
      `| [\`${code}\`](${codePage(code).split("/").at(-1)}) | ${text.severity} | ${text.title} |`,
  );
  return [
    "# Diagnostics",
    "",
    "Every code that Skillet reports. Codes are stable; texts may change. An error costs the user a skill, a warning may,",
    "an info never does.",
    "",
    "| code | severity | what |",
    "|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

const files = new Map<string, string>([
  [join(pages, "README.md"), overview()],
  ...codes().map(([code, text]) => [join(root, codePage(code)), page(code, text)] as const),
  [join(root, "schema", "skillet.schema.json"), `${JSON.stringify(configurationSchema(), null, 2)}\n`],
]);

const stale: string[] = [];
for (const [path, text] of files) {
  if (readOr(path) === text) continue;
  stale.push(path);
  if (check) continue;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
for (const name of readdirSync(pages)) {
  if (files.has(join(pages, name))) continue;
  stale.push(join(pages, name));
  if (!check) rmSync(join(pages, name));
}
const names = stale.map((path) => path.slice(root.length)).join(", ");
if (check && stale.length > 0) {
  console.error(`Not up to date: ${names}. Run \`npm run docs\`.`);
  process.exitCode = 1;
} else {
  console.log(stale.length === 0 ? `${files.size} files are up to date` : `wrote ${names}`);
}

function readOr(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
