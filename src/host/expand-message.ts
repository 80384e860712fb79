import {
  type ExpandRequest,
  type Expansion,
  type GivenSkill,
  type MessagePart,
  plainExpansion,
  type SkillUse,
  syntheticPart,
  type TextSpan,
} from "../core/activation/expand.ts";
import { findName, lookUp } from "../core/activation/find-name.ts";
import { startFindings } from "../core/activation/start-findings.ts";
import type { Diagnostic } from "../core/diagnostic.ts";
import { makeDiagnostic } from "../core/diagnostics/make.ts";
import type { Preparation, Profile } from "../core/profile.ts";
import { closestNames } from "../core/text/closest-names.ts";
import type { ExpandOptions, Skills } from "./skills.ts";

export interface ExpandContext
  extends Pick<ExpandRequest, "entries" | "environment" | "fileSystem" | "fileLimit" | "touched" | "body"> {
  readonly profile: Profile;
  readonly preparation: Preparation;
  readonly load: Skills["load"];
}

/** A message expanded by the profile's rules, with skills that are to be given before it (`--preload`). */
export async function expandMessage(
  message: string,
  options: ExpandOptions,
  context: ExpandContext,
): Promise<Expansion> {
  const { profile, preparation, entries, environment, fileSystem, fileLimit, body } = context;
  const begun = options.begin === true ? startOf(context) : { names: [], diagnostics: [] };
  const before = preloaded([...begun.names, ...(options.preload ?? [])], options.given ?? [], context);
  const literals = message.includes("/") ? await literalsOf(message) : () => [];
  const expanded =
    profile.expand?.({
      message,
      attachments: options.attachments ?? [],
      touched: [...context.touched, ...(options.touched ?? [])],
      given: [...(options.given ?? []), ...before.given],
      entries,
      reserved: preparation.commands,
      roots: preparation.roots,
      environment,
      fileSystem,
      fileLimit,
      body,
      literals,
    }) ?? plainExpansion(message);
  return {
    ...expanded,
    parts: [...before.parts, ...expanded.parts],
    uses: [
      ...before.given.map(
        ({ name }, part): SkillUse => ({ name, by: "preload", arguments: "", given: "text", part }),
      ),
      ...(expanded.uses ?? usesOf(expanded)).map((use) => ({ ...use, part: use.part + before.parts.length })),
    ],
    injected: [...new Set([...before.given.map(({ name }) => name), ...expanded.injected])],
    diagnostics: [...begun.diagnostics, ...before.diagnostics, ...expanded.diagnostics],
  };
}

/** The skills of the agent's file that are there, and word on those that are not. */
function startOf({ profile, preparation, entries }: ExpandContext): {
  readonly names: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const names = (preparation.start?.skills ?? []).filter((name) => {
    const lookup = lookUp(profile, entries, name);
    return lookup.kind === "found" && lookup.entry.hidden === null && lookup.entry.permission !== "deny";
  });
  return { names, diagnostics: startFindings(preparation.start, { profile, entries }) };
}

/** Profiles that say nothing of it: each part of a mention holds the next injected text, or all stand in the first part. */
function usesOf({ parts, injected }: Expansion): readonly SkillUse[] {
  const mentions = parts.flatMap(({ origin }, at) => (origin === "mention" ? [at] : []));
  return injected.map((name, at) => ({
    name,
    by: "user",
    arguments: "",
    given: "text",
    part: mentions[at] ?? 0,
  }));
}

/** The parser is loaded on first use. */
async function literalsOf(message: string): Promise<(text: string) => readonly TextSpan[]> {
  const { markdownLiterals } = await import("./markdown-literals.ts");
  const spans = markdownLiterals(message);
  return (text) => (text === message ? spans : markdownLiterals(text));
}

interface Preloaded {
  readonly parts: readonly MessagePart[];
  readonly given: ExpandRequest["given"];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Full texts as a load by the user gives them, without what the conversation has; a name that gives none is an error, and
 * the others still count.
 */
function preloaded(
  names: readonly string[],
  held: readonly GivenSkill[],
  { entries, load }: ExpandContext,
): Preloaded {
  const parts: MessagePart[] = [];
  const given: { name: string; digest: string }[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const name of new Set(names)) {
    const loaded = load(name, { by: "user" });
    if (loaded.status === "loaded") {
      if (given.some((one) => one.name === loaded.name)) continue;
      const digest = entries.find(({ skill }) => skill.name === loaded.name)?.skill.digest ?? "";
      if (held.some((one) => one.name === loaded.name && one.digest === digest)) continue;
      parts.push(syntheticPart("preload", loaded.output));
      given.push({ name: loaded.name, digest });
    } else if (loaded.status === "unknown") {
      const lookup = findName(entries, name);
      const known = entries.filter(({ hidden }) => hidden === null).map(({ skill }) => skill.name);
      const near = lookup.kind === "ambiguous" ? lookup.names : closestNames(name, known, 3);
      diagnostics.push(
        makeDiagnostic("expand/unknown-skill", {
          path: null,
          message: `There is no skill "${name}" to give with the message.`,
          ...(near.length === 0 ? {} : { hint: `Did you mean ${near.join(", ")}?` }),
        }),
      );
    } else {
      diagnostics.push(
        makeDiagnostic("expand/not-given", { path: null, severity: "error", message: loaded.output }),
      );
    }
  }
  return { parts, given, diagnostics };
}
