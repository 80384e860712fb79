import type { Diagnostic } from "../../core/diagnostic.ts";
import type { Environment } from "../../core/environment.ts";
import { resolve } from "../../core/path.ts";
import type { Profile } from "../../core/profile.ts";
import { profileNamed } from "../../core/profiles/index.ts";
import { toPortable } from "../../host/native-path.ts";
import { createFileSystem, nodeCodec } from "../../host/node-file-system.ts";
import type { Skills } from "../../host/skills.ts";
import type { Context } from "../command.ts";
import { environmentFor } from "../environment-for.ts";
import { displayPath } from "../output/display-path.ts";
import { jsonText } from "../output/json-text.ts";
import { shellWord, skilletLine } from "../output/shell-words.ts";
import { wrap } from "../output/text-width.ts";
import { count } from "../output/words.ts";
import { usageError } from "../usage-error.ts";
import { noteByHand, noteCodes, noteMendedWait } from "./after-mending.ts";
import { type CheckTools, checkFile } from "./check-file.ts";
import { type CheckTarget, checkTargets, namedTarget } from "./check-targets.ts";
import { type Finding, sortFindings, type Tally, tally } from "./finding.ts";
import { findingsOf, mendFile } from "./mend-file.ts";
import { tallySentence } from "./tally-sentence.ts";

interface Work {
  readonly environment: Environment;
  readonly profile: Profile;
  readonly targets: readonly CheckTarget[];
  /** Found while the targets were looked for, e.g. links to nothing. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Checks what the operands name, or the project; prints the findings in the wanted form; 1 when they weigh enough. */
export async function runCheck(context: Context): Promise<number> {
  const format = formatOf(context);
  const work = context.operands.length > 0 ? namedWork(context) : projectWork(await context.skills());
  const tools: CheckTools = { fileSystem: createFileSystem(), codec: nodeCodec, profile: work.profile };
  const strict = context.flags.on("strict");
  const findings: Finding[] = work.diagnostics.map((diagnostic) => ({ ...diagnostic, fix: null }));
  const mended: string[] = [];
  const wouldMend: string[] = [];
  const dryRun = context.flags.on("dry-run");
  for (const one of work.targets) {
    let checked = checkFile(one, { ...tools, strict });
    const mends = context.flags.on("fix") && !dryRun && one.mendable;
    if (dryRun && one.mendable && findingsOf(checked, tools).some(({ fix }) => fix !== null))
      wouldMend.push(one.path);
    if (mends && checked.source !== null && mendFile(one.path, checked.source, tools)) {
      mended.push(one.path);
      checked = checkFile(one, { ...tools, strict });
    }
    findings.push(...findingsOf(checked, tools));
  }
  const sorted = sortFindings(findings);
  const counts = tally(sorted, work.targets.length);
  await print(context, {
    format,
    findings: sorted,
    counts,
    mended,
    wouldMend,
    environment: work.environment,
  });
  return failed(context, counts) ? 1 : 0;
}

function formatOf(context: Context): string {
  const format = context.flags.text("format") ?? (context.json ? "json" : "pretty");
  if (context.json && format !== "json")
    throw usageError(`--json and --format ${format} exclude each other.`, null);
  return format;
}

function failed(context: Context, counts: Tally): boolean {
  const most = context.flags.number("max-warnings");
  return counts.errors > 0 || (most !== undefined && counts.warnings > most);
}

function namedWork(context: Context): Work {
  const environment = environmentFor(context);
  const fileSystem = createFileSystem();
  const targets = new Map<string, CheckTarget>();
  for (const operand of context.operands)
    for (const one of checkTargets(
      fileSystem,
      resolve(environment.cwd, toPortable(operand)),
      environment.cwd,
    ))
      targets.set(one.realPath ?? one.path, one);
  return {
    environment,
    profile: profileNamed(context.flags.text("as") ?? "skillet"),
    targets: [...targets.values()],
    diagnostics: [],
  };
}

/** Every skill file of the project, also those that lose or cannot be read, and what discovery said about its folders. */
function projectWork({ environment, profile, snapshot }: Skills): Work {
  const fileSystem = createFileSystem();
  const files = new Map<string, CheckTarget>();
  for (const { root, location, decisions } of snapshot.trails) {
    if (root?.scope !== "workspace" || !/\.md$/i.test(location)) continue;
    // What discovery may not read, a check may not either; what it reads elsewhere is not the project's to change.
    const outside = decisions.some(({ reason }) => reason === "link-outside");
    const one = namedTarget(fileSystem, location, root.boundary ?? root.path);
    files.set(location, outside ? { ...one, outside, mendable: false } : one);
  }
  const unique = [...files.keys()].sort();
  const diagnostics = snapshot.diagnostics.filter(
    ({ code, path }) =>
      code.startsWith("discovery/") &&
      path !== null &&
      !unique.includes(path) &&
      snapshot.roots.some(({ root }) => root.scope === "workspace" && path.startsWith(`${root.path}/`)),
  );
  return {
    environment,
    profile,
    targets: unique.flatMap((location) => files.get(location) ?? []),
    diagnostics,
  };
}

interface Report {
  readonly format: string;
  readonly findings: readonly Finding[];
  readonly counts: Tally;
  readonly mended: readonly string[];
  readonly wouldMend: readonly string[];
  readonly environment: Environment;
}

async function print(
  context: Context,
  { format, findings, counts, mended, wouldMend, environment }: Report,
): Promise<void> {
  const { paint } = context;
  if (format === "json") {
    const { findingsJson } = await import("./format-json.ts");
    context.printJson({ ...findingsJson(findings, counts), mended: mended.length, wouldMend });
    return;
  }
  if (format === "sarif") {
    const { sarifLog } = await import("./format-sarif.ts");
    context.write(jsonText(sarifLog(findings, environment.cwd)));
    return;
  }
  if (format === "github") {
    const { githubLines } = await import("./format-github.ts");
    context.print(...githubLines(findings, environment));
    context.note(tallySentence(counts));
    return;
  }
  const { printFindings } = await import("./print-findings.ts");
  printFindings(context, findings, environment);
  const color = counts.errors > 0 ? paint.red : counts.warnings > 0 ? paint.yellow : paint.green;
  context.print(
    ...(findings.length > 0 ? [""] : []),
    ...wrap(tallySentence(counts), paint.textWidth).map(color),
  );
  for (const path of wouldMend)
    context.print(`${paint.symbols.dot} would mend ${displayPath(path, environment)}`);
  if (mended.length > 0) context.note(`${count(mended.length, "file")} mended.`);
  if (context.flags.on("fix")) noteByHand(context, findings, environment);
  await noteMendedWait(context, mended);
  const able = findings.filter(({ fix }) => fix !== null).length;
  if (able > 0 && !context.flags.on("fix")) {
    const rest = ["check --fix", ...context.operands.map(shellWord)].join(" ");
    const line = skilletLine(rest, context.flags);
    context.note(`${count(able, "problem")} can be repaired: ${line}`, "dim");
  }
  noteCodes(context, findings);
  if (counts.files === 0)
    context.note(
      `This project has no skills. ${skilletLine("check PATH", context.flags)} looks at any folder.`,
    );
}
