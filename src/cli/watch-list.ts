import type { Skills } from "../host/skills.ts";
import type { SkillsChange } from "../host/watch/live-state.ts";
import type { Context } from "./command.ts";
import { filterSkills } from "./filter-skills.ts";

/**
 * `list --watch`: the list, then every change of it until the run is stopped. Resolves to 130 after Ctrl-C, and to 0
 * when nobody reads the output any more. Row D23 of the field survey, feature X7.
 */
export async function watchList(context: Context, skills: Skills): Promise<number> {
  const filter = context.operands[0] ?? null;
  let shown = namesIn(skills, filter);
  const print = context.json ? await jsonPrinter(context, skills) : await linePrinter(context, skills);
  return new Promise((resolve) => {
    let ended = false;
    const end = (code: number): void => {
      ended = true;
      undo();
      skills.close();
      resolve(code);
    };
    const undo =
      context.io.onStop?.((reason) => {
        // The terminal shows ^C; what follows begins on a line of its own.
        if (reason === "interrupt" && context.io.stdout.isTTY) context.io.stderr.write("\n");
        end(reason === "interrupt" ? 130 : 0);
      }) ?? (() => {});
    void skills.watch({ persistent: true }).then(() => {
      if (!ended) context.note("Watching for changes; Ctrl-C ends.", "dim");
    });
    skills.on("change", (change) => {
      const before = shown;
      shown = namesIn(skills, filter);
      print(filter === null ? change : onlyOf(change, new Set([...before, ...shown])));
    });
  });
}

async function jsonPrinter(context: Context, skills: Skills): Promise<(change: SkillsChange) => void> {
  const [{ listJson }, { changeJson }, { jsonLine }] = await Promise.all([
    import("./json/list-json.ts"),
    import("./json/change-json.ts"),
    import("./output/json-text.ts"),
  ]);
  const part = filterSkills(skills, context.operands[0] ?? null);
  context.write(jsonLine({ type: "list", ...listJson(skills, part) }));
  return (change) => {
    if (!isEmpty(change)) context.write(jsonLine(changeJson(skills.snapshot.profile, change)));
  };
}

async function linePrinter(context: Context, skills: Skills): Promise<(change: SkillsChange) => void> {
  const [{ printList }, { noteChange, printChange }] = await Promise.all([
    import("./views/list-view.ts"),
    import("./views/change-view.ts"),
  ]);
  printList(context, skills, filterSkills(skills, context.operands[0] ?? null));
  return (change) => {
    printChange(context, skills, change);
    noteChange(context, skills, change);
  };
}

function namesIn(skills: Skills, filter: string | null): ReadonlySet<string> {
  const { listed, hidden, shadowed } = filterSkills(skills, filter);
  return new Set([...listed, ...hidden, ...shadowed].map(({ skill }) => skill.name));
}

function onlyOf(change: SkillsChange, names: ReadonlySet<string>): SkillsChange {
  const ours = <T extends { readonly name: string }>(list: readonly T[]): readonly T[] =>
    list.filter(({ name }) => names.has(name));
  return {
    ...change,
    added: ours(change.added),
    removed: ours(change.removed),
    changed: ours(change.changed),
    winnerChanged: ours(change.winnerChanged),
    shadowed: ours(change.shadowed),
  };
}

function isEmpty({ cause: _cause, ...lists }: SkillsChange): boolean {
  return Object.values(lists).every((list: readonly unknown[]) => list.length === 0);
}
