import type { TokenCounter } from "../catalog/token-counter.ts";
import { escapeXml } from "../text/escape-xml.ts";
import { cutLoad } from "./cut-load.ts";
import { systemReminder } from "./expand.ts";

export interface RestoreLimits {
  /** Tokens of one skill's text. */
  readonly skillTokens: number;
  /** Tokens of everything that is restored. */
  readonly totalTokens: number;
}

/** A skill that a conversation had before it was shortened. */
export interface RestoreCandidate {
  readonly name: string;
  readonly location: string;
  /** Its text as a load gives it now; null when it can't be given any more. */
  readonly text: string | null;
  /** Why not, one sentence; null when `text` is there. */
  readonly why: string | null;
}

export interface RestoredSkill {
  readonly name: string;
  readonly location: string;
  readonly state: "full" | "cut" | "left-out";
  /** Of its part of the text. */
  readonly tokens: number;
  /** Why it is not whole, one sentence; null when it is. */
  readonly reason: string | null;
}

/** What to put into a conversation after it was shortened. */
export interface RestorePlan {
  /** One text for the model; "" when there is nothing to say. */
  readonly text: string;
  readonly tokens: number;
  /** Newest first. */
  readonly skills: readonly RestoredSkill[];
}

/** Less of a text than this many tokens is not worth giving. */
const leastTokens = 200;

const heading =
  "Earlier parts of this conversation were shortened. The skills below were loaded in them, the latest first; they still hold.";

/**
 * Which skills come back after a compaction, and how much of them: newest first, each within its limit, all within the
 * whole. What is cut or left out is said, with how to get it. `tokens` never exceeds `totalTokens`.
 */
export function planRestore(
  candidates: readonly RestoreCandidate[],
  options: { readonly limits: RestoreLimits; readonly counter: TokenCounter },
): RestorePlan {
  const { limits, counter } = options;
  const total = bound(limits.totalTokens);
  const skills: RestoredSkill[] = [];
  const texts: string[] = [];
  const compose = (more: readonly string[], out: readonly string[]): string =>
    more.length === 0 && out.length === 0
      ? ""
      : systemReminder([heading, ...more, ...leftOutLine(out)].join("\n\n"));
  const givable = candidates.filter(({ text }) => text !== null);
  // Room for the names of all, should none of them fit.
  const frame = counter.count(
    compose(
      [],
      givable.map(({ name }) => name),
    ),
  );
  let left = total - frame;
  const out: string[] = [];
  for (const { name, location, text, why } of candidates) {
    if (text === null) {
      skills.push({ name, location, state: "left-out", tokens: 0, reason: why });
      continue;
    }
    const room = Math.min(bound(limits.skillTokens), left);
    const whole = counter.count(`\n\n${text}`);
    const cut =
      whole <= room ? null : room < leastTokens ? "" : cutLoad(text, { name, tokens: room - 1, counter });
    if (cut === "") {
      out.push(name);
      const reason = `Not restored because ${limits.totalTokens} tokens are the limit for all skills together.`;
      skills.push({ name, location, state: "left-out", tokens: 0, reason });
      continue;
    }
    const given = cut ?? text;
    const tokens = counter.count(`\n\n${given}`);
    texts.push(given);
    left -= tokens;
    const reason =
      cut === null
        ? null
        : `Cut from ${counter.count(text)} to ${counter.count(given)} tokens to keep within the limit.`;
    skills.push({ name, location, state: cut === null ? "full" : "cut", tokens, reason });
  }
  const text = compose(texts, out);
  if (text === "" || counter.count(text) <= total) return { text, tokens: counter.count(text), skills };
  // Not even the names fit.
  return {
    text: "",
    tokens: 0,
    skills: skills.map((one) => ({
      ...one,
      state: "left-out",
      tokens: 0,
      reason:
        one.reason ??
        `Not restored because ${limits.totalTokens} tokens are the limit for all skills together.`,
    })),
  };
}

function leftOutLine(names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  return [
    `Not repeated to save room: ${names.map(escapeXml).join(", ")}. Load one again with the skill tool when you need it.`,
  ];
}

function bound(tokens: number): number {
  return Number.isNaN(tokens) ? 0 : Math.max(0, Math.floor(tokens));
}
