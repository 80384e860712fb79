import type { SyncChange } from "../../host/sync/sync-folder.ts";
import type { SyncedFolder, SyncOptions } from "../../host/sync/sync-skills.ts";
import type { Command, Context } from "../command.ts";
import { diagnosticJson } from "../json/list-json.ts";
import { displayPath } from "../output/display-path.ts";
import { type Cell, rows } from "../output/rows.ts";
import { safeLine } from "../output/safe-text.ts";
import { count } from "../output/words.ts";
import { usageError } from "../usage-error.ts";

/** `skillet sync`: the resolved set in folders that other agents read. */
export const sync: Command = {
  name: "sync",
  operands: "[AGENT…]",
  most: null,
  summary: "put the skills found here where other agents look",
  details: [
    "Links or copies every skill that is offered here into the folders that the named agents read: this project's, or with --user your own. Run again, it brings them up to date; --undo takes back what it put there, and nothing else. What was edited meanwhile, or was there before, is kept and said.",
    "AGENT is opencode, claude, agents (the shared .agents/skills), codex, gemini, cursor, github, mimo, minimax or skillet. Without one, every folder that was synced before.",
    "A project's skills go only into that project's folders, and only once you trust it.",
  ],
  examples: [
    ["skillet sync --to claude --dry-run", "what would be put into .claude/skills"],
    ["skillet sync --to claude,codex --user", "your own skills, for both, everywhere"],
    ["skillet sync --undo", "take all of it back"],
  ],
  flags: ["to", "undo", "dry-run", "copy", "link", "user"],
  run,
};

async function run(context: Context): Promise<number> {
  const { flags } = context;
  if (flags.on("copy") && flags.on("link")) throw usageError("--copy and --link exclude each other.", null);
  const { syncSkills } = await import("../../host/sync/sync-skills.ts");
  const dryRun = flags.on("dry-run");
  const undo = flags.on("undo");
  const options: SyncOptions = {
    to: [...flags.texts("to").flatMap((text) => text.split(",")), ...context.operands]
      .map((name) => name.trim())
      .filter((name) => name !== ""),
    user: flags.on("user"),
    undo,
    dryRun,
    ...(flags.on("copy") ? { method: "copy" } : flags.on("link") ? { method: "link" } : {}),
  };
  const skills = await context.skills();
  const { scope, folders, diagnostics } = syncSkills(skills, options);
  if (!dryRun && !undo) {
    // What is put there is what models were offered before; it does not wait for the user a second time.
    const { approveAlso } = await import("../../host/trust-workspace.ts");
    const put = folders.flatMap(({ changes }) =>
      changes.flatMap(({ action, to }) => (["linked", "copied", "updated"].includes(action) ? [to] : [])),
    );
    approveAlso(skills, put);
  }
  const refused = diagnostics.filter(({ code }) => code === "sync/outside").map(({ path }) => path);
  const incomplete =
    refused.length > 0 ||
    folders.some(({ changes }) =>
      changes.some(({ action }) => action === "failed" || (action === "kept" && !undo)),
    );
  if (context.json) {
    context.printJson({
      version: 1,
      dryRun,
      undo,
      scope,
      folders: folders.map(({ id, path }) => ({ agent: id, path })),
      changes: folders.flatMap(({ id, changes }) =>
        changes.map(({ name, action, from, to, message }) => ({
          name,
          action,
          agent: id,
          from,
          to,
          files: [],
          findings: diagnostics.filter(({ path }) => message !== null && path === to).map(diagnosticJson),
        })),
      ),
      lock: null,
      diagnostics: diagnostics.map(diagnosticJson),
    });
    return incomplete ? 1 : 0;
  }
  for (const folder of folders) {
    const isRefused = refused.includes(folder.path);
    printFolder(context, folder, { home: skills.environment.home, dryRun, isRefused });
  }
  for (const { message } of diagnostics) context.note(message, "warning");
  return incomplete ? 1 : 0;
}

const words: Readonly<Record<SyncChange["action"], readonly [done: string, planned: string]>> = {
  linked: ["linked", "would be linked"],
  copied: ["copied", "would be copied"],
  updated: ["updated", "would be updated"],
  removed: ["removed", "would be removed"],
  unchanged: ["unchanged", "unchanged"],
  kept: ["kept", "would be kept"],
  failed: ["failed", "failed"],
};

function printFolder(
  context: Context,
  { title, path, changes }: SyncedFolder,
  {
    home,
    dryRun,
    isRefused,
  }: { readonly home: string; readonly dryRun: boolean; readonly isRefused: boolean },
): void {
  const { paint } = context;
  const shown = context.verbose ? changes : changes.filter(({ action }) => action !== "unchanged");
  const same = changes.length - shown.length;
  context.print(`${paint.bold(safeLine(displayPath(path, { cwd: "", home })))}  ${paint.dim(title)}`);
  const table = shown.map(({ name, action, from }): Cell[] => [
    {
      text: mark(context, action),
      paint: action === "kept" || action === "failed" ? paint.yellow : paint.green,
    },
    { text: safeLine(name), paint: paint.bold },
    { text: words[action][dryRun ? 1 : 0] },
    { text: from === null ? "" : safeLine(displayPath(from, { cwd: "", home })), paint: paint.dim },
  ]);
  context.print(...rows(table, paint));
  if (same > 0) context.print(paint.dim(`  ${count(same, "skill")} already as it should be.`));
  if (changes.length === 0 && !isRefused) context.print(paint.dim("  Nothing to do."));
}

function mark({ paint }: Context, action: SyncChange["action"]): string {
  if (action === "failed") return paint.symbols.no;
  return action === "kept" ? paint.symbols.warning : paint.symbols.yes;
}
