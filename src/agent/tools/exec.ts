import type { ToolForm } from "../model/model-port.ts";
import { boundedText } from "./bounded-text.ts";
import { missing, readArguments } from "./read-arguments.ts";
import { runInSandbox } from "./sandbox.ts";
import type { Tool, ToolContext, ToolOutcome } from "./tool.ts";

/** Runs one call of another tool, with its questions. */
export type CallInside = (
  call: { readonly name: string; readonly input: unknown },
  context: ToolContext,
) => Promise<ToolOutcome>;

/**
 * `exec`: a small program that calls the other tools, for models that work better that way (feature M23). The tools
 * inside are the same, and so are their questions.
 */
export function execTool(inner: readonly ToolForm[], call: CallInside): Tool {
  return {
    form: {
      name: "exec",
      description: [
        "Runs a JavaScript program that calls tools. It is the body of an async function: use await, and return what you want to see; console.log prints. There are no files, no network and no modules but these:",
        ...inner.map(signature),
        "Each gives its text, and throws an Error with the text where it fails.",
      ].join("\n"),
      parameters: {
        type: "object",
        properties: { code: { type: "string", description: "The program." } },
        required: ["code"],
        additionalProperties: false,
      },
    },
    about: (input) => readArguments(input).text("code")?.trim() ?? "",
    run: async (input, context) => {
      const code = readArguments(input).text("code");
      if (code === null || code.trim() === "") return missing("exec", "code");
      const names = inner.map(({ name }) => name);
      const result = await runInSandbox(code, {
        names,
        signal: context.signal,
        call: async (name, inside) => {
          context.progress(`${name}\n`);
          const outcome = await call({ name, input: inside }, context);
          return { output: outcome.output, failed: outcome.failed };
        },
      });
      const text =
        result.kind === "value" ? result.value : `The program ended with an error. ${result.message}`;
      const output = boundedText([result.log.trimEnd(), text].filter((part) => part !== "").join("\n"));
      return {
        output: output === "" ? "[The program gave nothing back. Return what you want to see.]" : output,
        failed: result.kind === "error",
        summary: result.kind === "error" ? "error" : "done",
      };
    },
  };
}

function signature({ name, description, parameters }: ToolForm): string {
  const properties = parameters.properties;
  const required = Array.isArray(parameters.required) ? parameters.required : [];
  const fields = Object.entries(typeof properties === "object" && properties !== null ? properties : {}).map(
    ([field, form]) =>
      `${field}${required.includes(field) ? "" : "?"}: ${String(Reflect.get(Object(form), "type") ?? "unknown")}`,
  );
  return `- tools.${name}({ ${fields.join(", ")} }): ${description}`;
}
