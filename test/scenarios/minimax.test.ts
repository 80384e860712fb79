import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSkills } from "../../src/index.ts";
import { sandbox, skill } from "../cli/run-skillet.ts";

/** One machine on which everything that MiniMax Code reads is there. */
const place = sandbox();
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Where a copy of `shared` lies, strongest first, with the kind and priority of spec minimax 1.1. */
const sources: readonly (readonly [folder: string, source: string])[] = [
  [".minimax/skills", "workspace-minimax"],
  [".claude/skills", "workspace-cc"],
  [".agents/skills", "workspace-agents"],
  ["DATA/agents/mavis/skills", "agent"],
  ["~/.claude/skills", "user-cc"],
  ["~/.codex/skills", "user-codex"],
  ["~/.agents/skills", "user-agents"],
  ["DATA/skills", "global"],
  ["DATA/.builtin-skills", "builtin-seeded"],
];

const folderOf = (folder: string): string =>
  folder.startsWith("~/")
    ? join(place.home, folder.slice(2))
    : folder.startsWith("DATA/")
      ? join(place.data, folder.slice(5))
      : join(place.project, folder);

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const flags = ["--as", "minimax"];
const minimax = (args: readonly string[]) => place.run([...flags, ...args]);

interface Listing {
  readonly skills: readonly { readonly name: string; readonly source: string; readonly enabled: boolean }[];
  readonly shadowed: readonly { readonly name: string; readonly source: string; readonly message: string }[];
}

const list = async (): Promise<Listing> => (await minimax(["list", "--json", "--all"])).json() as Listing;

beforeAll(() => {
  for (const [folder, source] of sources) {
    put(join(folderOf(folder), "shared/SKILL.md"), skill("shared", `From ${source}.`));
  }
});

afterAll(() => place.remove());

describe("MiniMax Code in a fresh home", () => {
  test.each(sources.map(([folder, source], index) => ({ folder, source, index })))(
    "$source is place $index of the order",
    async ({ folder, source, index }) => {
      const { skills, shadowed } = await list();
      expect(skills.find(({ name }) => name === "shared")?.source).toBe(source);
      expect(shadowed.filter(({ name }) => name === "shared")).toHaveLength(sources.length - index - 1);
      expect(shadowed.every(({ message }) => message.startsWith("Shadowed by "))).toBe(true);
      // The next row finds this copy gone.
      const { rmSync } = await import("node:fs");
      rmSync(join(folderOf(folder), "shared"), { recursive: true });
    },
  );

  test("a switch in one process is seen by another", () => {
    put(join(folderOf("DATA/skills"), "notes/SKILL.md"), skill("notes", "Take notes."));
    const run = (args: readonly string[]) =>
      spawnSync(
        process.execPath,
        [
          "--import",
          "tsx",
          "src/bin/skillet.ts",
          ...flags,
          "--cwd",
          place.project,
          "--home",
          place.home,
          "--data",
          place.data,
          ...args,
        ],
        { cwd: root, encoding: "utf8" },
      );
    const enabled = (): boolean | undefined =>
      (JSON.parse(run(["list", "--json"]).stdout) as Listing).skills.find(({ name }) => name === "notes")
        ?.enabled;
    expect(enabled()).toBe(true);
    expect(run(["disable", "notes"]).status).toBe(0);
    expect(enabled()).not.toBe(true);
    expect(run(["load", "notes"]).status).not.toBe(0);
    expect(run(["enable", "notes"]).status).toBe(0);
    expect(enabled()).toBe(true);
  });

  test("a change is seen while the skills are open", async () => {
    const skills = openSkills({ profile: "minimax", cwd: place.project, home: place.home, data: place.data });
    try {
      const seen = new Promise<readonly string[]>((resolve) => {
        skills.on("change", ({ added }) => {
          if (added.length > 0) resolve(added.map(({ name }) => name));
        });
      });
      put(join(folderOf("DATA/skills"), "fresh/SKILL.md"), skill("fresh", "Came later."));
      expect(await seen).toContain("fresh");
    } finally {
      skills.close();
    }
  });

  test("an enabled plugin brings its skills, by their whole name", async () => {
    put(join(place.data, "plugins/garden/plugin.json"), JSON.stringify({ name: "garden" }));
    put(join(place.data, "plugins/garden/skills/water/SKILL.md"), skill("water", "Water the beds."));
    expect((await list()).skills.map(({ name }) => name)).not.toContain("garden:water");
    put(join(place.data, "plugins/enabled.json"), JSON.stringify(["garden"]));
    const { stdout } = await minimax(["load", "garden:water", "--by", "model"]);
    expect(stdout).toContain("Do it.");
  });

  test("the catalog follows the window, and never exceeds its budget", async () => {
    const words = "plan water the beds in the morning and write down what was done ".repeat(12);
    for (let number = 0; number < 120; number += 1) {
      put(
        join(folderOf("DATA/skills"), `job-${number}/SKILL.md`),
        skill(`job-${number}`, `Job ${number}: ${words}`),
      );
    }
    const catalogs = await Promise.all(
      ["20000", "100000", "1000000"].map(async (window) => {
        const { stdout } = await minimax(["catalog", "--json", "--window", window]);
        return JSON.parse(stdout) as { text: string; tokens: number; budget: number; overflow: string };
      }),
    );
    expect(catalogs.map(({ budget }) => budget)).toEqual([400, 2000, 5000]);
    for (const { tokens, budget } of catalogs) expect(tokens).toBeLessThanOrEqual(budget);
    expect(catalogs.map(({ overflow }) => overflow)).toEqual(["omitted", "shortened", "shortened"]);
    expect(catalogs.map(({ text }) => text.length)).toEqual(
      [...catalogs.map(({ text }) => text.length)].sort((a, b) => a - b),
    );
  });
});
