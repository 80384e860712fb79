import { boundedText } from "./bounded-text.ts";
import { htmlText } from "./html-text.ts";
import { missing, readArguments } from "./read-arguments.ts";
import { failedOutcome, type Tool, type ToolContext, type ToolOutcome } from "./tool.ts";

const bytesAtMost = 2 * 1024 * 1024;
const timeout = 30_000;

/** `fetch`: a page as text. Only there when a rule allows it or has it asked for. */
export const fetchTool: Tool = {
  form: {
    name: "fetch",
    description: "Fetches an address and gives it as text. Nothing but the address is sent.",
    parameters: {
      type: "object",
      properties: { url: { type: "string", description: "Begins with http:// or https://." } },
      required: ["url"],
      additionalProperties: false,
    },
  },
  about: (input) => readArguments(input).text("url") ?? "",
  run,
};

async function run(input: unknown, context: ToolContext): Promise<ToolOutcome> {
  const written = readArguments(input).text("url");
  if (written === null) return missing("fetch", "url");
  const url = plainUrl(written);
  if (url === null)
    return failedOutcome(
      "`url` must begin with http:// or https:// and hold no password.",
      "no such address",
    );
  const permit = await context.permit({
    action: { kind: "fetch", url: url.href },
    title: `fetch ${url.href}`,
  });
  if (!permit.allowed) return failedOutcome(permit.refusal, "not allowed");
  try {
    const signal = AbortSignal.any([context.signal, AbortSignal.timeout(timeout)]);
    const response = await fetch(url, {
      redirect: "manual",
      signal,
      headers: { accept: "text/html, text/*, application/json" },
    });
    const target = response.headers.get("location");
    if (response.status >= 300 && response.status < 400 && target !== null) {
      await response.body?.cancel();
      // Another address is another question.
      return {
        output: `${url.href} points to ${new URL(target, url).href}. Fetch that if it helps.`,
        failed: false,
        summary: `${response.status}`,
      };
    }
    const type = response.headers.get("content-type") ?? "";
    if (!/^text\/|json|xml|javascript|^$/.test(type)) {
      await response.body?.cancel();
      return failedOutcome(`${url.href} is no text (${type}).`, type);
    }
    const text = await limitedText(response);
    const shown = boundedText(/html/.test(type) ? htmlText(text) : text).replace(
      /<(?=\s*\/?\s*system-reminder)/gi,
      "&lt;",
    );
    const head = response.ok ? "" : `[Status ${response.status}.]\n\n`;
    return {
      output: head + (shown.trim() === "" ? "[Empty.]" : shown),
      failed: !response.ok,
      summary: `${response.status}`,
    };
  } catch (error) {
    if (context.signal.aborted) return failedOutcome("[Stopped by the user.]", "cancelled");
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : "";
    return failedOutcome(
      `${url.href} could not be fetched: ${error instanceof Error ? error.message : String(error)}${cause}.`,
      "failed",
    );
  }
}

function plainUrl(written: string): URL | null {
  try {
    const url = new URL(written);
    return /^https?:$/.test(url.protocol) && url.username === "" && url.password === "" ? url : null;
  } catch {
    return null;
  }
}

async function limitedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  if (response.body === null) return text;
  for await (const chunk of response.body) {
    bytes += chunk.length;
    text += decoder.decode(chunk, { stream: true });
    if (bytes > bytesAtMost) break;
  }
  return text;
}
