import { type FilledStep, pieces, type StreamEvent, type WireFormat } from "./script.ts";

/** Anthropic's Messages. */
export const anthropicMessages: WireFormat = {
  whole: (step) => message(step, content(step), stopReason(step)),
  stream(step) {
    const events: StreamEvent[] = [];
    const send = (type: string, data: object = {}): void => {
      events.push({ event: type, data: { type, ...data } });
    };
    send("message_start", { message: message({ ...step, usage: { ...step.usage, output: 1 } }, [], null) });
    send("ping");
    for (const [index, block] of content(step).entries()) {
      if (block.type === "text") {
        send("content_block_start", { index, content_block: { type: "text", text: "" } });
        for (const text of pieces(block.text))
          send("content_block_delta", { index, delta: { type: "text_delta", text } });
      } else {
        send("content_block_start", { index, content_block: { ...block, input: {} } });
        for (const partial_json of pieces(JSON.stringify(block.input)))
          send("content_block_delta", { index, delta: { type: "input_json_delta", partial_json } });
      }
      send("content_block_stop", { index });
    }
    send("message_delta", {
      delta: { stop_reason: stopReason(step), stop_sequence: null },
      usage: { output_tokens: step.usage.output },
    });
    send("message_stop");
    return events;
  },
  error: (status, text) => ({
    type: "error",
    error: { type: status === 529 ? "overloaded_error" : "api_error", message: text },
  }),
};

type Block =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: unknown };

function content({ text, calls }: FilledStep): readonly Block[] {
  return [
    ...(text === "" ? [] : [{ type: "text", text } as const]),
    ...calls.map(({ id, name, input }) => ({ type: "tool_use", id, name, input }) as const),
  ];
}

function stopReason({ calls }: FilledStep): string {
  return calls.length === 0 ? "end_turn" : "tool_use";
}

function message(
  { number, model, usage }: FilledStep,
  blocks: readonly Block[],
  stop_reason: string | null,
): object {
  return {
    id: `msg_${number}`,
    type: "message",
    role: "assistant",
    model,
    content: blocks,
    stop_reason,
    stop_sequence: null,
    usage: {
      input_tokens: usage.input,
      output_tokens: usage.output,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
  };
}
