import type { ModelFailure } from "../model/model-error.ts";
import { ModelCallError } from "../model/model-port.ts";
import type { SessionRecord, StoredPart } from "../session/record.ts";
import { boundedText } from "../tools/bounded-text.ts";
import type { Prefix, Workbench } from "./agent.ts";
import type { TurnEnd } from "./events.ts";
import { roughTokens, type Summary, summarize, summarizeText, withoutModel } from "./summarize.ts";

/**
 * Replaces the conversation by a summary, the open steps and the texts of loaded skills (newest first, within limits).
 * `keepLast`: the user's last message goes along word for word, because the turn is not over.
 */
export async function compactSession(
  bench: Workbench,
  prefix: Prefix,
  options: { readonly signal: AbortSignal; readonly keepLast: boolean },
): Promise<TurnEnd> {
  const { file } = bench.options;
  const conversation = bench.conversation();
  bench.emit({ type: "compacting" });
  const request = {
    system: prefix.system,
    messages: conversation.messages,
    tools: prefix.forms,
    signal: options.signal,
  };
  try {
    const summary = await summaryOf(bench, request);
    const { plan, kept } = bench.desk.restore();
    const last = options.keepLast ? lastMessage(bench) : null;
    file.append({
      type: "compaction",
      summary: summary.text,
      ...(last === null ? {} : { last }),
      restored: plan.text,
      usage: summary.usage,
      kept,
    });
    const before =
      conversation.contextTokens > 0 ? conversation.contextTokens : roughTokens(conversation.messages);
    const restored = plan.skills.filter(({ state }) => state !== "left-out").map(({ name }) => name);
    const after = roughTokens(bench.conversation().messages);
    bench.emit({ type: "compacted", before, after, restored });
    for (const name of restored)
      bench.emit({
        type: "skill-loaded",
        name,
        by: "compaction",
        why: "it was in use before the conversation was shortened",
      });
    return { reason: "done" };
  } catch (error) {
    if (!(error instanceof ModelCallError)) throw error;
    const { failure } = error;
    return failure.code === "cancelled" ? { reason: "cancelled" } : { reason: "failed", failure };
  }
}

/** Failures of the request's form; with another form it may go. */
const otherForm: ReadonlySet<ModelFailure["code"]> = new Set(["context", "request", "filtered"]);

/**
 * A summary by whatever way goes: with the same beginning, with shortened outputs, as one text without tools; a model that
 * gives none in any way leaves what was said, cut. Throws what is not a matter of the form, e.g. a lost connection.
 */
async function summaryOf(
  bench: Workbench,
  request: Omit<Parameters<typeof summarize>[1], "squeeze">,
): Promise<Summary> {
  const { messages, signal } = request;
  const characters = Math.floor((bench.model().window ?? assumedWindow) * lastShare * charactersPerToken);
  const ways: readonly (() => Promise<Summary>)[] = [
    () => summarize(bench.port(), { ...request, squeeze: false }),
    () => summarize(bench.port(), { ...request, squeeze: true }),
    () => summarizeText(bench.port(), { messages, characters, signal }),
  ];
  let tooLong = true;
  for (const [index, way] of ways.entries()) {
    // Shorter outputs help where it was too long, and only there.
    if (index === 1 && !tooLong) continue;
    try {
      const summary = await way();
      if (summary.text !== "") return summary;
      tooLong = false;
    } catch (error) {
      if (!(error instanceof ModelCallError) || !otherForm.has(error.failure.code)) throw error;
      tooLong = error.failure.code === "context";
    }
  }
  bench.emit({
    type: "notice",
    text: "The model gave no summary; what was said is kept, cut in the middle, without the results of tools.",
    tone: "warning",
  });
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  return { text: withoutModel(messages, characters), usage };
}

const charactersPerToken = 3;

type Last = NonNullable<Extract<SessionRecord, { type: "compaction" }>["last"]>;

/** Share of the window that a message may fill to be kept whole. */
const lastShare = 0.4;
const assumedWindow = 128_000;
/** Parts that are kept; texts of skills come back by themselves. */
const keptParts: ReadonlySet<StoredPart["origin"]> = new Set(["user", "piped", "attachment", "notice"]);

/** The user's last message with all that went along, or, where that would fill the context again, its text alone. */
function lastMessage(bench: Workbench): Last | null {
  const record = bench.options.file.records.findLast((one) => one.type === "user");
  if (record?.type !== "user") return null;
  const frame = "The user's last message, word for word; it is not answered yet:";
  const own = record.parts.filter(({ origin }) => keptParts.has(origin));
  const texts = own.map(({ text }) => ({ type: "text" as const, text }));
  const size = roughTokens([{ role: "user", parts: [...texts, ...record.images] }]);
  if (size <= (bench.model().window ?? assumedWindow) * lastShare)
    return { parts: [{ text: frame, origin: "notice" }, ...own], images: record.images };
  const files = record.files.map((path) => `@${path}`).join(" ");
  const left = `[What went along was too long to be kept${files === "" ? "" : `: ${files}. Read it again where it is needed`}.]`;
  return {
    parts: [{ text: [frame, boundedText(record.text), left].join("\n"), origin: "notice" }],
    images: [],
  };
}
