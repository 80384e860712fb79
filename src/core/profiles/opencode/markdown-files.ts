import type { Diagnostic } from "../../diagnostic.ts";
import { makeDiagnostic } from "../../diagnostics/make.ts";
import { join } from "../../path.ts";
import type { PrepareContext } from "../../profile.ts";
import { extraFields } from "../../skill/matter/frontmatter-data.ts";
import { readMatter } from "../../skill/matter/matter.ts";
import { printable } from "../../text/printable.ts";
import { openCodeReadLimits } from "./limits.ts";
import type { Fields } from "./merge-settings.ts";

/** An agent or command kept as a Markdown file in a configuration folder. */
export interface MarkdownFile {
  /** Path below its folder without `.md`: `review` or `team/review`. */
  readonly name: string;
  readonly path: string;
  readonly fields: Fields;
  readonly body: string;
}

const entryBound = 2_000;
const depthBound = 8;
const fileBound = 1_048_576;

/** Every Markdown file below `folder`, sorted; folders below it only with `nested`. Links are followed to a bound. */
export function markdownFiles(
  context: PrepareContext,
  folder: string,
  options: { readonly nested: boolean; readonly diagnostics: Diagnostic[] },
): readonly MarkdownFile[] {
  const found: MarkdownFile[] = [];
  let seen = 0;
  const walk = (path: string, prefix: string, depth: number): void => {
    const read = context.fileSystem.readDirectory(path, { limit: entryBound });
    if (read.kind !== "directory") return;
    for (const entry of read.entries) {
      if (++seen > entryBound) return;
      const here = join(path, entry.name);
      const kind =
        entry.type === "link" ? context.fileSystem.status(here, { follow: true }).kind : entry.type;
      if (kind === "directory") {
        if (options.nested && depth < depthBound) walk(here, `${prefix}${entry.name}/`, depth + 1);
      } else if (kind === "file" && entry.name.endsWith(".md")) {
        const file = readMarkdown(context, here, options.diagnostics);
        if (file !== null)
          found.push({ ...file, path: here, name: prefix + entry.name.slice(0, -".md".length) });
      }
    }
  };
  walk(folder, "", 0);
  return found;
}

function readMarkdown(
  { fileSystem, codec }: PrepareContext,
  path: string,
  diagnostics: Diagnostic[],
): Pick<MarkdownFile, "fields" | "body"> | null {
  const read = fileSystem.readFile(path, { limit: fileBound, follow: true });
  if (read.kind !== "file") return null;
  const matter = readMatter(codec.decode(read.bytes, 0, read.bytes.length), {
    block: openCodeReadLimits.frontmatterBytes,
    depth: openCodeReadLimits.depth,
    keys: openCodeReadLimits.keys,
    aliases: openCodeReadLimits.aliases,
  });
  if (matter.ok)
    return {
      fields: matter.data instanceof Map ? extraFields(matter.data, new Set()) : {},
      body: matter.content.trim(),
    };
  diagnostics.push(
    makeDiagnostic("frontmatter/invalid-yaml", {
      path,
      severity: "error",
      message: `This file is left out: ${printable(matter.problem.message)}.`,
      range: matter.problem.range ?? undefined,
    }),
  );
  return null;
}
