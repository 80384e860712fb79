import { createHash } from "node:crypto";
import type { Embedder } from "../src/core/search/semantic.ts";
import { createRandom } from "./random.ts";

const width = 128;

/** Vectors that say nothing: random ones, the same for the same text. What they change is harm by chance. */
export function randomEmbedder(seed: number): Embedder {
  return {
    id: `random-${seed}`,
    embed: async (texts) =>
      texts.map((text) => {
        const random = createRandom(createHash("sha256").update(`${seed}\n${text}`).digest().readInt32LE());
        return Float32Array.from({ length: width }, () => random.below(2_001) - 1_000);
      }),
  };
}
