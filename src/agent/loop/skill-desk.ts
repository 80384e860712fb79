import {
  type Activation,
  type Activator,
  heldText,
  type Ledger,
  latestTexts,
  recorded,
} from "../../core/activation/activation-ledger.ts";
import type { Expansion, GivenSkill } from "../../core/activation/expand.ts";
import { planRestore, type RestorePlan } from "../../core/activation/restore-plan.ts";
import { autoLoadFrom } from "../../core/search/decide.ts";
import { escapeXml } from "../../core/text/escape-xml.ts";
import { skillTools } from "../../core/tools/skill-tool-set.ts";
import type { SkillTool } from "../../core/tools/tool.ts";
import type { ToolSource } from "../../core/tools/tool-source.ts";
import { restoreCandidate } from "../../host/session/restore-candidate.ts";
import type { Skills } from "../../host/skills.ts";

export interface DeskPorts {
  skills(): Skills;
  ledger(): Ledger;
  /** Takes a new entry of the ledger, with how it came about. */
  record(activation: Activation, why: string): void;
  allow(name: string): Promise<boolean>;
}

/** The skills of one conversation: tools that remember what was given, and what to bring back after a compaction. */
export interface SkillDesk {
  tools(): readonly SkillTool[];
  /** Puts the skills that a message brought into the ledger. */
  expanded(expansion: Expansion): void;
  /** Skills whose text the conversation holds. */
  given(): readonly GivenSkill[];
  /** Loaded skills whose file has another content now, or is gone. */
  outdated(): readonly Outdated[];
  restore(): { readonly plan: RestorePlan; readonly kept: readonly Activation[] };
}

export interface Outdated {
  readonly name: string;
  /** "waits": there is a new text, and it waits for the user's trust. */
  readonly now: "gone" | "waits" | "changed";
  readonly digest: string | null;
}

