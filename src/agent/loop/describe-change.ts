import type { SkillsDifference } from "../../core/discovery/difference.ts";
import { printable } from "../../core/text/printable.ts";

/** Names in one line; more are counted. */
const shown = 5;

function waits({ what, before, after, message }: SkillsDifference["changed"][number]): boolean {
  return what.includes("visibility") && before.forModel && !after.forModel && /trust/i.test(message);
}

/** What changed about skills on disk, one line for people each kind; nothing where a model would notice nothing. */
export function describeChange(change: SkillsDifference): readonly string[] {
  const line = (what: string, names: readonly string[]): readonly string[] => {
    if (names.length === 0) return [];
    const rest = names.length - shown;
    return [
      `${what}: ${names.slice(0, shown).map(printable).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`,
    ];
  };
  return [
    ...line(
      "New skill on disk",
      change.added.filter(({ listed }) => listed).map(({ name }) => name),
    ),
    ...line(
      "Skill changed on disk",
      change.changed
        .filter(({ what }) => !what.includes("visibility"))
        .map(({ name, what }) => `${name} (${what.join(", ")})`),
    ),
    ...line(
      "Skill changed on disk, so it waits for your trust again (/trust)",
      change.changed.filter(waits).map(({ name }) => name),
    ),
    ...change.changed
      .filter((one) => one.what.includes("visibility") && !waits(one))
      .slice(0, shown)
      .map(({ name, message }) => `Skill changed on disk: ${printable(name)}. ${printable(message)}`),
    ...line(
      "Skill no longer there",
      change.removed.filter(({ listed }) => listed).map(({ name }) => name),
    ),
  ];
}
