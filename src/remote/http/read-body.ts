import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { FetchProblem } from "./http-failure.ts";

/** The encodings that are asked for. */
export const acceptedEncodings = "gzip, deflate, br";

/**
 * The body, decoded, at most `limit` bytes; more is refused as soon as it is seen, counted after decoding (row E20). Throws
 * `FetchProblem` for what is too large, cut off or packed in an unknown way. `alive` is called with every piece.
 */
export async function readBody(
  response: IncomingMessage,
  { limit, alive }: { readonly limit: number; readonly alive: () => void },
): Promise<Uint8Array> {
  const announced = Number(response.headers["content-length"] ?? Number.NaN);
  if (announced > limit) throw tooLarge(limit);
  const pieces: Buffer[] = [];
  let length = 0;
  let arrived = 0;
  response.on("data", (piece: Buffer) => {
    arrived += piece.length;
    alive();
    if (arrived > limit) response.destroy(tooLarge(limit));
  });
  try {
    for await (const piece of decoded(response)) {
      length += (piece as Buffer).length;
      if (length > limit) throw tooLarge(limit);
      pieces.push(piece as Buffer);
    }
  } catch (error) {
    response.destroy();
    if (error instanceof FetchProblem) throw error;
    if (isEncodingError(error)) throw new FetchProblem("content", "the answer cannot be unpacked");
    throw error;
  }
  if (!response.complete)
    throw new FetchProblem("unreachable", "the answer was cut off", { transient: true });
  return new Uint8Array(Buffer.concat(pieces, length));
}

function decoded(response: IncomingMessage): Readable {
  const encoding = (response.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  const decoder =
    encoding === "gzip" || encoding === "x-gzip"
      ? createGunzip()
      : encoding === "deflate"
        ? createInflate()
        : encoding === "br"
          ? createBrotliDecompress()
          : null;
  if (decoder === null) {
    if (encoding === "identity" || encoding === "") return response;
    response.destroy();
    throw new FetchProblem("content", "the answer is packed in a way that was not asked for");
  }
  response.on("error", (error) => decoder.destroy(error));
  response.on("aborted", () =>
    decoder.destroy(new FetchProblem("unreachable", "the answer was cut off", { transient: true })),
  );
  return response.pipe(decoder);
}

function isEncodingError(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return code.startsWith("Z_") || code.startsWith("ERR_BROTLI") || code.startsWith("ERR__ERROR");
}

function tooLarge(limit: number): FetchProblem {
  return new FetchProblem("too-large", `the answer is larger than ${limit} bytes`);
}
