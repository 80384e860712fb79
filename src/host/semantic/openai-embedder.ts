import { checkOptions } from "../../core/check-options.ts";
import { SkilletError } from "../../core/error.ts";
import type { Embedder } from "../../core/search/semantic.ts";
import { endOf } from "./end-of.ts";

export interface EmbeddingAddress {
  /** Address up to `/v1`, of any service that speaks OpenAI's embeddings protocol. */
  readonly url: string;
  readonly model: string;
  readonly key?: string | undefined;
  /** Milliseconds for one request; default 30,000. */
  readonly timeout?: number | undefined;
  /** What the model wants in front of requests and skills; left out = nothing. */
  readonly requestPrefix?: string | undefined;
  readonly documentPrefix?: string | undefined;
}

/** Texts of one request. */
const batch = 64;
/** Bytes of an answer; 64 vectors of 4,096 numbers take some 5 million. */
const longestAnswer = 64 * 1024 * 1024;

/** Asks an OpenAI-compatible address for vectors. Throws `SkilletError` "failed" when it does not give them. */
export function openaiEmbedder(place: EmbeddingAddress): Embedder {
  checkOptions("openaiEmbedder", place, {
    url: "text",
    model: "text",
    key: "text",
    timeout: "time",
    requestPrefix: "text",
    documentPrefix: "text",
  });
  const { url, model, key } = place;
  const timeout = Math.ceil(place.timeout ?? 30_000);
  // Neither the runtime's nor a server's words may repeat the key.
  const failed = (why: string): SkilletError => failure(shownAddress(url), why, key);
  const address = `${url.replace(/\/+$/, "")}/embeddings`;
  const ask = async (
    input: readonly string[],
    given: AbortSignal | undefined,
  ): Promise<readonly Float32Array[]> => {
    const { signal, release } = endOf({ signal: given, timeout });
    const broken = (error: unknown): never => {
      given?.throwIfAborted();
      throw failed(error instanceof SyntaxError ? otherForm : reason(error, timeout));
    };
    try {
      const response = await fetch(address, {
        method: "POST",
        redirect: "error",
        signal,
        headers: {
          "content-type": "application/json",
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify({ model, input, encoding_format: "float" }),
      }).catch(broken);
      if (!response.ok) throw failed(`status ${response.status}`);
      const vectors = vectorsOf(
        await answerOf(response, performance.now() + timeout).catch(broken),
        input.length,
      );
      if (vectors === null) throw failed(otherForm);
      return vectors;
    } finally {
      release();
    }
  };
  return {
    id: `${address}#${model}`,
    prefixes: { request: place.requestPrefix ?? "", document: place.documentPrefix ?? "" },
    embed: async (texts, { signal, onVector } = {}) => {
      const found: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += batch) {
        signal?.throwIfAborted();
        for (const vector of await ask(texts.slice(at, at + batch), signal)) {
          onVector?.(found.length, vector);
          found.push(vector);
        }
      }
      return found;
    },
  };
}

const otherForm = "an answer in another form";

/** The JSON of an answer. A flood of bytes keeps timers waiting, so size and time are looked at with each piece of it. */
async function answerOf({ body }: Response, until: number): Promise<unknown> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body ?? []) {
    size += piece.length;
    if (size > longestAnswer) throw new Error(`an answer of more than ${longestAnswer / 1024 / 1024} MB`);
    if (performance.now() > until) throw new DOMException("", "TimeoutError");
    pieces.push(piece);
  }
  return JSON.parse(Buffer.concat(pieces).toString("utf8")) as unknown;
}

function reason(error: unknown, timeout: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no answer within ${timeout} ms`;
  const code = (error.cause as { readonly code?: unknown } | undefined)?.code;
  return typeof code === "string" ? `${error.message} (${code})` : error.message;
}

function failure(place: string, why: string, key: string | undefined): SkilletError {
  const text = `${place} gave no vectors: ${why}.`;
  const safe = key === undefined || key === "" ? text : text.replaceAll(key, "[key]");
  return new SkilletError("failed", `The embeddings address ${safe}`);
}

/** An address without what may hold a secret: user, password, query. */
function shownAddress(url: string): string {
  try {
    const { origin, pathname } = new URL(url);
    return origin === "null" ? "" : `${origin}${pathname}`;
  } catch {
    return url.replace(/[?#].*$/s, "").replace(/\/\/[^/]*@/, "//");
  }
}

function vectorsOf(answer: unknown, count: number): readonly Float32Array[] | null {
  const data = (answer as { readonly data?: unknown } | null)?.data;
  if (!Array.isArray(data) || data.length !== count) return null;
  const vectors: Float32Array[] = [];
  for (const [place, row] of data.entries()) {
    const { embedding, index = place } = (row ?? {}) as {
      readonly embedding?: unknown;
      readonly index?: number;
    };
    if (!Array.isArray(embedding) || !embedding.every((one) => typeof one === "number")) return null;
    if (!Number.isInteger(index) || index < 0 || index >= count || vectors[index] !== undefined) return null;
    vectors[index] = Float32Array.from(embedding);
  }
  const length = vectors[0]?.length ?? 0;
  const fits = (one: Float32Array): boolean => one.length === length && one.every(Number.isFinite);
  return length > 0 && vectors.length === count && vectors.every(fits) ? vectors : null;
}
