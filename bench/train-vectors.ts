// Trains word vectors for the semantic stage from text that Debian packages: `node --import tsx bench/train-vectors.ts
// --out MODEL [--seed 1] [--steps 500] [--without SOURCE] PLACE…`. See search.md.
import { parseArgs } from "node:util";
import { createRandom } from "./random.ts";
import { createBatches, type EncodedSource } from "./vectors/batches.ts";
import { createContrast } from "./vectors/contrast.ts";
import { positiveInformation } from "./vectors/cooccurrence.ts";
import { openings } from "./vectors/openings.ts";
import { spectralVectors } from "./vectors/spectral.ts";
import { trainingSources } from "./vectors/training-sources.ts";
import { buildVocabulary, createEncoder, wordsOf } from "./vectors/word-pieces.ts";
import { writeModel } from "./vectors/write-model.ts";

const width = 256;
const batch = 512;
const temperature = 0.1;
const rate = 0.01;
/** Steps in which the learning rate grows. */
const warmUp = 50;
/** A token as frequent as this counts half in the beginning. */
const common = 1e-4;
const size = { words: 48_000, pieces: 8_000, least: 4 };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: "string" },
    seed: { type: "string", default: "1" },
    steps: { type: "string", default: "500" },
    without: { type: "string", multiple: true, default: [] },
  },
});
if (values.out === undefined || positionals.length === 0) throw new Error("Use: --out MODEL PLACE…");

const random = createRandom(Number(values.seed));
const started = process.cpuUsage();
const sources = trainingSources(positionals).filter(({ name }) => !values.without.includes(name));
for (const { name, entries } of sources) console.log(`${name}: ${entries.length} pairs`);

const counts = new Map<string, number>();
for (const { entries } of sources)
  for (const { title, text } of entries)
    for (const part of [title, text])
      for (const word of wordsOf(part)) counts.set(word, (counts.get(word) ?? 0) + 1);
const vocabulary = buildVocabulary(counts, size);
const encode = createEncoder(vocabulary);
const encoded = sources.map(
  ({ name, entries }): EncodedSource => ({
    name,
    titles: entries.map(({ title }) => encode(title)),
    texts: entries.map(({ text }) => encode(text)),
  }),
);
said(`${vocabulary.length} tokens`);

const table = firstVectors(encoded);
said("vectors by neighbours");

const steps = Number(values.steps);
const next = createBatches(encoded, { random, batch, openings: openings.map(encode) });
const learn = createContrast(table, { width, batch, temperature });
let loss = 0;
for (let step = 0; step < steps; step++) {
  loss += learn(next(), rate * Math.min(1, (step + 1) / warmUp) * (1 - (0.95 * step) / steps));
  if ((step + 1) % 100 !== 0) continue;
  said(`step ${step + 1}, loss ${(loss / 100).toFixed(3)}`);
  loss = 0;
}
writeModel(values.out, { vocabulary, table, width });

/** Vectors by which tokens stand near one another; frequent tokens are shorter. */
function firstVectors(sources: readonly EncodedSource[]): Float32Array {
  const texts = sources.flatMap(({ titles, texts }) => [...titles, ...texts]);
  const frequency = new Float64Array(vocabulary.length);
  let all = 0;
  for (const text of texts) {
    all += text.length;
    for (const token of text) frequency[token] = (frequency[token] as number) + 1;
  }
  const first = spectralVectors(positiveInformation(texts, vocabulary.length), { width, random });
  for (const [token, count] of frequency.entries()) {
    const row = first.subarray(token * width, (token + 1) * width);
    const length = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0)) || 1;
    const weight = common / (common + count / all) / length;
    for (const [column, value] of row.entries())
      row[column] = value * weight + (random.below(1001) - 500) * 1e-5;
  }
  return first;
}

/** With the processor time so far. */
function said(what: string): void {
  const { user, system } = process.cpuUsage(started);
  console.log(`${what} (${((user + system) / 1e6).toFixed(0)} s)`);
}
