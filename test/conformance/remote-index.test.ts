import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Severity } from "../../src/core/diagnostic.ts";
import { type LoopbackServer, loopbackServer, type Routes } from "../remote/loopback-server.ts";
import { makePlace, type Place } from "../remote/open-pulled.ts";

// Case r-index: a site with an index of form 0.2, and one of the older form, pulled by profile skillet.

const folder = fileURLToPath(new URL("../fixtures/cases/r-index/", import.meta.url));
interface Expected {
  readonly skills: readonly {
    readonly name: string;
    readonly included: boolean;
    readonly description?: string;
    readonly files?: readonly string[];
  }[];
  readonly diagnostics: readonly { readonly level: Severity; readonly says: string }[];
}
const { expected } = JSON.parse(readFileSync(join(folder, "expect.json"), "utf8")) as { expected: Expected };

/** What each expected sentence has to say here. */
const readings: readonly (readonly [says: string, code: string, words: RegExp])[] = [
  ["altered: digest differs from the index", "remote/digest", /^altered: the digest differs from the index/],
  ["missing: could not be fetched", "remote/status", /^missing: Cannot fetch .*404/],
  ["../evil: name not allowed", "remote/entry", /^\.\.\/evil: the name is not allowed/],
  ["future: unknown type, skipped", "remote/unknown-type", /^future: .*unknown; skipped/],
  [
    "rake: file path leaves the skill folder, skipped",
    "remote/unsafe-file",
    /^rake: .*left out: it leaves the skill's folder/,
  ],
];

function routesOf(site: string): Routes {
  const files = readdirSync(join(folder, site), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(join(folder, site).length), { body: readFileSync(path) }];
    }),
  );
}

describe("case r-index", () => {
  let sites: readonly LoopbackServer[];
  let place: Place;
  let result: Awaited<ReturnType<Place["pull"]>>;
  beforeAll(async () => {
    sites = [await loopbackServer(routesOf("site")), await loopbackServer(routesOf("older"))];
    place = makePlace();
    place.configure({ skills: { urls: sites.map(({ origin }) => `${origin}/`) } });
    result = await place.pull();
  });
  afterAll(async () => {
    await Promise.all(sites.map((site) => site.close()));
    place.remove();
  });

  test.each(expected.skills)("$name", ({ name, included, description, files }) => {
    const { skills } = result;
    const entry = skills.entries.find(({ skill }) => skill.name === name);
    expect(entry?.hidden === null).toBe(included);
    expect(skills.explain(name).verdict).toBe(included ? "offered" : "absent");
    expect(skills.load(name).status).toBe(included ? "loaded" : "unknown");
    if (entry === undefined) return;
    if (description !== undefined) expect(entry.skill.description).toBe(description);
    if (files !== undefined)
      expect(skills.files(entry.skill).files.filter((file) => file.toLowerCase() !== "skill.md")).toEqual(
        files,
      );
  });

  test("every finding that the case expects, and no other", () => {
    const found = result.outcomes.flatMap(({ diagnostics, changes }) => [
      ...diagnostics,
      ...changes.flatMap(({ findings }) => findings),
    ]);
    expect(found).toHaveLength(expected.diagnostics.length);
    for (const { level, says } of expected.diagnostics) {
      const [, code, words] = readings.find(([text]) => text === says) ?? [];
      const fitting = found.filter((finding) => finding.severity === level && finding.code === code);
      expect(
        fitting.filter(({ message }) => words?.test(message)),
        says,
      ).toHaveLength(1);
    }
  });

  test("what was not pulled says why", () => {
    for (const { name, included } of expected.skills) {
      if (included) continue;
      const { summary } = result.skills.explain(name);
      expect(summary, name).toContain("was not pulled");
    }
  });

  test("works without the servers", async () => {
    await Promise.all(sites.map((site) => site.close()));
    const again = await place.pull();
    expect(again.names).toEqual(["clips", "compost", "rake"]);
    expect(again.outcomes.map(({ status }) => status)).toEqual(["stale", "stale"]);
    expect(again.skills.load("compost").status).toBe("loaded");
  });
});