export function createSkillDesk(ports: DeskPorts): SkillDesk {
  const entryOf = (name: string) =>
    ports.skills().entries.find(({ skill }) => skill.name === name)?.skill ?? null;
  const note = (
    name: string,
    more: {
      readonly by: Activator;
      readonly given: Activation["given"];
      readonly text: string;
      readonly arguments: string;
      readonly why: string;
    },
  ): void => {
    const skill = entryOf(name);
    if (skill === null) return;
    const next = recorded(ports.ledger(), {
      name,
      location: skill.location,
      digest: skill.digest,
      by: more.by,
      arguments: more.arguments,
      given: more.given,
      tokens: ports.skills().counter.count(more.text),
    }).at(-1);
    if (next !== undefined) ports.record(next, more.why);
  };
  const load = (
    name: string,
    options: { readonly approved?: boolean; readonly arguments?: string; readonly again?: boolean },
    why: string,
  ) => {
    const given = options.arguments ?? "";
    const loaded = ports
      .skills()
      .load(name, { approved: options.approved === true, arguments: given, by: "model" });
    if (loaded.status !== "loaded") return loaded;
    const skill = entryOf(loaded.name);
    const held = skill === null ? null : heldText(ports.ledger(), { ...skill, arguments: given });
    if (held !== null && options.again !== true) {
      const output = `The text of the skill "${escapeXml(loaded.name)}" was given earlier in this conversation and has not changed. Follow it; set \`again\` to true only if you no longer see it.`;
      note(loaded.name, { by: "model", given: "note", text: output, arguments: given, why });
      return { ...loaded, output };
    }
    note(loaded.name, { by: "model", given: "text", text: loaded.output, arguments: given, why });
    return loaded;
  };
  const source: ToolSource = {
    get profile() {
      return ports.skills().profile;
    },
    get entries() {
      return ports.skills().entries;
    },
    remembers: true,
    load: (name, options) => load(name, options, "the model called `skill`"),
    search: (query, options) => ports.skills().search(query, options),
    searchTool: (query, options) => {
      const answer = ports.skills().searchTool?.(query, { approved: options.approved === true }) ?? null;
      if (answer === null) return null;
      const { autoLoad } = ports.skills().search(query);
      if (
        autoLoad !== null &&
        ports.skills().load(autoLoad, { approved: options.approved === true }).status === "loaded"
      )
        note(autoLoad, {
          by: "model",
          given: "text",
          text: answer,
          arguments: "",
          why: `\`skill_search\` for “${query}” was sure of it`,
        });
      return answer;
    },
    loadFile: (name, path, options) =>
      ports.skills().loadFile(name, path, { approved: options.approved === true }),
  };
  const allow = ({ patterns: [name = ""] }: { readonly patterns: readonly string[] }) => ports.allow(name);
  return {
    tools: () =>
      skillTools(source, { allow, names: "text" }).map((tool) =>
        tool.name === "skill_search" ? sureSearch(tool) : tool,
      ),
    expanded(expansion) {
      for (const name of expansion.injected) {
        const part = expansion.parts.find(
          ({ text, synthetic }) => synthetic && text.includes(`name="${escapeXml(name)}"`),
        );
        const by: Activator = part?.origin === "preload" ? "preload" : "user";
        const waits = ports.skills().entries.some(({ skill, trusted }) => skill.name === name && !trusted);
        const unseen = waits ? ", though it is not trusted yet" : "";
        const why = by === "preload" ? "preloaded" : `your message names /${name}${unseen}`;
        note(name, { by, given: "text", text: part?.text ?? "", arguments: "", why });
      }
    },
    given: () =>
      latestTexts(ports.ledger().filter(({ inContext }) => inContext)).map(({ name, digest }) => ({
        name,
        digest,
      })),
    outdated: () =>
      latestTexts(ports.ledger().filter(({ inContext }) => inContext)).flatMap(
        ({ name, location, digest }): readonly Outdated[] => {
          const entry = ports.skills().entries.find(({ skill }) => skill.location === location);
          if (entry === undefined) return [{ name, now: "gone", digest: null }];
          if (entry.skill.digest === digest) return [];
          return [
            {
              name,
              now: entry.trusted ? "changed" : "waits",
              digest: entry.skill.digest,
            },
          ];
        },
      ),
    restore() {
      const skills = ports.skills();
      const texts = latestTexts(ports.ledger().filter(({ inContext }) => inContext));
      const candidates = texts.map((activation) => restoreCandidate(skills, activation, null));
      const plan = planRestore(candidates, {
        limits: skills.configuration.compaction,
        counter: skills.counter,
      });
      const last = ports.ledger().at(-1)?.order ?? 0;
      const kept = texts
        .filter(({ location }) =>
          plan.skills.some((one) => one.location === location && one.state === "full"),
        )
        .reverse()
        .map((activation, index) => ({ ...activation, order: last + index + 1, inContext: true }));
      return { plan, kept };
    },
  };

  /** Our own search loads what it is sure of, as the mirrored one does by itself. */
  function sureSearch(tool: SkillTool): SkillTool {
    return {
      ...tool,
      execute: async (input, options = {}) => {
        const found = await tool.execute(input, options);
        const query = typeof input === "object" && input !== null ? Reflect.get(input, "query") : undefined;
        if (
          found.isError ||
          found.status !== "found" ||
          typeof query !== "string" ||
          ports.skills().profile.search !== undefined
        )
          return found;
        const { results, autoLoad } = ports.skills().search(query);
        const [first] = results;
        const name =
          autoLoad ?? (first !== undefined && first.probability >= autoLoadFrom ? first.name : null);
        if (name === null) return found;
        const why = `\`skill_search\` for “${query}” was sure of it`;
        const once = load(name, {}, why);
        const loaded =
          once.status === "ask" && (await ports.allow(once.name))
            ? load(name, { approved: true }, why)
            : once;
        if (loaded.status !== "loaded") return found;
        return {
          ...found,
          text: `${found.text}\n\nThe first one fits so well that it was loaded:\n${loaded.output}`,
          skill: loaded.name,
        };
      },
    };
  }
}
