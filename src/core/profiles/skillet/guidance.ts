import { systemReminder } from "../../activation/expand.ts";
import { entryLine, prepareEntry } from "../../catalog/catalog-entry.ts";
import { escapeCatalog, inlineName } from "../../catalog/inline-text.ts";
import type { GuidanceEntry, GuidanceRules, GuidanceUpdate } from "../../guidance/guidance.ts";
import type { CatalogRequest, VisibleSkill } from "../../profile.ts";

/**
 * A change is told as a difference, so that the list in the system prompt keeps its bytes and a provider's cache of it
 * stays valid; where the difference would be longer than the list, the list is given anew.
 */
export const skilletGuidance: GuidanceRules = {
  changes: "message",
  agentSwitch: "epoch",
  place: "section",
  entries: (request, { skills }) => {
    const omitted = new Set(skills.filter(({ state }) => state === "omitted").map(({ name }) => name));
    return request.skills.map((entry): GuidanceEntry => {
      const { name, text } = shown(entry, request);
      return { name, text, told: !omitted.has(entry.skill.name) };
    });
  },
  update,
  removed: "There are no skills any more. Do not use any skill that was listed before.",
  deliver: (text) => systemReminder(text),
};

function shown(
  { skill }: VisibleSkill,
  { configuration }: CatalogRequest,
): { readonly name: string; readonly text: string } {
  const { name, description, whenToUse, location } = skill;
  const cap = configuration.catalog.entryLimit;
  const entry = prepareEntry({ name, description, whenToUse, pinned: false, location }, cap);
  return { name: entry.name, text: entry.text };
}

function update(change: GuidanceUpdate): ReturnType<GuidanceRules["update"]> {
  const { before, after, catalog, request } = change;
  const old = new Map(before.map((entry) => [entry.name, entry]));
  const now = new Map(after.map((entry) => [entry.name, entry]));
  const added = after.filter(({ name }) => !old.has(name));
  const changed = after.filter((entry) => {
    const known = old.get(entry.name);
    return known !== undefined && known.text !== entry.text;
  });
  // Of what never stood in the list nothing has to be taken back.
  const removed = before.filter(({ name, told }) => told && !now.has(name));
  const said = new Set([...added, ...changed]);
  const known = after.map((entry) => ({
    ...entry,
    told: said.has(entry) || old.get(entry.name)?.told === true,
  }));
  if (said.size === 0 && removed.length === 0) return { text: "", entries: known };
  const text = [
    "The available skills have changed.",
    ...section("New, besides those in the list:", added),
    ...section("Described anew:", changed),
    ...(removed.length === 0
      ? []
      : [
          `No longer available, do not use: ${removed.map(({ name }) => escapeCatalog(inlineName(name))).join(", ")}.`,
        ]),
  ].join("\n");
  const whole = `The available skills have changed. This list takes the place of every earlier one.\n${catalog.text ?? ""}`;
  const { counter } = request;
  return counter.count(text) <= counter.count(whole)
    ? { text, entries: known }
    : { text: whole, entries: after };
}

function section(title: string, entries: readonly GuidanceEntry[]): readonly string[] {
  if (entries.length === 0) return [];
  return [title, ...entries.map(({ name, text }) => entryLine(name, text).trimEnd())];
}
