import { type FilledStep, pieces, type StreamEvent, type WireFormat } from "./script.ts";

/** Chat Completions as OpenAI and compatible servers speak it. */
export const chatCompletions: WireFormat = {
  whole(step) {
    const { text, calls } = step;
    return {
      ...head(step, "chat.completion"),
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: text === "" ? null : text,
            refusal: null,
            ...(calls.length === 0 ? {} : { tool_calls: calls.map((call) => toolCall(call)) }),
          },
          logprobs: null,
          finish_reason: calls.length === 0 ? "stop" : "tool_calls",
        },
      ],
      usage: usage(step),
    };
  },
  stream(step, body) {
    const { text, calls } = step;
    const chunk = (delta: object, finish: string | null = null): StreamEvent => ({
      event: null,
      data: {
        ...head(step, "chat.completion.chunk"),
        choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      },
    });
    const wantsUsage = (body.stream_options as { readonly include_usage?: boolean } | undefined)
      ?.include_usage;
    return [
      chunk({ role: "assistant", content: "" }),
      ...pieces(text).map((content) => chunk({ content })),
      ...calls.flatMap((call, index) => {
        const { id, type, function: named } = toolCall(call);
        return [
          chunk({ tool_calls: [{ index, id, type, function: { name: named.name, arguments: "" } }] }),
          ...pieces(named.arguments).map((part) =>
            chunk({ tool_calls: [{ index, function: { arguments: part } }] }),
          ),
        ];
      }),
      chunk({}, calls.length === 0 ? "stop" : "tool_calls"),
      ...(wantsUsage === true
        ? [
            {
              event: null,
              data: { ...head(step, "chat.completion.chunk"), choices: [], usage: usage(step) },
            },
          ]
        : []),
      { event: null, data: "[DONE]" },
    ];
  },
  error: (status, message) => ({
    error: { message, type: "server_error", param: null, code: String(status) },
  }),
};

function head({ number, model }: FilledStep, object: string): object {
  return { id: `chatcmpl-${number}`, object, created: 1_700_000_000, model, service_tier: "default" };
}

function toolCall({ id, name, input }: FilledStep["calls"][number]) {
  return { id, type: "function", function: { name, arguments: JSON.stringify(input) } } as const;
}

function usage({ usage: { input, output } }: FilledStep): object {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}
