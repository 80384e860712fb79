import { printable } from "../../core/text/printable.ts";
import type { AgentEvent, TurnEnd } from "../loop/events.ts";
import { modelName } from "../model/model-choice.ts";
import { type Started, type StartOptions, startAgent } from "../start-agent.ts";
import { type AnswerCheck, answerCheck, plainJson } from "./schema.ts";

/** One line of `run --json`. */
export type RunEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

export interface RunOptions extends Omit<StartOptions, "ask" | "watch" | "schema"> {
  readonly message: string;
  /** False: the message came from a pipe, so that an `@` in it names no file. */
  readonly mentions: boolean;
  /** What was piped in along with the message; null = nothing. */
  readonly piped: string | null;
  readonly files: readonly string[];
  readonly preload: readonly string[];
  /** JSON Schema of the answer; undefined = none. */
  readonly schema: unknown;
  /** Takes events as they come. */
  readonly tell: (event: RunEvent) => void;
  /** Progress for people. */
  readonly note: (text: string, tone: "dim" | "warning") => void;
  readonly onStop: (stop: () => void) => () => void;
}

export interface RunResult {
  readonly exitCode: number;
  /** The last answer. */
  readonly answer: string;
  /** What went wrong, for people; null = nothing. */
  readonly problem: { readonly code: string; readonly message: string; readonly hint: string } | null;
}

/** One message, worked on until it is done, without anybody to ask. */
export async function runOnce(options: RunOptions): Promise<RunResult> {
  const schema = options.schema ?? null;
  const check = schema === null ? null : await answerCheck(schema);
  const started = startAgent({ ...options, schema, ask: null, watch: false });
  const { agent, file } = started;
  const off = options.onStop(() => agent.cancel());
  let answer = "";
  agent.on((event) => {
    if (event.type === "answer") answer = event.text;
    report(event, options);
  });
  try {
    options.tell(sessionEvent(started));
    const end = await agent.submit(options.message, {
      files: options.files,
      preload: options.preload,
      mentions: options.mentions,
      ...(options.piped === null ? {} : { piped: options.piped }),
    });
    const checked =
      check === null ? { end, fit: null } : await fitted(started, { check, end, answer: () => answer });
    const result = resultOf(checked.end, checked.fit);
    const final = check === null ? answer : plainJson(answer);
    if (result.problem !== null) options.tell({ type: "error", ...result.problem });
    options.tell({
      type: "done",
      reason: result.problem === null ? "done" : checked.end.reason,
      text: final,
      session: file.head.id,
    });
    return { ...result, answer: final };
  } finally {
    off();
    agent.close();
  }
}

/** An answer that does not fit is asked for once more. */
async function fitted(
  { agent }: Started,
  {
    check,
    end,
    answer,
  }: { readonly check: AnswerCheck; readonly end: TurnEnd; readonly answer: () => string },
): Promise<{ readonly end: TurnEnd; readonly fit: string | null }> {
  if (end.reason !== "done") return { end, fit: null };
  const first = check(answer());
  if (first === null) return { end, fit: null };
  const again = await agent.submit(
    `Your answer does not fit the schema. ${first} Give the whole answer again, as JSON alone.`,
  );
  return { end: again, fit: again.reason === "done" ? check(answer()) : null };
}

function resultOf(end: TurnEnd, misfit: string | null): Pick<RunResult, "exitCode" | "problem"> {
  if (end.reason === "cancelled")
    return { exitCode: 130, problem: { code: "cancelled", message: "Cancelled.", hint: "" } };
  if (end.reason === "failed" || end.reason === "incomplete")
    return { exitCode: 1, problem: { ...end.failure } };
  if (end.reason === "limit")
    return {
      exitCode: 1,
      problem: {
        code: "limit",
        message: "The work was not finished within one turn's limit.",
        hint: 'Go on with: skillet run --continue "go on"',
      },
    };
  if (misfit !== null)
    return {
      exitCode: 1,
      problem: {
        code: "schema",
        message: `The answer does not fit the schema. ${misfit}`,
        hint: "Try again, or make the schema simpler.",
      },
    };
  return { exitCode: 0, problem: null };
}

function sessionEvent({ agent, file, resumed }: Started): RunEvent {
  const { status } = agent;
  return {
    type: "session",
    version: 1,
    id: file.head.id,
    path: file.path,
    cwd: file.head.cwd,
    profile: file.head.profile,
    agent: status.agent,
    model: modelName(status.model),
    resumed,
  };
}

/** Passes on what concerns the outside. */
function report(event: AgentEvent, { tell, note }: Pick<RunOptions, "tell" | "note">): void {
  switch (event.type) {
    case "answer":
      tell({ type: "text", text: event.text });
      return;
    case "tool-call":
      tell({ type: "tool-call", id: event.id, name: event.name, input: event.input });
      note(`${event.name} ${printable(event.about)}`.trimEnd(), "dim");
      return;
    case "tool-result":
      tell({
        type: "tool-result",
        id: event.id,
        name: event.name,
        output: event.outcome.output,
        failed: event.outcome.failed,
        summary: event.outcome.summary,
      });
      if (event.outcome.failed) note(`  ${event.name}: ${printable(event.outcome.summary)}`, "warning");
      return;
    case "skill-loaded":
      tell({ type: "skill-loaded", name: event.name, by: event.by, why: event.why });
      note(`skill ${printable(event.name)} loaded: ${printable(event.why)}`, "dim");
      return;
    case "answered": {
      const { request, judgement } = event.question;
      tell({
        type: "permission",
        permission: judgement.permission,
        patterns: judgement.patterns,
        outcome: event.outcome === "nobody" ? "refused" : event.outcome,
        reason: judgement.reason,
      });
      if (event.outcome === "nobody")
        note(`not allowed without a question: ${printable(request.title)}`, "warning");
      return;
    }
    case "usage":
      tell({ type: "usage", ...event.usage, contextTokens: event.contextTokens });
      return;
    case "notice":
      note(printable(event.text), event.tone === "warning" ? "warning" : "dim");
      return;
    case "retry":
      note(
        `${printable(event.failure.message)} Next attempt in ${Math.ceil(event.wait / 1000)} s.`,
        "warning",
      );
      return;
    default:
      return;
  }
}
