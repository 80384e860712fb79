import type { SkillsDifference } from "../../core/discovery/difference.ts";
import { printable } from "../../core/text/printable.ts";

/** Names in one line; more are counted. */
const shown = 5;

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
      change.changed.map(({ name, what }) => `${name} (${what.join(", ")})`),
    ),
    ...line(
      "Skill no longer there",
      change.removed.filter(({ listed }) => listed).map(({ name }) => name),
    ),
  ];
}
