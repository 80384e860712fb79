import { expect } from "vitest";
import type { Tree } from "../cases/lay-out.ts";
import { type Sibling, skill } from "./sibling.ts";

/** Skills `s000`, `s001`, … with long descriptions. */
function many(count: number, length = 300): Tree {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => {
      const name = `s${String(at).padStart(3, "0")}`;
      const words = `Helps with task ${at} of the garden. Use when task ${at} is due. `;
      return [`skills/${name}/SKILL.md`, skill(name, words.repeat(Math.ceil(length / words.length)).trim())];
    }),
  );
}

const manyNames = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `s${String(at).padStart(3, "0")}`);

/** Budget, catalog order, search and arguments. */
export const offers: readonly Sibling[] = [
  {
    id: "five-hundred",
    about:
      "500 skills: the catalog keeps its budget, names every skill or counts what it leaves out, search finds all.",
    tree: many(500),
    config: { skills: { pins: ["s499"] } },
    offered: manyNames(500),
    more: (skills) => {
      const { text, tokens, budget, skills: lines, overflow } = skills.catalog();
      expect(tokens).toBeLessThanOrEqual(budget ?? 0);
      expect(overflow).not.toBe("none");
      expect(lines.map(({ name }) => name)).toEqual(manyNames(500));
      expect(lines.find(({ name }) => name === "s499")?.state).toBe("full");
      for (const { name, state } of lines) expect(text?.includes(name)).toBe(state !== "omitted");
      expect(skills.search("task 321").results[0]?.name).toBe("s321");
      for (const name of ["s000", "s250", "s498"]) expect(skills.load(name).status).toBe("loaded");
    },
  },
  {
    id: "budgets",
    about: "More budget never shows less, no budget shows nothing, and the figure is kept at every size.",
    tree: many(60, 200),
    offered: manyNames(60),
    more: (skills) => {
      const order = ["omitted", "name-only", "shortened", "full"];
      let before: readonly number[] = Array.from({ length: 60 }, () => 0);
      for (const budget of [0, 50, 200, 500, 1000, 2000, 4000, 8000, 100_000]) {
        const { tokens, skills: lines } = skills.catalog({ budget });
        expect(tokens, `${budget}`).toBeLessThanOrEqual(budget);
        const now = lines.map(({ state }) => order.indexOf(state));
        if (now.length === 60) {
          const [less, more] = [sum(before), sum(now)];
          expect(more, `budget ${budget}`).toBeGreaterThanOrEqual(less);
          before = now;
        }
      }
      expect(before.every((state) => state === 3)).toBe(true);
    },
  },
  {
    id: "window-share",
    about: "A larger context window gives the catalog more room.",
    tree: many(150),
    offered: manyNames(150),
    more: (skills) => {
      const [small, large] = [
        skills.catalog({ contextWindow: 32_000 }),
        skills.catalog({ contextWindow: 1_000_000 }),
      ];
      expect(small.budget).toBeLessThan(large.budget ?? 0);
      expect(small.tokens).toBeLessThanOrEqual(small.budget ?? 0);
      expect(large.tokens).toBeGreaterThan(small.tokens);
    },
  },
  {
    id: "long-description",
    about: "One description of 20,000 characters does not push the others out.",
    tree: { ...many(3), "skills/wordy/SKILL.md": skill("wordy", "word ".repeat(4000).trim()) },
    offered: [...manyNames(3), "wordy"],
    said: [{ level: "warning", code: "description/too-long", file: "skills/wordy/SKILL.md" }],
    more: (skills) => {
      const { skills: lines } = skills.catalog();
      expect(lines.filter(({ state }) => state === "full").map(({ name }) => name)).toEqual(manyNames(3));
      expect(lines.at(-1)?.state).toBe("shortened");
      expect(skills.entries.at(-1)?.skill.description).toHaveLength(19_999);
    },
  },
  {
    id: "several-lines",
    about: "Descriptions of several lines take one line of the catalog.",
    tree: { "skills/a/SKILL.md": skill("a", "|", "  One.", "  Two.", "", "  Three.") },
    offered: ["a"],
    more: (skills) => {
      expect(skills.catalog().text).toContain("One. Two. Three.");
      expect(skills.commands()[0]?.description).toBe("One. Two. Three.");
    },
  },
  {
    id: "search-words",
    about: "Any word counts, other forms of a word too, Chinese without spaces, the exact name first.",
    tree: {
      "skills/pdf/SKILL.md": skill("pdf", "Read and fill PDF forms."),
      "skills/tables/SKILL.md": skill("tables", "Sort spreadsheets by month; mentions pdf pdf pdf."),
      "skills/seeds/SKILL.md": skill("seeds", "整理种子标签，按播种月份排序"),
      "skills/watering/SKILL.md": skill("watering", "Plans when beds are watered."),
    },
    offered: ["pdf", "seeds", "tables", "watering"],
    more: (skills) => {
      const first = (query: string): string | undefined => skills.search(query).results[0]?.name;
      expect(first("pdf")).toBe("pdf");
      expect(first("/pdf")).toBe("pdf");
      expect(first("种子标签")).toBe("seeds");
      expect(first("sort my spreadsheet")).toBe("tables");
      expect(first("water the bed")).toBe("watering");
      expect(skills.search("the of and").results.length).toBeLessThanOrEqual(4);
      expect(skills.search("constructor __proto__").results).toEqual([]);
    },
  },
  {
    id: "search-ties",
    about: "Equal scores are ordered by name.",
    tree: Object.fromEntries(
      ["zeta", "alpha", "mid"].map((name) => [`skills/${name}/SKILL.md`, skill(name, "Waters the beds.")]),
    ),
    offered: ["alpha", "mid", "zeta"],
    more: (skills) =>
      expect(skills.search("waters beds").results.map(({ name }) => name)).toEqual(["alpha", "mid", "zeta"]),
  },
  {
    id: "arguments",
    about:
      "Placeholders above nine, escapes before names, text that looks like a placeholder in an argument.",
    tree: {
      "skills/a/SKILL.md": `${skill("a")}$10 \\$ARGUMENTS $1$2 $0x\n`,
      "skills/b/SKILL.md": `${skill("b", "Named.", "arguments: [bed]")}$bed $bedding \\$bed $BED\n`,
    },
    offered: ["a", "b"],
    more: (skills) => {
      const words = "0 1 2 3 4 5 6 7 8 9 ten";
      expect(skills.load("a", { arguments: words }).output).toContain("ten $ARGUMENTS 12 ");
      expect(skills.load("b", { arguments: "north" }).output).toContain("north $bedding $bed $BED");
      expect(skills.load("b", { arguments: "'$bed $0'" }).output).toContain("$bed $0 $bedding");
    },
  },
  {
    id: "own-files",
    about: "Files of a skill are named relative to its folder, and read only there.",
    tree: {
      "skills/a/SKILL.md": `${skill("a")}See references/x.md.\n`,
      "skills/a/references/x.md": "x",
      "skills/a/scripts/run.sh": "#!/bin/sh\n",
      "skills/a/.git/config": "",
      "skills/a/node_modules/m/index.js": "",
      "skills/a/leak": { link: "../../secret.txt" },
      "secret.txt": "secret",
    },
    offered: ["a"],
    more: (skills, { folder }) => {
      const { output } = skills.load("a");
      expect(output).toContain(`Skill folder: ${folder}/skills/a`);
      expect(output).toContain("<file>references/x.md</file>");
      expect(output).not.toContain("node_modules");
      const [entry] = skills.entries;
      if (entry === undefined) throw new Error("no skill");
      const read = (path: string): string => JSON.stringify(skills.readFile(entry.skill, path));
      expect(read("references/x.md")).toContain('"x"');
      for (const path of [
        "../../secret.txt",
        "leak",
        `${folder}/secret.txt`,
        "references/../../../secret.txt",
      ])
        expect(read(path), path).not.toContain('"secret"');
    },
  },
  {
    id: "too-large",
    about: "A SKILL.md above the limit is not read into memory, and said so.",
    tree: { "skills/a/SKILL.md": skill("a") + "x".repeat(1_100_000), "skills/b/SKILL.md": skill("b") },
    offered: ["b"],
    said: [{ level: "error", code: "file/too-large", file: "skills/a/SKILL.md" }],
    more: (skills) => expect(skills.explain("a").verdict).toBe("skipped"),
  },
];

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
