/** What went wrong with a model, said for people. */
export interface ModelFailure {
  readonly code: "cancelled" | "key" | "model" | "limit" | "context" | "request" | "server" | "network";
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
}

const tooLong =
  /context[_ ]?(?:length|window)|prompt is too long|maximum context|too many (?:input )?tokens|exceeds? the (?:model's )?(?:context|maximum)|input (?:is )?too long/i;

/** Any error of a model call as something that a person can act on. Reads only fields, of whatever class it is. */
export function modelFailure(error: unknown, context: FailureContext): ModelFailure {
  const { provider, model, url, keyVariable } = context;
  if (isAbort(error)) return failure("cancelled", "Cancelled.", "", { retryable: false });
  const status = numberField(error, "statusCode");
  const said = saidBy(error);
  const wait = retryAfter(error);
  const where = `${provider} (${url})`;
  if (status === 401 || status === 403)
    return failure("key", `${where} refused the key${said}`, `Check ${keyVariable ?? "the key"}.`, {
      retryable: false,
    });
  if (status === 404)
    return failure(
      "model",
      `${where} knows no model "${model}"${said}`,
      "Choose another with /model or --model.",
      {
        retryable: false,
      },
    );
  if (
    tooLong.test(`${text(error, "message")} ${text(error, "responseBody")}`) &&
    (status === null || status < 500)
  )
    return failure(
      "context",
      `The conversation is too long for ${model}${said}`,
      "Shorten it with /compact.",
      {
        retryable: false,
      },
    );
  if (status === 429)
    return failure(
      "limit",
      `${where} says that a limit is reached${said}`,
      "Wait a little, then send it again.",
      {
        retryable: true,
        wait,
      },
    );
  if (status !== null && (status >= 500 || status === 408 || status === 409))
    return failure(
      "server",
      `${where} has a problem of its own (${status})${said}`,
      "Send it again in a moment.",
      {
        retryable: true,
        wait,
      },
    );
  if (status !== null)
    return failure(
      "request",
      `${where} did not accept the request (${status})${said}`,
      "Try another model, or report this.",
      {
        retryable: false,
      },
    );
  if (
    /overloaded|rate.?limit|server_error|internal.?error/i.test(
      text(error, "message") + JSON.stringify(error ?? ""),
    )
  )
    return failure("server", `${where} broke off${said}`, "Send it again in a moment.", {
      retryable: true,
      wait,
    });
  const code = networkCode(error);
  if (code !== null || /fetch failed|network|socket|terminated|timeout|aborted/i.test(text(error, "message")))
    return failure(
      "network",
      code === "ECONNREFUSED"
        ? `Nothing answers at ${url}.`
        : `The connection to ${where} failed${code === null ? "" : ` (${code})`}.`,
      code === "ECONNREFUSED"
        ? "Is the server running, and is the address right?"
        : "Check the network, then send it again.",
      { retryable: true },
    );
  return failure(
    "request",
    `${where}: ${text(error, "message") || String(error)}`,
    "Send it again, or try another model.",
    {
      retryable: false,
    },
  );
}

function failure(
  code: ModelFailure["code"],
  message: string,
  hint: string,
  more: { readonly retryable: boolean; readonly wait?: number | null },
): ModelFailure {
  return { code, message, hint, retryable: more.retryable, wait: more.wait ?? null };
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === "AbortError" || error.name === "ResponseAborted");
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

/** The server's own words, one line, short. */
function saidBy(error: unknown): string {
  const message = (text(error, "message") || (typeof error === "string" ? error : ""))
    .replace(/\s+/g, " ")
    .trim();
  if (message === "" || /^(?:fetch failed|failed to process)/i.test(message)) return ".";
  return `: ${message.length > 300 ? `${message.slice(0, 300)}…` : message}`;
}

function networkCode(error: unknown): string | null {
  for (let at: unknown = error, depth = 0; at !== undefined && at !== null && depth < 5; depth++) {
    const code = field(at, "code");
    if (typeof code === "string" && /^(?:E[A-Z]+|UND_ERR_\w+)$/.test(code)) return code;
    at = field(at, "cause");
  }
  return null;
}

function retryAfter(error: unknown): number | null {
  const headers = field(error, "responseHeaders");
  const exact = Number(field(headers, "retry-after-ms"));
  if (Number.isFinite(exact) && exact >= 0 && field(headers, "retry-after-ms") !== undefined) return exact;
  const seconds = Number(field(headers, "retry-after"));
  return Number.isFinite(seconds) && seconds >= 0 && field(headers, "retry-after") !== undefined
    ? seconds * 1000
    : null;
}
