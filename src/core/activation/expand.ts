import { type Diagnostic, noDiagnostics } from "../diagnostic.ts";
import type { Root } from "../discovery/root.ts";
import type { Environment } from "../environment.ts";
import type { FileSystem } from "../file-system.ts";
import type { ReservedCommand, VisibleSkill } from "../profile.ts";
import type { Skill } from "../snapshot.ts";
import type { Activation, Activator } from "./activation-ledger.ts";

/** A file that goes with a message. */
export interface AttachedFile {
  /** As the user gave it; its last part is the file's name. */
  readonly path: string;
  /** Null when nobody said. */
  readonly mime: string | null;
}

/** A skill whose text a conversation holds already. */
export interface GivenSkill {
  readonly name: string;
  /** Of SKILL.md at that time. */
  readonly digest: string;
}

/** UTF-16 offsets of a part of a text, `end` behind it. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

export interface ExpandRequest {
  readonly message: string;
  readonly attachments: readonly AttachedFile[];
  /** Files in play. */
  readonly touched: readonly string[];
  /** What earlier messages of the conversation gave; these bodies are not repeated. */
  readonly given: readonly GivenSkill[];
  readonly entries: readonly VisibleSkill[];
  readonly reserved: readonly ReservedCommand[];
  readonly roots: readonly Root[];
  readonly environment: Environment;
  readonly fileSystem: FileSystem;
  /** Files named in one injected body. */
  readonly fileLimit: number;
  /** Null when the file can no longer be read. */
  readonly body: (skill: Skill) => string | null;
  /** Code, addresses and other places of Markdown where a slash names no skill, in order (port of the host). */
  readonly literals: (text: string) => readonly TextSpan[];
}

/** Why a part is in the message. */
export type PartOrigin = "user" | "mention" | "orchestration" | "attachment" | "reminder" | "preload";

export interface MessagePart {
  readonly type: "text";
  readonly text: string;
  /** Not typed by the user and not shown. */
  readonly synthetic: boolean;
  readonly origin: PartOrigin;
}

/** A skill that came with a message. */
export interface SkillUse {
  readonly name: string;
  readonly by: Activator;
  readonly arguments: string;
  readonly given: Activation["given"];
  /** Place in `parts` of what was given. */
  readonly part: number;
}

/** A message as it is sent. */
export interface Expansion {
  /** What a person sees. */
  readonly visibleText: string;
  /** In the order in which they are sent. */
  readonly parts: readonly MessagePart[];
  /** Names of skills that the message calls, in order of appearance. */
  readonly mentioned: readonly string[];
  /** Those whose text is in the parts. */
  readonly injected: readonly string[];
  /** Who brought which skill, for a session's record; absent = the profile does not say. */
  readonly uses?: readonly SkillUse[];
  readonly diagnostics: readonly Diagnostic[];
}

export function userPart(text: string): MessagePart {
  return { type: "text", text, synthetic: false, origin: "user" };
}

export function syntheticPart(origin: PartOrigin, text: string): MessagePart {
  return { type: "text", text, synthetic: true, origin };
}

/** The frame in which agents put what the user did not type. */
export function systemReminder(text: string): string {
  return `<system-reminder>\n${text}\n</system-reminder>`;
}

/** A message that nothing is done to. */
export function plainExpansion(message: string): Expansion {
  return {
    visibleText: message,
    parts: [userPart(message)],
    mentioned: [],
    injected: [],
    diagnostics: noDiagnostics,
  };
}

/** A message that begins with a slash command: its name and what follows, as typed; null for any other. */
export function leadingCommand(message: string): { readonly name: string; readonly rest: string } | null {
  const found = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(message);
  return found === null ? null : { name: found[1] ?? "", rest: found[2] ?? "" };
}
