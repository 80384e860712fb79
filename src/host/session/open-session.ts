import {
  type Activation,
  forgotten,
  heldText,
  type Ledger,
  latestTexts,
  type NewActivation,
  recorded,
} from "../../core/activation/activation-ledger.ts";
import { commandPolicy } from "../../core/activation/command-policy.ts";
import type { Expansion, GivenSkill } from "../../core/activation/expand.ts";
import { planRestore, type RestorePlan } from "../../core/activation/restore-plan.ts";
import { checkText } from "../../core/check-options.ts";
import { SkilletError } from "../../core/error.ts";
import type { GuidanceState } from "../../core/guidance/guidance.ts";
import type { VisibleSkill } from "../../core/profile.ts";
import type { ExpandOptions, Skills } from "../skills.ts";
import { lookAgain } from "./look-again.ts";
import { judgeRead, readableSkills, skillFolders } from "./may-read.ts";
import { readRecord } from "./read-record.ts";
import { restoreCandidate } from "./restore-candidate.ts";
import { mayRunCommands, outputsOf, runSkillCommands } from "./run-skill-commands.ts";
import type { Session, SessionLoad, SessionLoadOptions, SessionOptions } from "./session.ts";
import { checkLoad, checkNote, checkSession } from "./session-options.ts";

/**
 * Opens a conversation over an open set of skills. The set stays the caller's: closing the session does not close it.
 * Several sessions may share one set.
 */
