import { ModelCallError } from "../model/model-port.ts";
import type { Prefix, Workbench } from "./agent.ts";
import type { TurnEnd } from "./events.ts";
import { roughTokens, summarize } from "./summarize.ts";

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
    const summary = await summarize(bench.port(), { ...request, squeeze: false }).catch((error: unknown) => {
      if (error instanceof ModelCallError && error.failure.code === "context")
        return summarize(bench.port(), { ...request, squeeze: true });
      throw error;
    });
    if (summary.text === "")
      return {
        reason: "failed",
        failure: {
          code: "request",
          message: "The model gave no summary, so nothing was shortened.",
          hint: "Try again.",
        },
      };
    const { plan, kept } = bench.desk.restore();
    const last = options.keepLast ? lastTyped(bench) : null;
    file.append({
      type: "compaction",
      summary:
        last === null
          ? summary.text
          : `${summary.text}\n\nThe user's last message, word for word; it is not answered yet:\n${last}`,
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

function lastTyped(bench: Workbench): string | null {
  const record = bench.options.file.records.findLast((one) => one.type === "user");
  return record?.type === "user" ? record.text : null;
}
