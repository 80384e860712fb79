import type { AssistantPart, ToolCallPart } from "../conversation/message.ts";
import { modelName } from "../model/model-choice.ts";
import type { ModelFailure } from "../model/model-error.ts";
import { ModelCallError, type ModelEvent } from "../model/model-port.ts";
import { failedOutcome, type ToolContext, type ToolOutcome } from "../tools/tool.ts";
import type { Workbench } from "./agent.ts";
import { compactSession } from "./compact-session.ts";
import type { TurnEnd } from "./events.ts";
import { aboutCall, runCall } from "./run-call.ts";
import { roughTokens } from "./summarize.ts";
import type { TurnStart } from "./turn-boundary.ts";

/** Requests of one turn; then the user decides whether to go on. */
const requestsAtMost = 150;
/** Window of models that nobody described, and the share of a window at which a conversation is shortened. */
const assumedWindow = 128_000;
const fullAt = 0.8;

/** Works on what the user said until the model has no more calls, or something ends the turn. */
export async function takeTurn(bench: Workbench, start: TurnStart, signal: AbortSignal): Promise<TurnEnd> {
  let shortened = false;
  for (let request = 1; request <= requestsAtMost; request++) {
    if (signal.aborted) return cut(bench, "cancelled", "");
    if (isFull(bench)) {
      const end = await compactSession(bench, start, { signal, keepLast: true });
      if (end.reason !== "done") return end.reason === "cancelled" ? cut(bench, "cancelled", "") : end;
    }
    const step = await askModel(bench, start, signal);
    if (step.kind === "failed") {
      const { failure } = step;
      if (failure.code === "cancelled") return cut(bench, "cancelled", "");
      if (failure.code === "context" && !shortened) {
        shortened = true;
        const end = await compactSession(bench, start, { signal, keepLast: true });
        if (end.reason === "done") continue;
      }
      cut(bench, "failed", failure.message);
      return { reason: "failed", failure };
    }
    const calls = step.parts.filter((part): part is ToolCallPart => part.type === "call");
    if (calls.length === 0) {
      return endOf(step, request);
    }
    const refused = await runCalls(bench, { calls, start, signal });
    if (signal.aborted) return cut(bench, "cancelled", "");
    if (refused) return { reason: "refused" };
  }
  bench.emit({
    type: "notice",
    text: `${requestsAtMost} requests in one turn; say “go on” to continue.`,
    tone: "warning",
  });
  return { reason: "limit" };
}

/** How a turn ends whose last answer calls nothing. */
function endOf(
  { reason, parts }: { readonly reason: AnswerEnd; readonly parts: readonly AssistantPart[] },
  request: number,
): TurnEnd {
  const incomplete = (code: "cut-off" | "filtered" | "empty", message: string, hint: string): TurnEnd => ({
    reason: "incomplete",
    failure: { code, message, hint },
  });
  if (reason === "length")
    return incomplete("cut-off", "The answer was cut off at the model's limit.", "Say “go on” for the rest.");
  if (reason === "filtered")
    return incomplete(
      "filtered",
      "The model or its server refused to answer this.",
      "Ask in another way, or another model.",
    );
  // Behind calls there may be nothing left to say.
  const said = parts.some((part) => part.type === "text" && part.text.trim() !== "");
  if (!said && request === 1) return incomplete("empty", "The model gave an empty answer.", "Send it again.");
  return { reason: "done" };
}

function cut(bench: Workbench, why: "cancelled" | "failed", message: string): TurnEnd {
  bench.options.file.append({ type: "cut", why, message });
  return { reason: "cancelled" };
}

function isFull(bench: Workbench): boolean {
  const { messages, contextTokens } = bench.conversation();
  const window = bench.model().window ?? assumedWindow;
  // One message alone cannot be shortened.
  return (
    messages.length > 2 &&
    Math.max(contextTokens, contextTokens === 0 ? roughTokens(messages) : 0) > window * fullAt
  );
}

type AnswerEnd = Extract<ModelEvent, { type: "end" }>["reason"];

type Step =
  | { readonly kind: "answered"; readonly parts: readonly AssistantPart[]; readonly reason: AnswerEnd }
  | { readonly kind: "failed"; readonly failure: ModelFailure };

/** Pieces of an answer are stored when there are so many characters of them, or after so many milliseconds. */
const pieceSize = 2_000;
const pieceAge = 400;

