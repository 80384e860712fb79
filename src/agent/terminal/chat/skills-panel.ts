import { localDescription } from "../../../core/packs/localize.ts";
import { dataFolder } from "../../../core/places.ts";
import type { VisibleSkill } from "../../../core/profile.ts";
import { singleLine } from "../../../core/text/single-line.ts";
import { type StateEntry, withSwitch } from "../../../core/visibility/stored-state.ts";
import type { Skills } from "../../../host/skills.ts";
import { updateState } from "../../../host/state.ts";
import { agentOfSkill } from "../../permission/agents.ts";
import { type Line, line, type Span, span } from "../text/span.ts";
import { filterBy } from "./panels.ts";
import type { Panel, PanelRow } from "./state.ts";

/** `/skills`: every skill by group, where it comes from, whether a model may load it and why not (feature X17). */
export function skillsPanelOf(
  skills: Skills,
  { filter, agent }: { readonly filter: string; readonly agent: string },
): Panel {
  const rows = skillRows(skills, agent);
  return {
    kind: "skills",
    title: `Skills · ${skills.entries.length}`,
    rows,
    ...filterBy({ rows }, filter),
    detail: null,
    scroll: 0,
    keys: "↑↓ choose · enter why · tab on/off · type to filter · esc close",
  };
}

/** Those that are meant for another agent come last in their group. */
export function skillRows(skills: Skills, agent: string): readonly PanelRow[] {
  const rows = skills.entries.map((entry): PanelRow => {
    const { skill } = entry;
    const { ready, word } = availability(entry, agent);
    return {
      id: skill.location === "<built-in>" ? `${skill.location}\0${skill.name}` : skill.location,
      group: groupOf(entry),
      label: skill.name,
      value: `${ready ? "●" : "○"} ${word} · ${skill.root.scope}`,
      description: singleLine(localDescription(skill, skills.environment.language) ?? ""),
    };
  });
  const groups = ["Built-in", "User", "Other"];
  const elsewhere = ({ label }: PanelRow): boolean => otherAgent(label, agent) !== null;
  return groups.flatMap((group) => {
    const own = rows.filter((row) => row.group === group);
    return [...own.filter((row) => !elsewhere(row)), ...own.filter(elsewhere)];
  });
}

function groupOf({ skill }: VisibleSkill): string {
  const { scope } = skill.root;
  if (scope === "builtin") return "Built-in";
  return ["workspace", "user", "config", "agent"].includes(scope) ? "User" : "Other";
}

/** The agent that a skill is meant for, when it is not this one. */
function otherAgent(skill: string, agent: string): string | null {
  const name = agentOfSkill(skill)?.name ?? agent;
  return name === agent ? null : name;
}

function availability(
  entry: VisibleSkill,
  agent: string,
): { readonly ready: boolean; readonly word: string } {
  const { hidden, permission, enabled, trusted, skill, modelInvocable, userInvocable } = entry;
  const other = otherAgent(skill.name, agent);
  if (permission === "deny")
    return { ready: false, word: other === null ? "denied by a rule" : `for /agent ${other}` };
  if (!enabled) return { ready: false, word: "off" };
  if (hidden !== null) return { ready: false, word: hidden.reason };
  if (!trusted) return { ready: false, word: "waits for trust" };
  if (skill.disableModelInvocation) return { ready: userInvocable, word: "only you can call it" };
  if (!modelInvocable) return { ready: false, word: "not for files in play" };
  return { ready: true, word: permission === "ask" ? "available, asks" : "available" };
}

/** The skill that a row stands for, null when it is gone. */
export function entryOfRow(skills: Skills, row: PanelRow): VisibleSkill | null {
  return (
    skills.entries.find(({ skill }) => skill.name === row.label && row.id.startsWith(skill.location)) ?? null
  );
}

const good: ReadonlySet<string> = new Set(["found", "read", "won", "passed", "full", "ranked"]);
const bad: ReadonlySet<string> = new Set(["skipped", "shadowed", "hidden", "omitted"]);

/** `why` in place: the sentence, then the steps below the path that they are about. */
export function whyLines(skills: Skills, name: string, agent: string): readonly Line[] {
  const explanation = skills.explain(name);
  const { home, cwd } = skills.environment;
  const short = (text: string): string => text.replaceAll(`${cwd}/`, "").replaceAll(`${home}/`, "~/");
  const lines: Line[] = [line(short(explanation.summary), { bold: true })];
  let path: string | null = null;
  for (const step of explanation.steps) {
    if (step.stage === "root" || step.stage === "config" || step.outcome === "missing") continue;
    if (step.path !== null && step.path !== path)
      lines.push(line(`  ${short(step.path)}`, { color: "cyan" }));
    path = step.path ?? path;
    const mark: Span = good.has(step.outcome)
      ? { text: "  ✓ ", color: "green" }
      : bad.has(step.outcome)
        ? { text: "  ✗ ", color: "red" }
        : { text: "  · ", dim: true };
    lines.push([mark, span(short(step.message))]);
  }
  return [
    ...lines,
    ...explanation.notes.map((note) => line(`  · ${short(note)}`, { dim: true })),
    ...(otherAgent(name, agent) === null
      ? []
      : [line(`  → /agent ${otherAgent(name, agent)}, which it is meant for`, { color: "cyan" })]),
    ...(explanation.next === null ? [] : [line(`  → ${explanation.next}`, { color: "cyan" })]),
  ];
}

/** Stores that a skill is on or off and looks again; says what came of it. */
export function toggleSkill(skills: Skills, entry: VisibleSkill): string {
  if (!skills.profile.visibility.state) return `${skills.profile.title} keeps no such decision.`;
  if (entry.permission === "deny")
    return `A rule denies ${entry.skill.name}, so on and off change nothing; enter says which.`;
  const to = entry.enabled ? "disabled" : "enabled";
  const { skill } = entry;
  const place: StateEntry =
    skill.directory === null
      ? { name: skill.name }
      : { location: skills.profile.stateBy === "real-path" ? skill.realPath : skill.location };
  updateState(dataFolder(skills.environment), (state) =>
    withSwitch(state, skills.profile.id, { entry: place, to }),
  );
  skills.reload();
  return `${skill.name} is ${to === "enabled" ? "on" : "off"}.`;
}
