// Time and memory on made-up skills: `node --import tsx bench/search.ts --scale N [--bodies]`.
import { readFileSync } from "node:fs";
import { decodeIndex, encodeIndex } from "../src/core/search/index-file.ts";
import { type SearchDocument, type SearchIndex, searchStored } from "../src/core/search/search-index.ts";
import { buildIndexData } from "../src/core/search/stored-index.ts";

/** Skills with words of a skewed distribution, some names of their own. */
function* madeUp(count: number, bodies: boolean): Generator<SearchDocument> {
  const words = readFileSync(new URL("../data/gloss.txt", import.meta.url), "utf8")
    .split("\n")
    .flatMap((line) => line.split("\t")[1]?.split(/[ ,]/) ?? [])
    .filter(
      (word, index, all) =>
        index % 3 === 0 && /^[a-z]{3,12}$/.test(word) && all.indexOf(word, Math.max(0, index - 50)) === index,
    )
    .slice(0, 30_000);
  let state = 12345;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
  const text = (length: number): string =>
    Array.from({ length }, () => words[Math.floor(words.length * random() ** 3)] ?? "skill").join(" ");
  for (let number = 0; number < count; number++)
    yield {
      name: `${text(2).replace(" ", "-")}-${number % 50_000}`,
      location: `/skills/group-${number % 997}/skill-${number}/SKILL.md`,
      aliases: [],
      localized: [],
      description: text(22),
      whenToUse: "",
      body: bodies ? `# ${text(3)}\n\n${text(300)}\n` : "",
    };
}

/** Processor time in seconds since `from`. */
function spent(from: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1e6;
}

/** Requests that are asked; so many more come before them. */
const asked = 300;
const warming = 100;

/** Two kinds of requests of eight words: the beginning of one description, and words of eight different ones. */
function requests(): ReadonlyMap<string, readonly string[]> {
  const texts = [...madeUp(2_000, false)].map(({ description }) => description.split(" "));
  const list = (make: (number: number) => readonly (string | undefined)[]): readonly string[] =>
    Array.from({ length: asked + warming }, (_, number) => make(number).join(" "));
  return new Map([
    ["words of one description", list((number) => (texts[number] ?? []).slice(0, 8))],
    [
      "words of eight descriptions",
      list((number) =>
        Array.from({ length: 8 }, (_, word) => texts[(number * 5 + word * 241) % 2_000]?.[word * 2]),
      ),
    ],
  ]);
}

function timed(index: SearchIndex, queries: readonly string[]): string {
  for (const query of queries.slice(asked)) index.search(query, { limit: 8 });
  const times: number[] = [];
  const used: number[] = [];
  for (const query of queries.slice(0, asked)) {
    const start = performance.now();
    const cpu = process.cpuUsage();
    index.search(query, { limit: 8 });
    used.push(spent(cpu) * 1000);
    times.push(performance.now() - start);
  }
  const at = (list: number[], share: number): string =>
    ([...list].sort((a, b) => a - b)[Math.floor(list.length * share)] ?? 0).toFixed(1);
  return `p50 ${at(used, 0.5)} ms, p95 ${at(used, 0.95)} ms (by the clock ${at(times, 0.5)}, ${at(times, 0.95)})`;
}

/** The most memory that the process held so far, in MB of a million bytes. */
function peak(): string {
  return ((process.resourceUsage().maxRSS * 1024) / 1e6).toFixed(0);
}

/** Prints what `count` made-up skills cost, in processor time; skills are made one by one and not kept. */
export function scale(count: number, bodies: boolean): void {
  let from = process.cpuUsage();
  let made = 0;
  for (const { name } of madeUp(count, bodies)) made += name.length > 0 ? 1 : 0;
  const making = spent(from);
  from = process.cpuUsage();
  const stored = buildIndexData(madeUp(made, bodies));
  const built = spent(from) - making;
  from = process.cpuUsage();
  const index = searchStored(stored);
  index.search("warm up the machine", { limit: 8 });
  const opened = spent(from);
  console.log(
    `${count} skills${bodies ? " with bodies" : ""}, processor time: made in ${making.toFixed(1)} s, built in ${built.toFixed(1)} s, first answer after ${opened.toFixed(2)} s`,
  );
  for (const [kind, queries] of requests()) console.log(`a request of ${kind}: ${timed(index, queries)}`);
  console.log(`resident at most ${peak()} MB`);
  const bytes = encodeIndex(stored);
  from = process.cpuUsage();
  const read = decodeIndex(bytes);
  if (read !== null) searchStored(read).search("warm up the machine", { limit: 8 });
  console.log(
    `kept in ${(bytes.length / 1e6).toFixed(0)} MB; first answer from them after ${spent(from).toFixed(2)} s`,
  );
}
