import { createHash } from "node:crypto";
import { join } from "node:path";
import { SkilletError } from "../../core/error.ts";
import type { Embedder, EmbedOptions } from "../../core/search/semantic.ts";
import { pruneVectors } from "./prune-vectors.ts";
import { keepVector, readVector } from "./vector-file.ts";

/** Texts that are asked for together; what one request gave is kept even where the next fails. */
const batch = 64;

/**
 * The same vectors, asked for once for each content: kept in `folder`, one small file a text, named by the digest of the
 * embedder's id and the text; short texts are asked for first. Where kept vectors differ in length from one another or from
 * new ones, the model behind the id changed, and all are asked for again. A file that is damaged is asked for again; a folder
 * that cannot be written only costs time. What nobody used for a month is removed (`pruneVectors`).
 */
export function cachedEmbedder(embedder: Embedder, folder: string): Embedder {
  const path = (text: string): string => {
    const digest = createHash("sha256").update(`${embedder.id}\0${text}`).digest("hex");
    return join(folder, digest.slice(0, 2), `${digest}.f32`);
  };
  const ask = async (
    texts: readonly string[],
    found: (Float32Array | null)[],
    { signal, onVector }: EmbedOptions,
  ): Promise<readonly Float32Array[]> => {
    const lengthOf = (place: number): number => texts[place]?.length ?? 0;
    const missing = [...texts.keys()]
      .filter((place) => found[place] === null)
      .sort((a, b) => lengthOf(a) - lengthOf(b) || a - b);
    for (let at = 0; at < missing.length; at += batch) {
      const places = missing.slice(at, at + batch);
      const keep = (number: number, vector: Float32Array): void => {
        const place = places[number];
        if (place === undefined || found[place] !== null) return;
        found[place] = vector;
        keepVector(path(texts[place] as string), vector);
        onVector?.(place, vector);
      };
      const made = await embedder.embed(
        places.map((place) => texts[place] as string),
        { signal, onVector: keep },
      );
      for (const [number, vector] of made.entries()) keep(number, vector);
      if (places.some((place) => found[place] === null))
        throw new SkilletError("failed", "The embedder gave fewer vectors than texts.");
    }
    return found as readonly Float32Array[];
  };
  return {
    id: embedder.id,
    prefixes: embedder.prefixes,
    embed: async (texts, options = {}) => {
      const kept = texts.map((text) => readVector(path(text)));
      const known = kept.some((vector) => vector !== null);
      try {
        const vectors = await ask(texts, kept, options);
        const same = vectors.every((vector) => vector.length === vectors[0]?.length);
        return same || !known
          ? vectors
          : await ask(
              texts,
              texts.map(() => null),
              options,
            );
      } finally {
        pruneVectors(folder);
      }
    },
  };
}
