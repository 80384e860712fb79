import { BrokenAnswerError, NoModelServerError, RedirectError, SilenceError } from "./guarded-fetch.ts";
import { maskSecrets, shownUrl } from "./mask-secrets.ts";

/** What went wrong with a model, said for people. */
export interface ModelFailure {
  readonly code:
    | "cancelled"
    | "key"
    | "model"
    | "limit"
    | "context"
    | "request"
    | "server"
    | "network"
    | "redirect"
    /** What came is no whole answer; see `turn.ts`. */
    | "cut-off"
    | "filtered"
    | "empty";
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
  /** Trying the same again may help. */
  readonly retryable: boolean;
  /** Milliseconds that the server asks to wait; null = it did not say. */
  readonly wait: number | null;
}

export interface FailureContext {
  readonly provider: string;
  readonly model: string;
  readonly url: string;
  readonly keyVariable: string | null;
  /** What must not be read in any message, whatever a server says. */
  readonly secrets: readonly string[];
}

const tooLong =
  /context[_ ]?(?:length|window)|prompt is too long|maximum context|too many (?:input )?tokens|exceeds? the (?:model's )?(?:context|maximum)|input (?:is )?too long/i;

/** Any error of a model call as something that a person can act on. Reads only fields, of whatever class it is. */
export function modelFailure(error: unknown, context: FailureContext): ModelFailure {
  const { provider, model, keyVariable } = context;
  if (isAbort(error)) return failure("cancelled", "Cancelled.", "");
  const url = shownUrl(context.url);
  const where = `${provider} (${url})`;
  const seen = ownFailure(error, { where });
  if (seen !== null) return seen;
  const status = statusOf(error);
  const said = saidBy(error, context.secrets);
  const again = { retryable: true, wait: retryAfter(error) };
  if (status === 401 || status === 403)
    return failure("key", `${where} refused the key${said}`, `Check ${keyVariable ?? "the key"}.`);
  if (status === 404)
    return failure(
      "model",
      `${where} knows no model "${model}"${said}`,
      "Choose another with /model or --model.",
    );
  const texts = `${text(error, "message")} ${text(error, "responseBody")}`;
  if (tooLong.test(texts) && (status === null || status < 500))
    return failure(
      "context",
      `The conversation is too long for ${model}${said}`,
      "Shorten it with /compact.",
    );
  if (status === 429)
    return failure(
      "limit",
      `${where} says that a limit is reached${said}`,
      "Wait a little, then send it again.",
      again,
    );
  if (status !== null && (status >= 500 || status === 408 || status === 409))
    return failure(
      "server",
      `${where} has a problem of its own (${status})${said}`,
      "Send it again in a moment.",
      again,
    );
  if (status !== null)
    return failure(
      "request",
      `${where} did not accept the request (${status})${said}`,
      "Try another model, or report this.",
    );
  if (/overloaded|rate.?limit|server_error|internal.?error/i.test(texts + jsonOf(error)))
    return failure("server", `${where} broke off${said}`, "Send it again in a moment.", again);
  return (
    connectionFailure(error, { url, where }) ??
    failure(
      "request",
      `${where}${said === "." ? ": no answer that can be used." : said}`,
      "Send it again, or try another model.",
    )
  );
}

const ours = [RedirectError, NoModelServerError, BrokenAnswerError, SilenceError];

/** What our own look at the connection found. */
function ownFailure(error: unknown, { where }: { readonly where: string }): ModelFailure | null {
  const found = causes(error).find((one) => ours.some((kind) => one instanceof kind));
  if (found instanceof RedirectError)
    return failure(
      "redirect",
      `${where} points to ${found.target ?? "another address"}. Nothing was sent there.`,
      "If that is where the model is, set the address to it.",
    );
  if (found instanceof NoModelServerError)
    return failure(
      "request",
      `${where} answered with a page (${found.contentType}), not as a server of models does.`,
      "Is the address right? It usually ends in /v1.",
    );
  if (found instanceof BrokenAnswerError)
    return failure("network", `The answer of ${where} broke off.`, "Send it again.", { retryable: true });
  if (found instanceof SilenceError)
    return failure("network", `${where} sends nothing any more.`, "Send it again.", { retryable: true });
  return null;
}

/** An answer that began well and broke is a matter of the connection as well. */
function connectionFailure(
  error: unknown,
  { url, where }: { readonly url: string; readonly where: string },
): ModelFailure | null {
  const code = networkCode(error);
  const messages = causes(error)
    .map((one) => text(one, "message"))
    .join(" ");
  if (/bad port/i.test(messages))
    return failure("network", `The port of ${url} cannot be used.`, "Is the address right?");
  if (code === "ECONNREFUSED")
    return failure(
      "network",
      `Nothing answers at ${url}.`,
      "Is the server running, and is the address right?",
      { retryable: true },
    );
  const status = numberField(error, "statusCode");
  const begun = status !== null && status < 300;
  const lost =
    /fetch failed|network|socket|terminated|time.?out|aborted|cannot connect|without a finish reason/i;
  if (code === null && !begun && !lost.test(messages)) return null;
  return failure(
    "network",
    begun
      ? `The connection to ${where} broke in the middle of the answer.`
      : `The connection to ${where} failed${code === null ? "" : ` (${code})`}.`,
    "Check the network, then send it again.",
    { retryable: true },
  );
}

function failure(
  code: ModelFailure["code"],
  message: string,
  hint: string,
  more: { readonly retryable: boolean; readonly wait?: number | null } = { retryable: false },
): ModelFailure {
  return { code, message, hint, retryable: more.retryable, wait: more.wait ?? null };
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === "AbortError" || error.name === "ResponseAborted");
}