export function openSession(first: Skills, options: SessionOptions = {}): Session {
  checkSession(options);
  const resumed = readRecord(options.resume ?? null);
  let skills = first;
  let ledger: Ledger = resumed?.activations ?? [];
  let guidance: GuidanceState | null = resumed?.guidance ?? null;
  let started = resumed?.started ?? false;
  let closed = false;
  /** Texts as they were given, by the order of their activation: what commands wrote comes back as it was. */
  const texts = new Map<number, string>();

  const open = (): void => {
    if (closed) throw new SkilletError("usage", "This session is closed.");
  };
  const entryAt = (name: string): VisibleSkill | undefined =>
    skills.entries.find(({ skill }) => skill.name === name);
  const policy = () => commandPolicy(skills.configuration.policy, options.commands);
  const add = (activation: NewActivation, text: string | null): Activation | undefined => {
    ledger = recorded(ledger, activation);
    const made = ledger.at(-1);
    if (made !== undefined && text !== null) texts.set(made.order, text);
    return made;
  };

  const load = async (name: string, request: SessionLoadOptions = {}): Promise<SessionLoad> => {
    open();
    checkLoad(request);
    request.signal?.throwIfAborted();
    const { again, signal: _, ...plain } = request;
    lookAgain(skills, { names: [name], held: ledger });
    const loaded = skills.load(name, plain);
    const nothing = { repeated: false, ran: [], notRun: [] };
    const entry = loaded.status === "loaded" ? entryAt(loaded.name) : undefined;
    if (entry === undefined) return { ...loaded, ...nothing };
    const { skill } = entry;
    const use = {
      name: skill.name,
      location: skill.location,
      digest: skill.digest,
      by: request.by ?? "model",
      arguments: request.arguments ?? "",
    } as const;
    const note = skills.profile.repeated?.(skill);
    if (again !== true && note !== undefined && heldText(ledger, use) !== null) {
      add({ ...use, given: "note", tokens: skills.counter.count(note) }, null);
      return { ...loaded, output: note, files: [], repeated: true, ran: [], notRun: [] };
    }
    const commands = [...new Set(skills.dynamicCommands(skill).map(({ command }) => command))];
    const ran = await runSkillCommands(skills, { entry, commands, request, policy: policy(), options });
    const given =
      ran === null
        ? loaded
        : skills.load(name, {
            ...plain,
            commandOutputs: outputsOf(ran),
          });
    if (given.status !== "loaded") return { ...given, ...nothing };
    open();
    add({ ...use, given: "text", tokens: skills.counter.count(given.output) }, given.output);
    return { ...given, repeated: false, ran: ran ?? [], notRun: ran === null ? commands : [] };
  };

  /** Texts that are held and were given without arguments: those need not be given again. */
  const given = (): readonly GivenSkill[] =>
    ledger
      .filter((one) => one.inContext && one.given === "text" && one.arguments === "")
      .map(({ name, digest }) => ({ name, digest }));

  const expand = async (message: string, request: ExpandOptions = {}): Promise<Expansion> => {
    open();
    lookAgain(skills, { names: [], held: ledger });
    const held = [...(request.given ?? []), ...given()];
    const begin = request.begin ?? !started;
    const expansion = await skills.expand(message, { ...request, given: held, begin });
    open();
    started = true;
    for (const use of expansion.uses ?? []) {
      const entry = entryAt(use.name);
      const text = expansion.parts[use.part]?.text ?? "";
      if (entry === undefined) continue;
      const { name, location, digest } = entry.skill;
      const whole = use.given === "text" ? text : null;
      const tokens = skills.counter.count(text);
      add({ name, location, digest, by: use.by, arguments: use.arguments, given: use.given, tokens }, whole);
    }
    return expansion;
  };

  const afterCompaction = (): RestorePlan => {
    open();
    lookAgain(skills, { names: [], held: ledger });
    const latest = latestTexts(ledger);
    const plan = planRestore(
      latest.map((one) => restoreCandidate(skills, one, texts.get(one.order) ?? null)),
      {
        limits: {
          skillTokens: options.limits?.skillTokens ?? skills.configuration.compaction.skillTokens,
          totalTokens: options.limits?.totalTokens ?? skills.configuration.compaction.totalTokens,
        },
        counter: skills.counter,
      },
    );
    const whole = new Set(
      plan.skills.filter(({ state }) => state === "full").map(({ location }) => location),
    );
    const back = new Set(latest.filter(({ location }) => whole.has(location)).map(({ order }) => order));
    const digests = new Map(skills.entries.map(({ skill }) => [skill.location, skill.digest]));
    ledger = forgotten(ledger).map((one) =>
      back.has(one.order)
        ? { ...one, inContext: true, digest: digests.get(one.location) ?? one.digest }
        : one,
    );
    const orders = new Set(latest.map(({ order }) => order));
    for (const order of texts.keys()) if (!orders.has(order)) texts.delete(order);
    return plan;
  };

  const readable = (): ReadonlyMap<string, string> => {
    const texts = ledger.filter(({ given }) => given === "text");
    return skillFolders(readableSkills(skills.entries, new Set(texts.map(({ name }) => name))));
  };

  return {
    get skills() {
      return skills;
    },
    get profile() {
      return skills.profile;
    },
    get entries() {
      return skills.entries;
    },
    remembers: true,
    get activations() {
      return ledger;
    },
    load: async (name, request) => {
      checkText("load", "a name", name);
      return load(name, request);
    },
    retrieve: async (name, path = null, request = {}) => {
      open();
      await skills.retrieve(name, path, request);
    },
    loadFile: (name, path, request = {}) => {
      open();
      const wanted = skills.find(name);
      const known = wanted.kind === "found" ? wanted.entry.skill.name : name;
      const held = ledger.some((one) => one.given === "text" && one.name === known);
      return skills.loadFile(name, path, held ? { ...request, by: "user" } : request);
    },
    search: (query, request) => {
      open();
      return skills.search(query, request);
    },
    searchTool: (query, request = {}) => {
      open();
      const text = skills.searchTool?.(query, request) ?? null;
      const { autoLoad } = text === null ? { autoLoad: null } : skills.search(query);
      const loaded =
        autoLoad === null ? null : skills.load(autoLoad, { approved: request.approved === true });
      const entry = loaded?.status === "loaded" ? entryAt(loaded.name) : undefined;
      if (loaded !== null && entry !== undefined) {
        const { name, location, digest } = entry.skill;
        const tokens = skills.counter.count(loaded.output);
        add({ name, location, digest, by: "model", arguments: "", given: "text", tokens }, loaded.output);
      }
      return text;
    },
    dryRun: (name) => {
      open();
      const lookup = skills.find(name);
      if (lookup.kind !== "found") return null;
      const commands = skills.dynamicCommands(lookup.entry.skill).map(({ command }) => command);
      return { commands: [...new Set(commands)], policy: policy(), trusted: mayRunCommands(lookup.entry) };
    },
    start: async ({ signal } = {}) => {
      open();
      if (started) return { parts: [], injected: [], diagnostics: [] };
      const { parts, injected, diagnostics } = await expand("", signal === undefined ? {} : { signal });
      return { parts: parts.filter(({ origin }) => origin === "preload"), injected, diagnostics };
    },
    expand,
    note: (name, brought) => {
      open();
      checkText("note", "a name", name);
      checkNote(brought);
      const { by, text, arguments: words = "" } = brought;
      const entry = entryAt(name);
      if (entry === undefined) return;
      const { location, digest } = entry.skill;
      const tokens = skills.counter.count(text);
      add({ name, location, digest, by, arguments: words, given: "text", tokens }, text);
    },
    afterCompaction,
    guidance: (request) => {
      open();
      const next = skills.guidance(guidance, request);
      guidance = next.state;
      return next;
    },
    mayRead: (path) => {
      open();
      return judgeRead(path, readable());
    },
    get readableFolders() {
      return [...readable().keys()];
    },
    use: (next) => {
      open();
      skills = next;
      started = false;
    },
    record: () => {
      open();
      return { version: 1, profile: skills.snapshot.profile, activations: ledger, guidance, started };
    },
    close: () => {
      closed = true;
      texts.clear();
      ledger = [];
    },
  };
}
