import type { Diagnostic } from "../../core/diagnostic.ts";
import { codeText } from "../../core/diagnostics/table.ts";
import { dirname } from "../../core/path.ts";
import { dataFolder } from "../../core/places.ts";
import { createFileSystem, nodeCodec } from "../../host/node-file-system.ts";
import type { Skills } from "../../host/skills.ts";
import { repairState } from "../../host/state.ts";
import type { Context } from "../command.ts";
import { displayPath } from "../output/display-path.ts";
import { skilletLine } from "../output/shell-words.ts";
import { wrap } from "../output/text-width.ts";
import { count } from "../output/words.ts";
import { ownDiagnostics } from "../own-diagnostics.ts";
import { noteCodes, noteMendedWait } from "./after-mending.ts";
import { type CheckTools, checkFile } from "./check-file.ts";
import { namedTarget } from "./check-targets.ts";
import { doctorFindings } from "./doctor-findings.ts";
import { type Finding, sortFindings, tally } from "./finding.ts";
import { lockFindings } from "./lock-findings.ts";
import { findingsOf, mendFile } from "./mend-file.ts";
import { tallySentence } from "./tally-sentence.ts";

/** Notes shown to people without -v. */
const notesShown = 10;

/** Looks at the whole, mends what it may, prints what is left; 1 when an error or a warning is. */
export async function runDoctor(context: Context, skills: Skills): Promise<number> {
  const tools: CheckTools = { fileSystem: createFileSystem(), codec: nodeCodec, profile: skills.profile };
  let findings = withFixes(skills, tools);
  const wanted = context.flags.on("fix");
  const dryRun = context.flags.on("dry-run");
  const files = mendable(skills, findings, tools);
  const state = findings.some(({ code }) => code === "state/unusable");
  const changes = [...files, ...(state ? [dataFolder(skills.environment)] : [])];
  const mended: string[] = [];
  let aside: string | null = null;
  if (wanted && !dryRun) {
    for (const path of files) {
      const { source } = checkFile(namedTarget(tools.fileSystem, path, dirname(path)), tools);
      if (source !== null && mendFile(path, source, tools)) mended.push(path);
    }
    const copy = state ? repairState(dataFolder(skills.environment)) : null;
    if (copy !== null) mended.push(copy);
    aside = copy;
    skills.reload();
    findings = withFixes(skills, tools);
  }
  const sorted = sortFindings(findings);
  const counts = tally(sorted, ownFiles(skills));
  if (context.json) {
    const { findingsJson } = await import("./format-json.ts");
    context.printJson({ ...findingsJson(sorted, counts), mended, wouldMend: dryRun ? changes : [] });
  } else await print(context, skills, { findings: sorted, mended, aside, changes, dryRun });
  return counts.errors + counts.warnings > 0 ? 1 : 0;
}

/** What discovery, settings and state reported, and what only the whole shows; repairs attached. */
function withFixes(skills: Skills, tools: CheckTools): readonly Finding[] {
  const all: readonly Diagnostic[] = [
    ...ownDiagnostics(skills),
    ...doctorFindings(skills, tools.fileSystem),
    ...lockFindings(skills),
  ];
  const repairable = new Set(
    all.flatMap(({ code, path }) => (path !== null && codeText(code)?.mendable === true ? [path] : [])),
  );
  return [...new Set(all.map(({ path }) => path))].flatMap((path) => {
    const diagnostics = all.filter((one) => one.path === path);
    const source =
      path !== null && repairable.has(path)
        ? checkFile(namedTarget(tools.fileSystem, path, dirname(path)), tools).source
        : null;
    return findingsOf({ diagnostics, source }, tools);
  });
}

/**
 * Files with a repair that belong to the user or the project; what is bundled or managed is left alone, and what a link
 * of the project leads to outside of it.
 */
function mendable(
  skills: Skills,
  findings: readonly Finding[],
  { fileSystem }: CheckTools,
): readonly string[] {
  const own = new Set<string>();
  for (const { root, location } of skills.snapshot.trails) {
    if (root?.scope === "user" || root?.scope === "config") own.add(location);
    else if (root?.scope === "workspace") {
      if (namedTarget(fileSystem, location, root.boundary ?? root.path).mendable) own.add(location);
    }
  }
  const paths = findings.flatMap(({ fix, path }) =>
    fix !== null && path !== null && own.has(path) ? [path] : [],
  );
  return [...new Set(paths)];
}

/** How many files are not built in. */
function ownFiles({ snapshot }: Skills): number {
  return snapshot.trails.filter(({ root }) => root?.bundled !== true).length;
}

interface Report {
  readonly findings: readonly Finding[];
  readonly mended: readonly string[];
  /** One of `mended`: where the damaged state was put. */
  readonly aside: string | null;
  readonly changes: readonly string[];
  readonly dryRun: boolean;
}

async function print(
  context: Context,
  skills: Skills,
  { findings, mended, aside, changes, dryRun }: Report,
): Promise<void> {
  const { paint, flags } = context;
  const { printFindings } = await import("./print-findings.ts");
  const grave = findings.filter(({ severity }) => severity !== "info");
  const notes = findings.filter(({ severity }) => severity === "info");
  const shown = [...grave, ...(context.verbose ? notes : notes.slice(0, notesShown))];
  printFindings(context, shown, skills.environment);
  const left = grave.length + notes.length - shown.length;
  if (left > 0) context.print("", paint.dim(`${paint.symbols.ellipsis} ${count(left, "more note")} (-v)`));
  const counts = tally(findings, ownFiles(skills));
  const color = counts.errors > 0 ? paint.red : counts.warnings > 0 ? paint.yellow : paint.green;
  const sentence = grave.length === 0 ? "Nothing to mend. " : "";
  context.print(
    ...(findings.length > 0 ? [""] : []),
    ...wrap(`${sentence}${tallySentence(counts)}`, paint.textWidth).map(color),
  );
  for (const path of mended) {
    const shown = displayPath(path, skills.environment);
    const text =
      path === aside ? `the damaged state was put aside as ${shown}, and a new one begun` : `mended ${shown}`;
    context.print(`${paint.green(paint.symbols.yes)} ${text}`);
  }
  if (dryRun)
    for (const path of changes)
      context.print(`${paint.symbols.dot} would mend ${displayPath(path, skills.environment)}`);
  else if (changes.length > 0 && !flags.on("fix"))
    context.note(
      `${count(changes.length, "file")} can be repaired: ${skilletLine("doctor --fix", flags)}`,
      "dim",
    );
  await noteMendedWait(context, mended);
  noteCodes(context, shown);
}
