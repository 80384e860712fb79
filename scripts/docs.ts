// Writes what is made from tables: a page a diagnostic code, the pages of the command and of the settings, the schema.
//   --check  writes nothing; fails when a file is not up to date
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { configurationSchema } from "../src/core/configuration/schema.ts";
import { commandPage } from "./docs/command-page.ts";
import { diagnosticPages } from "./docs/diagnostic-pages.ts";
import { exitCodePage } from "./docs/exit-code-page.ts";
import { frontmatterPage } from "./docs/frontmatter-page.ts";
import { settingsPage } from "./docs/settings-page.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const pages = join(root, "docs", "diagnostics");
const check = process.argv.includes("--check");

const made: readonly (readonly [path: string, text: string])[] = [
  ...diagnosticPages(),
  ["docs/cli.md", await commandPage()],
  ["docs/configuration.md", settingsPage()],
  ["docs/exit-codes.md", exitCodePage()],
  ["docs/frontmatter.md", frontmatterPage()],
  ["schema/skillet.schema.json", `${JSON.stringify(configurationSchema(), null, 2)}\n`],
];
const files = new Map(made.map(([path, text]) => [join(root, path), text]));

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
