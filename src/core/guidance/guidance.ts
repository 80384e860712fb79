import type { Catalog, CatalogRequest, Profile } from "../profile.ts";
import { frozenPrefix, type PrefixKey } from "./frozen-prefix.ts";

/** What a model was told of one skill. */
export interface GuidanceEntry {
  readonly name: string;
  readonly text: string;
  /** False: it had no room in the list, so the model does not know of it. */
  readonly told: boolean;
}

/** How changes of the skills reach a model, by profile. */
export type GuidanceChanges =
  /** As messages in mid-conversation; the system prompt keeps its bytes (features O12, O13). */
  | "message"
  /** The system prompt's section is written anew each turn. */
  | "section"
  /** The system prompt is kept until model, agent, permissions or tools change (feature M13). */
  | "frozen";

export interface GuidanceUpdate {
  readonly before: readonly GuidanceEntry[];
  readonly after: readonly GuidanceEntry[];
  /** The whole list as it is now. */
  readonly catalog: Catalog;
  readonly request: CatalogRequest;
}

/** One profile's rules for telling a model about skills over time. */
export interface GuidanceRules {
  readonly changes: GuidanceChanges;
  /** What a switch of the agent does: a new epoch with a baseline of its own, or an update like any other. */
  readonly agentSwitch: "epoch" | "update";
  /** Where the list stands in the system prompt: after the instructions, or behind everything else (feature X12). */
  readonly place: "section" | "last";
  /** What counts as changed, in the order of the list. */
  entries(request: CatalogRequest, catalog: Catalog): readonly GuidanceEntry[];
  /** What to say of a change, "" = nothing that a model has to know, and what the model knows then. */
  update(change: GuidanceUpdate): { readonly text: string; readonly entries: readonly GuidanceEntry[] };
  /** Said when nothing is mounted any more. */
  readonly removed: string;
  /** An update as it stands behind the user's message. */
  deliver(update: string): string;
}

/** What is kept of a conversation between two turns. Plain data, also for a file. */
export interface GuidanceState {
  readonly version: 1;
  readonly profile: string;
  readonly agent: string | null;
  /** Counts from 1; a new one begins with a new system prompt. */
  readonly epoch: number;
  /** The system prompt's section of this epoch; null = none. */
  readonly baseline: string | null;
  /** What the prefix was made for; "" where it does not matter. */
  readonly key: string;
  /** Whether the model believes that there are skills. */
  readonly mounted: boolean;
  readonly entries: readonly GuidanceEntry[];
}

/** What to tell a model now. */
export interface Guidance {
  /** "baseline": a new section; "update" and "removed": something to say in mid-conversation; "unchanged": nothing. */
  readonly kind: "baseline" | "update" | "removed" | "unchanged";
  readonly epoch: number;
  /** The system prompt's section; equal bytes through one epoch. Null = none. */
  readonly system: string | null;
  /** What changed, in words for a model; null = nothing to say. */
  readonly update: string | null;
  /** The update in its frame, to put behind the user's next message; null = nothing to say. */
  readonly message: string | null;
  /** Where the section stands among the layers of the system prompt. */
  readonly place: GuidanceRules["place"];
  /** Give it to the next call. The same object when nothing changed. */
  readonly state: GuidanceState;
}

export interface GuidanceInput {
  readonly profile: Pick<Profile, "id" | "version" | "guidance">;
  readonly catalog: Catalog;
  readonly request: CatalogRequest;
  /** Model, agent, permissions and tools of this turn. */
  readonly prefix: PrefixKey;
}

/** Rules of a system that says nothing in mid-conversation. */
export function silentGuidance(options: {
  readonly changes: "section" | "frozen";
  readonly place: GuidanceRules["place"];
}): GuidanceRules {
  return {
    ...options,
    agentSwitch: "epoch",
    entries: () => [],
    update: ({ after }) => ({ text: "", entries: after }),
    removed: "",
    deliver: (update) => update,
  };
}