/** The error and what caused it. */
function causes(error: unknown): readonly unknown[] {
  const found: unknown[] = [];
  for (let at = error; at !== undefined && at !== null && found.length < 6; at = field(at, "cause"))
    found.push(at);
  return found;
}

function field(error: unknown, name: string): unknown {
  return typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined;
}

function text(error: unknown, name: string): string {
  const value = field(error, name);
  return typeof value === "string" ? value : "";
}

function numberField(error: unknown, name: string): number | null {
  const value = field(error, name);
  return typeof value === "number" ? value : null;
}

/** The status of a refusal; an answer that broke after a good one has none. */
function statusOf(error: unknown): number | null {
  const status = numberField(error, "statusCode");
  return status === null || status < 300 ? null : status;
}

/** An error that came as an event of the stream; those of classes may hold the whole request. */
function jsonOf(error: unknown): string {
  if (error instanceof Error) return "";
  try {
    return JSON.stringify(error ?? "");
  } catch {
    return "";
  }
}

/** The server's own words, one line, short. */
function saidBy(error: unknown, secrets: readonly string[]): string {
  const words = text(error, "message") || text(field(error, "error"), "message");
  const message = maskSecrets(words || (typeof error === "string" ? error : ""), secrets)
    .replace(/\s+/g, " ")
    .trim();
  if (message === "" || /^(?:fetch failed|failed to process)/i.test(message)) return ".";
  return `: ${message.length > 300 ? `${message.slice(0, 300)}…` : message}`;
}

function networkCode(error: unknown): string | null {
  for (const one of causes(error)) {
    const code = text(one, "code");
    if (/^(?:E[A-Z]+|UND_ERR_\w+)$/.test(code)) return code;
  }
  return null;
}

/** Milliseconds that the server asks to wait, given as such, in seconds, or as a date, which its own clock says. */
function retryAfter(error: unknown): number | null {
  const headers = field(error, "responseHeaders");
  const exact = text(headers, "retry-after-ms");
  if (exact !== "" && Number(exact) >= 0) return Number(exact);
  const written = text(headers, "retry-after").trim();
  if (written === "") return null;
  if (/^\d+(?:\.\d+)?$/.test(written)) return Number(written) * 1000;
  const until = Date.parse(written);
  if (Number.isNaN(until)) return null;
  const now = Date.parse(text(headers, "date"));
  return Math.max(0, until - (Number.isNaN(now) ? Date.now() : now));
}
