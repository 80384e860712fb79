import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Embedder } from "../../core/search/semantic.ts";

/**
 * The same vectors, asked for once for each content: kept in `folder`, one small file a text, named by the digest of the
 * embedder's id and the text. A file that is damaged is asked for again; a folder that cannot be written only costs time.
 */
export function cachedEmbedder(embedder: Embedder, folder: string): Embedder {
  const path = (text: string): string => {
    const digest = createHash("sha256").update(`${embedder.id}\0${text}`).digest("hex");
    return join(folder, digest.slice(0, 2), `${digest}.f32`);
  };
  return {
    id: embedder.id,
    embed: async (texts) => {
      const found = texts.map((text) => readVector(path(text)));
      const missing = texts.filter((_, place) => found[place] === null);
      if (missing.length > 0) {
        const made = await embedder.embed(missing);
        let next = 0;
        for (const [place, text] of texts.entries()) {
          if (found[place] !== null) continue;
          const vector = made[next++] as Float32Array;
          found[place] = vector;
          keepVector(path(text), vector);
        }
      }
      return found as readonly Float32Array[];
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
