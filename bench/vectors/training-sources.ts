import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Entry, Source } from "./entry.ts";
import { readDescriptions } from "./read-descriptions.ts";
import { readDictionary } from "./read-dictionary.ts";
import { readManual } from "./read-manuals.ts";
import { readSkills } from "./read-skills.ts";
import { readThesaurus } from "./read-thesaurus.ts";
import { readWordnet } from "./read-wordnet.ts";

/**
 * What can be learned from below the given places, told by the names of files: `*Translation-en*` (lists of packages),
 * `wordnet/data.*`, `*.dict.dz`, `man/man?/*.gz`, `mythes/th_en*.dat`, `*corpus.jsonl.gz` (skills).
 * Always in the same order.
 */
export function trainingSources(places: readonly string[]): readonly Source[] {
  const files = places.flatMap(filesBelow);
  const matching = (pattern: RegExp): readonly string[] => files.filter((path) => pattern.test(path));
  const sources: Source[] = [];
  const add = (name: string, entries: readonly Entry[]): void => {
    if (entries.length > 0) sources.push({ name, entries });
  };
  add("packages", readDescriptions(matching(/Translation-en[^/]*$/).map(textOf)));
  const wordnet = matching(/\/wordnet\/data\.(?:noun|verb|adj|adv)$/);
  const kinds: Readonly<Record<string, string>> = { noun: "n", verb: "v", adj: "a", adv: "r" };
  add(
    "wordnet",
    readWordnet(new Map(wordnet.map((path) => [kinds[path.split(".").at(-1) ?? ""] ?? "", textOf(path)]))),
  );
  for (const path of matching(/\.dict\.dz$/)) add(basename(path, ".dict.dz"), readDictionary(textOf(path)));
  add(
    "thesaurus",
    matching(/\/mythes\/th_en[^/]*\.dat$/).flatMap((path) => readThesaurus(textOf(path))),
  );
  add(
    "manuals",
    matching(/\/man\/man\d\/[^/]+\.gz$/).flatMap((path) => readManual(textOf(path)) ?? []),
  );
  add(
    "skills",
    matching(/corpus\.jsonl\.gz$/).flatMap((path) => readSkills(textOf(path))),
  );
  return sources;
}

function filesBelow(place: string): readonly string[] {
  if (!statSync(place).isDirectory()) return [place];
  return readdirSync(place, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function textOf(path: string): string {
  const bytes = readFileSync(path);
  return (/\.(?:gz|dz)$/.test(path) ? gunzipSync(bytes) : bytes).toString("utf8");
}