async function askModel(bench: Workbench, start: TurnStart, signal: AbortSignal): Promise<Step> {
  const { file, now } = bench.options;
  const { messages } = bench.conversation();
  let text = "";
  let unstored = "";
  let storedAt = now().getTime();
  let stored = false;
  const store = (): void => {
    if (unstored !== "") file.append({ type: "delta", text: unstored });
    stored ||= unstored !== "";
    unstored = "";
    storedAt = now().getTime();
  };
  bench.emit({ type: "request" });
  try {
    for await (const event of bench
      .port()
      .stream({ system: start.system, messages, tools: start.forms, signal })) {
      switch (event.type) {
        case "text":
          text += event.text;
          unstored += event.text;
          if (unstored.length > pieceSize || now().getTime() - storedAt > pieceAge) store();
          bench.emit(event);
          break;
        case "retry":
          if (stored) file.append({ type: "discard" });
          [text, unstored, stored] = ["", "", false];
          bench.emit(event);
          break;
        case "end": {
          file.append({
            type: "assistant",
            model: modelName(bench.model()),
            parts: event.parts,
            usage: event.usage,
          });
          if (text !== "") bench.emit({ type: "answer", text });
          bench.emit({
            type: "usage",
            usage: event.usage,
            contextTokens: bench.conversation().contextTokens,
          });
          return { kind: "answered", parts: event.parts, reason: event.reason };
        }
        default:
          bench.emit(event);
      }
    }
    throw new Error("The model's answer has no end.");
  } catch (error) {
    store();
    if (text !== "") bench.emit({ type: "answer", text });
    if (error instanceof ModelCallError) return { kind: "failed", failure: error.failure };
    throw error;
  }
}

/** Runs the calls of one answer in order. True when the user refused one without a word. */
async function runCalls(
  bench: Workbench,
  {
    calls,
    start,
    signal,
  }: { readonly calls: readonly ToolCallPart[]; readonly start: TurnStart; readonly signal: AbortSignal },
): Promise<boolean> {
  let refused = false;
  for (const call of calls) {
    const about = aboutCall(call, start.tools);
    bench.emit({ type: "tool-call", id: call.id, name: call.name, about, input: call.input });
    const outcome = refused
      ? failedOutcome("[Not run: the user refused an earlier call.]", "not run")
      : signal.aborted
        ? failedOutcome("[Cancelled by the user.]", "cancelled")
        : await runCall(
            call,
            start.tools,
            contextFor(bench, {
              call,
              signal,
              refuse: () => {
                refused = true;
              },
            }),
          );
    settle(bench, { call, about, outcome });
  }
  return refused;
}

function settle(
  bench: Workbench,
  {
    call,
    about,
    outcome,
  }: { readonly call: ToolCallPart; readonly about: string; readonly outcome: ToolOutcome },
): void {
  bench.options.file.append({
    type: "result",
    id: call.id,
    name: call.name,
    about,
    output: outcome.output,
    failed: outcome.failed,
    summary: outcome.summary,
    ...(outcome.view === undefined ? {} : { view: outcome.view }),
  });
  bench.emit({ type: "tool-result", id: call.id, name: call.name, about, outcome });
}

function contextFor(
  bench: Workbench,
  {
    call,
    signal,
    refuse,
  }: { readonly call: ToolCallPart; readonly signal: AbortSignal; readonly refuse: () => void },
): ToolContext {
  const { workspace, files, environment, options } = bench;
  const secret = new Set(options.secretVariables);
  return {
    workspace,
    files,
    signal,
    variables: Object.fromEntries(
      Object.entries(environment.variables).filter(([name]) => !secret.has(name)),
    ),
    permit: async (request) => {
      const answer = await bench.permissions.permit(request, signal);
      if (!answer.allowed && answer.refused === true) refuse();
      else if (answer.allowed && (request.action.kind === "read" || request.action.kind === "edit"))
        touch(bench, request.action.path);
      return answer;
    },
    progress: (text) => bench.emit({ type: "tool-progress", id: call.id, text }),
    edited: (path) => void bench.skills().edited(path),
    todo: {
      get: () => bench.conversation().todo,
      set: (items) => {
        options.file.append({ type: "todo", items });
        bench.emit({ type: "todo", items });
      },
    },
  };
}

/** Files in play bring up the skills that are tied to them, from the next turn on. */
function touch(bench: Workbench, path: string): void {
  const inside = bench.workspace.inside(path);
  if (inside !== null && inside !== "" && !bench.touched.includes(inside)) bench.touched.push(inside);
}
