import { contains } from "../../core/path.ts";
import {
  evaluate,
  isStricter,
  type PermissionAction,
  type PermissionRule,
} from "../../core/visibility/permission.ts";
import { coversCommand, dangerInText, dangerOf, onlyLooks, rememberedCommand } from "./command-risk.ts";
import { readShellLine, type ShellCommand } from "./shell-words.ts";
import type { Workspace } from "./workspace.ts";

/** What a tool is about to do. */
export type Action =
  | { readonly kind: "read" | "edit"; readonly path: string }
  | { readonly kind: "bash"; readonly command: string }
  | { readonly kind: "fetch"; readonly url: string }
  | { readonly kind: "skill"; readonly name: string }
  | { readonly kind: "other"; readonly permission: string };

/** The answer before anyone is asked. */
export interface Judgement {
  readonly action: PermissionAction;
  /** The word of the rules. */
  readonly permission: string;
  /** What it is about, as rules and people name it. */
  readonly patterns: readonly string[];
  /** What an answer "always" stores; empty = it cannot be given. */
  readonly always: readonly string[];
  /** Why it is asked for or refused, as part of a sentence; null = by a rule. */
  readonly reason: string | null;
}

export interface JudgeFacts {
  readonly workspace: Workspace;
  /** All rules in order: defaults, then the user's. */
  readonly rules: readonly PermissionRule[];
  /** How many of them are defaults. */
  readonly defaults: number;
  /** Rules that nothing relaxes. */
  readonly limits: readonly PermissionRule[];
  /** Earlier answers "always". */
  readonly saved: readonly PermissionRule[];
  /** Folders that may be read without asking: those of the skills on offer. */
  readonly readable: readonly string[];
}

/** Places inside a project whose change runs code or moves rules. */
const delicate = /^(?:\.git(?:\/|$)|\.skillet(?:\/|$)|skillet\.jsonc?$)|(?:^|\/)(?:\.envrc|\.husky\/)/;

/** Decides about one action; pure but for links that are resolved. A `deny` stands above everything. */
export function judge(action: Action, facts: JudgeFacts): Judgement {
  switch (action.kind) {
    case "read":
    case "edit":
      return judgeFile(action.kind, action.path, facts);
    case "bash":
      return judgeCommand(action.command, facts);
    case "fetch":
      return judgeFetch(action.url, facts);
    case "skill":
      return judgePlain("skill", action.name, { facts, always: [action.name] });
    case "other":
      return judgePlain(action.permission, "*", { facts, always: [] });
  }
}

function judgePlain(
  permission: string,
  pattern: string,
  { facts, always }: { readonly facts: JudgeFacts; readonly always: readonly string[] },
): Judgement {
  const { action } = answer(permission, pattern, facts);
  const lifted =
    action === "ask" && facts.saved.some((one) => one.permission === permission && one.pattern === pattern);
  return {
    action: lifted ? "allow" : action,
    permission,
    patterns: [pattern],
    always: storable(always),
    reason: null,
  };
}

function judgeFile(kind: "read" | "edit", path: string, facts: JudgeFacts): Judgement {
  const { workspace } = facts;
  const relative = workspace.inside(path);
  const real = workspace.real(workspace.absolute(path));
  const pattern = relative ?? real;
  const shown = relative === "" ? "." : pattern;
  const { action, byDefault } = answer(kind, shown, facts);
  const base = { permission: kind, patterns: [shown] };
  if (action === "deny") return { ...base, action, always: [], reason: null };
  if (kind === "edit") {
    if (relative === null)
      return { ...base, action: "ask", always: [], reason: "it lies outside the working folder" };
    if (delicate.test(relative))
      return { ...base, action: "ask", always: [], reason: "a change there can run code or move rules" };
    const lifted =
      action === "ask" && facts.saved.some((one) => one.permission === "edit" && one.pattern === ".");
    return { ...base, action: lifted ? "allow" : action, always: ["."], reason: null };
  }
  if (relative !== null) {
    const lifted =
      action === "ask" && facts.saved.some((one) => one.permission === "read" && one.pattern === shown);
    return { ...base, action: lifted ? "allow" : action, always: storable([shown]), reason: null };
  }
  if (facts.readable.some((folder) => contains(folder, real)))
    return { ...base, action: "allow", always: [], reason: null };
  const always = storable([real]);
  if (facts.saved.some((one) => one.permission === "read" && contains(one.pattern, real)))
    return { ...base, action: "allow", always, reason: null };
  if (!byDefault) return { ...base, action, always, reason: null };
  return { ...base, action: "ask", always, reason: "it lies outside the working folder" };
}

