import { SkilletError } from "../../core/error.ts";

/** Says why an answer does not fit, null when it does. */
export type AnswerCheck = (answer: string) => string | null;

/**
 * A check of answers against a JSON Schema. The library that knows schemas is loaded here. Throws `SkilletError` when the
 * schema itself cannot be used.
 */
export async function answerCheck(schema: unknown): Promise<AnswerCheck> {
  const { z } = await import("zod");
  let check: ReturnType<typeof z.fromJSONSchema>;
  try {
    if (typeof schema !== "object" || schema === null) throw new Error("it is no object");
    check = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SkilletError("usage", `The schema cannot be used: ${reason}.`, {
      hint: "It has to be a JSON Schema, draft 2020-12 or 7.",
    });
  }
  return (answer) => {
    let value: unknown;
    try {
      value = JSON.parse(plainJson(answer));
    } catch {
      return "It is not one JSON value.";
    }
    const result = check.safeParse(value);
    if (result.success) return null;
    const [issue] = result.error.issues;
    return issue === undefined
      ? "It does not fit."
      : `At ${issue.path.join(".") || "the top"}: ${issue.message}.`;
  };
}

/** The answer without a code fence around it, which some models cannot help. */
export function plainJson(answer: string): string {
  const fenced = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/.exec(answer);
  return (fenced?.[1] ?? answer).trim();
}
