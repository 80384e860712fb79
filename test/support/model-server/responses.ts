import { type FilledStep, pieces, type StreamEvent, type WireFormat } from "./script.ts";

/** OpenAI's Responses. */
export const responses: WireFormat = {
  whole: (step) => response(step, "completed", items(step)),
  stream(step) {
    const events: StreamEvent[] = [];
    const send = (type: string, data: object): void => {
      events.push({ event: type, data: { type, sequence_number: events.length, ...data } });
    };
    send("response.created", { response: response(step, "in_progress", []) });
    send("response.in_progress", { response: response(step, "in_progress", []) });
    for (const [output_index, item] of items(step).entries()) {
      const at = { item_id: item.id, output_index };
      if (item.type === "message") {
        const part = { type: "output_text", text: "", annotations: [], logprobs: [] };
        send("response.output_item.added", {
          output_index,
          item: { ...item, status: "in_progress", content: [] },
        });
        send("response.content_part.added", { ...at, content_index: 0, part });
        for (const delta of pieces(step.text))
          send("response.output_text.delta", { ...at, content_index: 0, delta, logprobs: [] });
        send("response.output_text.done", { ...at, content_index: 0, text: step.text, logprobs: [] });
        send("response.content_part.done", { ...at, content_index: 0, part: { ...part, text: step.text } });
      } else {
        send("response.output_item.added", {
          output_index,
          item: { ...item, status: "in_progress", arguments: "" },
        });
        for (const delta of pieces(item.arguments))
          send("response.function_call_arguments.delta", { ...at, delta });
        send("response.function_call_arguments.done", { ...at, name: item.name, arguments: item.arguments });
      }
      send("response.output_item.done", { output_index, item });
    }
    send("response.completed", { response: response(step, "completed", items(step)) });
    return events;
  },
  error: (status, message) => ({
    error: { message, type: "server_error", param: null, code: String(status) },
  }),
};

type Item =
  | { readonly type: "message"; readonly id: string; readonly [name: string]: unknown }
  | {
      readonly type: "function_call";
      readonly id: string;
      readonly name: string;
      readonly arguments: string;
      readonly [name: string]: unknown;
    };

function items({ text, calls, number }: FilledStep): readonly Item[] {
  const message: Item = {
    type: "message",
    id: `msg_${number}`,
    status: "completed",
    role: "assistant",
    content: [{ type: "output_text", text, annotations: [], logprobs: [] }],
  };
  return [
    ...(text === "" ? [] : [message]),
    ...calls.map(
      ({ id, name, input }): Item => ({
        type: "function_call",
        id: `fc_${id}`,
        call_id: id,
        status: "completed",
        name,
        arguments: JSON.stringify(input),
      }),
    ),
  ];
}

function response({ number, model, usage }: FilledStep, status: string, output: readonly Item[]): object {
  return {
    id: `resp_${number}`,
    object: "response",
    created_at: 1_700_000_000,
    status,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    model,
    output,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: false,
    temperature: 1,
    text: { format: { type: "text" } },
    tool_choice: "auto",
    tools: [],
    top_p: 1,
    truncation: "disabled",
    usage:
      status === "completed"
        ? {
            input_tokens: usage.input,
            input_tokens_details: { cached_tokens: 0 },
            output_tokens: usage.output,
            output_tokens_details: { reasoning_tokens: 0 },
            total_tokens: usage.input + usage.output,
          }
        : null,
    user: null,
    metadata: {},
  };
}
