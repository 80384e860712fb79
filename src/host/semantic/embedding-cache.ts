import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Embedder } from "../../core/search/semantic.ts";

/** Texts that are asked for together; what one request gave is kept even where the next fails. */
const batch = 64;

/**
 * The same vectors, asked for once for each content: kept in `folder`, one small file a text, named by the digest of the
 * embedder's id and the text. Where kept vectors differ in length from one another or from new ones, the model behind the
 * id changed, and all are asked for again. A file that is damaged is asked for again; a folder that cannot be written only costs time.
 */
export function cachedEmbedder(embedder: Embedder, folder: string): Embedder {
  const path = (text: string): string => {
    const digest = createHash("sha256").update(`${embedder.id}\0${text}`).digest("hex");
    return join(folder, digest.slice(0, 2), `${digest}.f32`);
  };
  const ask = async (
    texts: readonly string[],
    found: (Float32Array | null)[],
  ): Promise<readonly Float32Array[]> => {
    const missing = [...texts.keys()].filter((place) => found[place] === null);
    for (let at = 0; at < missing.length; at += batch) {
      const places = missing.slice(at, at + batch);
      const made = await embedder.embed(places.map((place) => texts[place] as string));
      for (const [number, place] of places.entries()) {
        const vector = made[number] as Float32Array;
        found[place] = vector;
        keepVector(path(texts[place] as string), vector);
      }
    }
    return found as readonly Float32Array[];
  };
  return {
    id: embedder.id,
    embed: async (texts) => {
      const kept = texts.map((text) => readVector(path(text)));
      const known = kept.some((vector) => vector !== null);
      const vectors = await ask(texts, kept);
      const same = vectors.every((vector) => vector.length === vectors[0]?.length);
      return same || !known
        ? vectors
        : ask(
            texts,
            texts.map(() => null),
          );
    },
  };
}

function readVector(path: string): Float32Array | null {
  try {
    const bytes = readFileSync(path);
    if (bytes.length === 0 || bytes.length % 4 !== 0) return null;
    const vector = new Float32Array(bytes.length / 4);
    for (let at = 0; at < vector.length; at++) vector[at] = bytes.readFloatLE(at * 4);
    return vector.every(Number.isFinite) ? vector : null;
  } catch {
    return null;
  }
}

function keepVector(path: string, vector: Float32Array): void {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4);
  try {
    mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
    const temporary = `${path}.${process.pid}`;
    writeFileSync(temporary, bytes, { mode: 0o600 });
    renameSync(temporary, path);
  } catch {
    // The vector is at hand all the same.
  }
}