const plainRules = silentGuidance({ changes: "section", place: "section" });

/**
 * What a model is told at the next safe turn boundary, compared with what it was told before. With nothing changed the
 * state is the same object and the section has the same bytes, so that a provider's cache of the prompt stays valid.
 * Features O12, O13, O19, M13, X12. Pure.
 */
export function nextGuidance(before: GuidanceState | null, input: GuidanceInput): Guidance {
  const { profile, catalog, request, prefix } = input;
  const rules = profile.guidance ?? plainRules;
  const id = profile.version === null ? profile.id : `${profile.id}@${profile.version}`;
  const agent = prefix.agent === "" ? null : prefix.agent;
  const now: Turn = { rules, id, agent, input };
  const known = before !== null && before.profile === id ? before : null;
  if (known === null) return baseline(now, (before?.epoch ?? 0) + 1);
  if (known.agent !== agent && rules.agentSwitch === "epoch") return baseline(now, known.epoch + 1);
  if (rules.changes === "frozen") {
    const kept = frozenPrefix({ key: known.key, text: known.baseline ?? "" }, prefix, () => "");
    return kept.key === known.key ? unchanged(now, known) : baseline(now, known.epoch + 1);
  }
  if (rules.changes === "section")
    return known.baseline === catalog.text ? unchanged(now, known) : baseline(now, known.epoch);
  const mounted = catalog.text !== null;
  const entries = mounted ? rules.entries(request, catalog) : [];
  const state: GuidanceState = { ...known, agent, mounted, entries };
  if (!mounted)
    return known.mounted ? said(now, "removed", rules.removed, state) : settled(now, known, state);
  // A list that was not there before is told as a whole.
  if (!known.mounted) return said(now, "update", catalog.text ?? "", state);
  if (sameEntries(known.entries, entries)) return settled(now, known, { ...state, entries: known.entries });
  const told = rules.update({ before: known.entries, after: entries, catalog, request });
  const next = { ...state, entries: told.entries };
  return told.text === "" ? unchanged(now, next) : said(now, "update", told.text, next);
}

interface Turn {
  readonly rules: GuidanceRules;
  readonly id: string;
  readonly agent: string | null;
  readonly input: GuidanceInput;
}

function baseline({ rules, id, agent, input }: Turn, epoch: number): Guidance {
  const { catalog, request, prefix } = input;
  const { key, text } = frozenPrefix(null, prefix, () => catalog.text ?? "");
  const system = catalog.text === null ? null : text;
  const state: GuidanceState = {
    version: 1,
    profile: id,
    agent,
    epoch,
    baseline: system,
    key: rules.changes === "frozen" ? key : "",
    mounted: system !== null,
    entries: system === null ? [] : rules.entries(request, catalog),
  };
  return { kind: "baseline", epoch, system, update: null, message: null, place: rules.place, state };
}

function unchanged({ rules }: Turn, state: GuidanceState): Guidance {
  const { epoch, baseline: system } = state;
  return { kind: "unchanged", epoch, system, update: null, message: null, place: rules.place, state };
}

/** Nothing to say; the state stays the same object unless the agent has another name. */
function settled(turn: Turn, known: GuidanceState, state: GuidanceState): Guidance {
  return unchanged(turn, known.agent === state.agent ? known : state);
}

function said({ rules }: Turn, kind: "update" | "removed", update: string, state: GuidanceState): Guidance {
  const { epoch, baseline: system } = state;
  return { kind, epoch, system, update, message: rules.deliver(update), place: rules.place, state };
}

/** Whether a skill had room in the list is no change of the skill. */
function sameEntries(one: readonly GuidanceEntry[], other: readonly GuidanceEntry[]): boolean {
  return (
    one.length === other.length &&
    one.every((entry, at) => {
      const same = other[at];
      return entry.name === same?.name && entry.text === same.text;
    })
  );
}
