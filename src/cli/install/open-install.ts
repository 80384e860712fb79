import { SkilletError } from "../../core/error.ts";
import { openPolicy, type Policy } from "../../core/policy/policy.ts";
import { readPolicy } from "../../core/policy/read-policy.ts";
import type { Skills } from "../../host/skills.ts";
import { createInstallTools } from "../../remote/install/create-tools.ts";
import { type InstallScope, installScope, usualScope } from "../../remote/install/install-scope.ts";
import { loadLock } from "../../remote/install/load-lock.ts";
import { rememberedOrigins } from "../../remote/install/remembered-origins.ts";
import type { Take, Whose } from "../../remote/install/take.ts";
import type { Context } from "../command.ts";
import { usageError } from "../usage-error.ts";

export type Tools = ReturnType<typeof createInstallTools>;

export interface Install {
  readonly skills: Skills;
  readonly scope: InstallScope;
  readonly tools: Tools;
}

/**
 * Opens what an installing command works with, runs it and closes it again. Ctrl-C ends what it fetches; what it wrote
 * is whole either way. `own`: addresses named on the command line.
 */
export async function withInstall(
  context: Context,
  options: { readonly own?: readonly string[]; readonly usual: "project" | "where-the-lock-is" },
  work: (install: Install) => Promise<number>,
): Promise<number> {
  const skills = await context.skills();
  const { environment } = skills;
  const scope = scopeOf(context, environment, options.usual);
  const stop = new AbortController();
  const release = context.io.onStop?.(() => stop.abort());
  const tools = createInstallTools({
    environment,
    policy: policyOf(skills),
    own: [...(options.own ?? []), ...knownAddresses(scope, environment)],
    signal: stop.signal,
  });
  try {
    sayScope(context, { skills, scope }, options.usual);
    const code = await work({ skills, scope, tools });
    return stop.signal.aborted ? 130 : code;
  } catch (error) {
    if (stop.signal.aborted) throw new SkilletError("cancelled", "Cancelled. Nothing was changed.");
    throw error;
  } finally {
    release?.();
    tools.close();
  }
}

/** The policy of the settings: what the user and the administrator allow of skills from elsewhere. */
export function policyOf({ configuration }: Skills): Policy {
  if (Object.keys(configuration.policy).length === 0) return openPolicy;
  return readPolicy(configuration.policy, configuration.origin.policy?.path ?? null).value;
}

function scopeOf(
  context: Context,
  environment: Skills["environment"],
  usual: "project" | "where-the-lock-is",
): InstallScope {
  const [to, second] = context.flags.texts("to");
  if (second !== undefined)
    throw usageError(
      "--to takes one scope here: project or user.",
      "Agents are named with --agents, as in --agents claude,codex.",
    );
  if (to !== undefined) return installScope(to, environment);
  if (context.flags.on("user")) return installScope("user", environment);
  return usual === "project" ? installScope("workspace", environment) : usualScope(environment);
}

/** Says so where a command works on the user's skills although nobody asked for that: the project has no lock. */
function sayScope(
  context: Context,
  { skills, scope }: Pick<Install, "skills" | "scope">,
  usual: "project" | "where-the-lock-is",
): void {
  const isChosen = context.flags.on("user") || context.flags.texts("to").length > 0;
  if (usual === "project" || isChosen || scope.name !== "user") return;
  if (installScope("workspace", skills.environment).name === "user") return;
  context.note("There is no skillet.lock in this project, so this is about your own skills (--to user).");
}

/** What the user's own lock names was named by the user before; of a project's lock only what this user installed from. */
function knownAddresses(scope: InstallScope, environment: Skills["environment"]): readonly string[] {
  const remembered = rememberedOrigins(environment);
  if (scope.name === "workspace") return remembered;
  try {
    return [...remembered, ...[...loadLock(scope).data.skills.values()].flatMap(({ url }) => url ?? [])];
  } catch {
    // The command itself says what is wrong with the lock.
    return remembered;
  }
}

/** How links and copies were asked for. */
export function methodOf(context: Context): "link" | "copy" {
  if (context.flags.on("copy") && context.flags.on("link"))
    throw usageError("--copy and --link exclude each other.", null);
  return context.flags.on("copy") ? "copy" : "link";
}

/** `--take mine`, `--take new=SKILL.md`: who wins, in all files or in one. A file belongs to one skill. */
export function takeOf(context: Context, names: readonly string[] | null = null): Take {
  let all: Whose | null = null;
  const files = new Map<string, Whose>();
  for (const text of context.flags.texts("take")) {
    const cut = text.indexOf("=");
    const word = cut < 0 ? text : text.slice(0, cut);
    const whose = whoWins.find((one) => one === word);
    if (whose === undefined) {
      const hint = "mine and new decide where both changed the same, source takes what the source has.";
      throw usageError(`--take takes mine, new or source, not "${word.slice(0, 40)}".`, hint);
    }
    if (cut < 0) all = whose;
    else if (cut + 1 < text.length) files.set(text.slice(cut + 1).normalize("NFC"), whose);
    else throw usageError("--take WHOSE=FILE needs a file.", null);
  }
  if (files.size > 0 && names?.length !== 1)
    throw usageError(
      "--take WHOSE=FILE goes with one NAME of skillet update.",
      "skillet update NAME --take mine=FILE",
    );
  return { all, files };
}

const whoWins: readonly Whose[] = ["mine", "new", "source"];