function judgeCommand(text: string, facts: JudgeFacts): Judgement {
  const { commands, plain } = readShellLine(text);
  const patterns = plain && commands.length > 0 ? commands.map(lineOf) : [text.trim()];
  const base = { permission: "bash", patterns };
  const answers = [text.trim(), ...patterns].map((pattern) => answer("bash", pattern, facts));
  if (answers.some(({ action }) => action === "deny"))
    return { ...base, action: "deny", always: [], reason: null };
  const danger = plain
    ? commands.reduce<string | null>(
        (found, command, index) => found ?? dangerOf(command, commands[index - 1] ?? null),
        null,
      )
    : dangerInText(text);
  if (danger !== null) return { ...base, action: "ask", always: [], reason: danger };
  const outside = plain ? commands.flatMap((command) => outsidePaths(command, facts.workspace)) : [];
  const looks = plain && commands.every(onlyLooks);
  const readable = (path: string): boolean =>
    facts.readable.some((folder) => contains(folder, facts.workspace.real(facts.workspace.absolute(path))));
  const strange = outside.filter((path) => !(looks && readable(path)));
  if (strange.length > 0)
    return { ...base, action: "ask", always: [], reason: `${strange[0]} lies outside the working folder` };
  const waits = answers.slice(1).map(({ action, byDefault }, index) => {
    const command = commands[index];
    if (action !== "ask" || command === undefined || !plain) return action === "ask";
    if (byDefault && onlyLooks(command) && !touchesSecrets(command)) return false;
    return !facts.saved.some((one) => one.permission === "bash" && coversCommand(one.pattern, command));
  });
  // A rule for the whole line counts where it is taken apart too.
  if (answers[0]?.action === "allow" && !answers[0].byDefault && plain === false)
    return { ...base, action: "allow", always: [], reason: null };
  if (!waits.includes(true)) return { ...base, action: "allow", always: [], reason: null };
  const always = plain
    ? [...new Set(commands.filter((_, index) => waits[index] === true).map(rememberedCommand))]
    : [];
  return {
    ...base,
    action: "ask",
    always: storable(always),
    reason: plain ? null : "what it runs cannot be told from its text",
  };
}

function judgeFetch(url: string, facts: JudgeFacts): Judgement {
  const origin = originOf(url);
  const { action } = answer("fetch", url, facts);
  const lifted =
    action === "ask" && facts.saved.some((one) => one.permission === "fetch" && one.pattern === origin);
  return {
    action: lifted ? "allow" : action,
    permission: "fetch",
    patterns: [url],
    always: storable(origin === "" ? [] : [origin]),
    reason: null,
  };
}

function originOf(url: string): string {
  try {
    return new URL(url).origin;
  } catch {
    return "";
  }
}

/** The rules' answer, as strict as the agent's limits; and whether only a default said it. */
function answer(
  permission: string,
  pattern: string,
  { rules, defaults, limits }: JudgeFacts,
): { readonly action: PermissionAction; readonly byDefault: boolean } {
  const found = evaluate(rules, permission, pattern);
  const limit = limits.length === 0 ? "allow" : evaluate(limits, permission, pattern).action;
  const byDefault = found.index === null || found.index < defaults;
  return isStricter(limit, found.action) ? { action: limit, byDefault } : { action: found.action, byDefault };
}

/** Arguments and targets that lead out of the working folder. Options that hold a path count too. */
function outsidePaths(
  { words, writes, reads, globs }: ShellCommand,
  workspace: Workspace,
): readonly string[] {
  const candidates = [
    ...words
      .slice(1)
      .map((word) => (word.startsWith("-") && word.includes("=") ? word.slice(word.indexOf("=") + 1) : word)),
    ...writes,
    ...reads,
  ];
  return candidates.filter((word) => {
    if (word.startsWith("/dev/null") || /^[a-z][a-z+.-]*:\/\//i.test(word)) return false;
    // Another user's home; upward, which leads elsewhere behind a link; and patterns that match `..`.
    if (/^~[^/]|(?:^|\/)\.\.(?:\/|$)/.test(word)) return true;
    if (globs.includes(word) && /(?:^|\/)\.[^/]*[*?[]/.test(word)) return true;
    return workspace.inside(word) === null;
  });
}

/** Files that a look should not show without a question. */
function touchesSecrets({ words }: ShellCommand): boolean {
  return words.some((word) => /(?:^|\/)\.env(?:$|\.(?!example))|\bid_(?:rsa|ed25519)\b|\.pem$/.test(word));
}

function lineOf({ words }: ShellCommand): string {
  return words.join(" ");
}

/** A stored pattern with a star could allow more than was asked; such answers hold once. */
function storable(always: readonly string[]): readonly string[] {
  return always.some((pattern) => /[*?]/.test(pattern)) ? [] : always;
}
