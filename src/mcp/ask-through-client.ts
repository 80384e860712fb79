import { printable } from "../core/text/printable.ts";
import type { Allow } from "../core/tools/skill-tool.ts";
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from "./sdk.ts";

/** A way to ask the person in front of the client, for one call of a tool. */
export interface Question {
  readonly allow: Allow;
  /** What to answer the call with, so that the client asks and calls again; null = nothing was to be asked. */
  pending(): InputRequiredResult | null;
}

const key = "allow";

/**
 * Asks through the client where a rule says "ask" (elicitation): the call is answered with the question, the client puts it
 * to its user and calls again with the answer. Null where the client can't ask; such calls are refused.
 */
export function askThroughClient({ server }: McpServer, { mcpReq }: ServerContext): Question | null {
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  if (!canShowForm(declared)) return null;
  let question: InputRequiredResult | null = null;
  return {
    allow({ patterns }) {
      const answer = inputResponse(mcpReq.inputResponses, key);
      if (answer.kind === "elicit") return answer.action === "accept";
      const name = printable(patterns.join(", "));
      question = inputRequired({
        inputRequests: {
          [key]: inputRequired.elicit({
            message: `May the model load the skill "${name}"? A rule of your settings says to ask.`,
            requestedSchema: { type: "object", properties: {} },
          }),
        },
      });
      return false;
    },
    pending: () => question,
  };
}

/** Without a kind, a form is meant, as older clients declare it. */
function canShowForm(capabilities: unknown): boolean {
  if (typeof capabilities !== "object" || capabilities === null) return false;
  const kinds: unknown = Reflect.get(capabilities, "elicitation");
  if (typeof kinds !== "object" || kinds === null) return false;
  return Object.keys(kinds).length === 0 || "form" in kinds || !("url" in kinds);
}
