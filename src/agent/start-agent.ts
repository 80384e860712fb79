import { findRepository } from "../core/discovery/repository.ts";
import { SkilletError } from "../core/error.ts";
import { closestNames } from "../core/text/closest-names.ts";
import { approvalFolder } from "../host/approve-always.ts";
import { createFileSystem } from "../host/node-file-system.ts";
import { openSkills } from "../host/open-skills.ts";
import type { OpenOptions, Skills } from "../host/skills.ts";
import { type Agent, openAgent } from "./loop/agent.ts";
import type { Answer, Question } from "./loop/events.ts";
import { chooseModel } from "./model/choose-model.ts";
import type { ModelChoice } from "./model/model-choice.ts";
import { readProviders } from "./model/providers.ts";
import { type StreamOptions, sdkModel } from "./model/stream-model.ts";
import { agentKinds } from "./permission/agents.ts";
import { createSession, openSession, type SessionFile } from "./session/session-file.ts";
import {
  findSession,
  listSessions,
  newSessionId,
  sessionFolder,
  sessionPath,
} from "./session/session-store.ts";

export interface StartOptions {
  readonly open: OpenOptions;
  /** `--model`; null = not given. */
  readonly model: string | null;
  /** `--agent`; null = that of the resumed session, else `build`. */
  readonly agent: string | null;
  readonly resume: { readonly id: string } | "last" | null;
  readonly ask: ((question: Question) => Promise<Answer>) | null;
  readonly assumeYes: boolean;
  readonly schema: unknown;
  readonly watch: boolean;
  /** For tests: waits between attempts. */
  readonly stream?: StreamOptions;
}

export interface Started {
  readonly agent: Agent;
  readonly file: SessionFile;
  readonly resumed: boolean;
  /** Where sessions of this project lie. */
  readonly folder: string;
  /** A choice by name, as `/model` takes it; throws `SkilletError` like the first one. */
  choose(name: string): ModelChoice;
}

/** The usual agent. */
export const defaultAgent = "build";

/**
 * Chooses the model, opens the session and the agent. Everything that may be wrong is found before anything is written:
 * throws `SkilletError` ("config" without a model, "not-found" for a session).
 */
export function startAgent(options: StartOptions): Started {
  const probe = openSkills({ ...options.open, agent: options.agent ?? defaultAgent });
  try {
    const choose = modelChooser(probe);
    const { environment } = probe;
    const root = approvalFolder(findRepository(createFileSystem(), environment.cwd), environment);
    const folder = sessionFolder(environment, root);
    const path = resumedPath(folder, options.resume);
    const first = choose(options.model);
    if (options.agent !== null) checkAgent(options.agent, probe, "--agent");
    const file =
      path === null
        ? newSession(folder, { cwd: environment.cwd, root, profile: probe.snapshot.profile })
        : openSession(path);
    const epoch = file.records.findLast((record) => record.type === "epoch");
    const earlier = epoch?.type === "epoch" ? epoch : null;
    const name = options.agent ?? earlier?.agent ?? defaultAgent;
    try {
      checkAgent(name, probe, "The session");
    } catch (error) {
      file.close();
      throw error;
    }
    const agent = openAgent({
      openSkills: (agentName, touched) =>
        openSkills({ ...options.open, agent: agentName, touched: touched as string[] }),
      file,
      agent: name,
      model: options.model === null && earlier !== null ? (tried(choose, earlier.model) ?? first) : first,
      connect: (choice) => sdkModel(choice, options.stream ?? {}),
      ask: options.ask,
      assumeYes: options.assumeYes,
      schema: options.schema,
      secretVariables: secretVariables(probe),
      now: () => new Date(),
      watch: options.watch,
    });
    return { agent, file, resumed: path !== null, folder, choose };
  } finally {
    probe.close();
  }
}

/** An agent that nobody knows would work under no rules of its own, as if it were the usual one. */
function checkAgent(name: string, skills: Skills, who: string): void {
  const known = [...new Set([...agentKinds.keys(), ...Object.keys(skills.configuration.agents)])];
  if (known.includes(name)) return;
  const [near] = closestNames(name, known, 1);
  throw new SkilletError("usage", `${who} asks for the agent "${name}", and there is none of this name.`, {
    hint: `${near === undefined ? "" : `Did you mean ${near}? `}There are: ${known.join(", ")}.`,
  });
}

function modelChooser(skills: Skills): (name: string | null) => ModelChoice {
  const { model: setting, providers: settings } = skills.configuration;
  const { variables } = skills.environment;
  return (name) => chooseModel({ flag: name, setting, variables, settings });
}

function tried(choose: (name: string) => ModelChoice, name: string): ModelChoice | null {
  try {
    return choose(name);
  } catch {
    return null;
  }
}

function resumedPath(folder: string, resume: StartOptions["resume"]): string | null {
  if (resume === null) return null;
  if (resume !== "last") return findSession(folder, resume.id).path;
  const [last] = listSessions(folder);
  if (last === undefined)
    throw new SkilletError("not-found", "There is no session of this folder to go on with.", {
      hint: "Leave --continue out to begin one.",
    });
  return last.path;
}

function newSession(
  folder: string,
  head: { readonly cwd: string; readonly root: string; readonly profile: string },
): SessionFile {
  const now = new Date();
  const id = newSessionId(now);
  return createSession(sessionPath(folder, id), {
    type: "session",
    version: 1,
    id,
    created: now.toISOString(),
    ...head,
  });
}

/** Variables with keys of models, the usual ones and those that settings name. */
function secretVariables({ configuration, environment }: Skills): readonly string[] {
  const { providers } = readProviders({
    variables: environment.variables,
    settings: configuration.providers,
  });
  return [...new Set([...providers.values()].flatMap(({ keyVariable }) => keyVariable ?? []))];
}
