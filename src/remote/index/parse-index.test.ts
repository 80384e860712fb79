import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pathProblem } from "../archive/path-problem.ts";
import { indexPlaces } from "./index-places.ts";
import { indexSchema, parseIndex } from "./parse-index.ts";

const url = "https://skills.example/s/index.json";
const limits = { skills: 5_000, files: 500 };
const parse = (value: unknown) =>
  parseIndex(new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value)), {
    url,
    limits,
  });
const good = { name: "good", files: ["SKILL.md", "references/a b.md"] };
const stated = { name: "good", type: "skill-md", url: "x.md", digest: `sha256:${"0".repeat(64)}` };

describe("an index", () => {
  test("files lie below the entry's folder, their names encoded", () => {
    const parsed = parse({ skills: [good] });
    expect("index" in parsed && parsed.index.entries).toEqual([
      {
        ...{ kind: "files", name: "good", version: null, signatures: [] },
        files: [
          { path: "SKILL.md", url: "https://skills.example/s/good/SKILL.md" },
          { path: "references/a b.md", url: "https://skills.example/s/good/references/a%20b.md" },
        ],
      },
    ]);
  });

  test.each([
    ["x.md", "https://skills.example/s/x.md"],
    ["/x.md", "https://skills.example/x.md"],
    ["../x.md", "https://skills.example/x.md"],
    ["../../../../x.md", "https://skills.example/x.md"],
    ["//other.example/x.md", "https://other.example/x.md"],
    ["http://other.example/x.md", "http://other.example/x.md"],
  ])("the address %s counts from the index", (address, resolved) => {
    const parsed = parse({ $schema: indexSchema, skills: [{ ...stated, url: address }] });
    expect("index" in parsed && parsed.index.entries).toEqual([expect.objectContaining({ url: resolved })]);
  });

  test("each entry stands for itself, whatever else the index holds", () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { maxLength: 8 }),
        fc.nat(8),
        fc.boolean(),
        (others, place, second) => {
          const [schema, entry] = second ? [{ $schema: indexSchema }, stated] : [{}, good];
          const at = Math.min(place, others.length);
          const parsed = parse({ ...schema, skills: [...others.slice(0, at), entry, ...others.slice(at)] });
          if (!("index" in parsed)) return expect(parsed.problem).toMatch(/nested/);
          const { entries, problems } = parsed.index;
          expect(entries.some(({ name }) => name === "good")).toBe(true);
          // Nothing is dropped silently.
          expect(problems.length).toBeGreaterThanOrEqual(others.length + 1 - entries.length);
        },
      ),
    );
  });

  test("no list of files leads out of the entry's folder or to another server", () => {
    const path = fc.oneof(
      fc.string(),
      fc
        .array(fc.constantFrom("..", ".", "", "a", "%2e%2e", "\\", "/", ":", "?", "#", "C:"), {
          maxLength: 6,
        })
        .map((parts) => parts.join("/")),
    );
    fc.assert(
      fc.property(fc.array(path, { maxLength: 6 }), (files) => {
        const parsed = parse({ skills: [{ name: "good", files: ["SKILL.md", ...files] }] });
        if (!("index" in parsed)) return;
        for (const entry of parsed.index.entries) {
          if (entry.kind !== "files") continue;
          for (const file of entry.files) {
            expect(file.url.startsWith("https://skills.example/s/good/")).toBe(true);
            expect(pathProblem(file.path)).toBeNull();
          }
        }
      }),
    );
  });

  test("any bytes have an answer", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        parseIndex(bytes, { url, limits });
      }),
    );
  });
});

test.each([
  ["https://a.example", [".well-known/agent-skills/", ".well-known/skills/", ""]],
  ["https://a.example/s", ["s/", "s/.well-known/agent-skills/", "s/.well-known/skills/"]],
  ["https://a.example/.well-known/skills/", [".well-known/skills/"]],
])("the index of %s may lie in %j", (address, folders) => {
  expect(indexPlaces(address)).toEqual(folders.map((folder) => `https://a.example/${folder}index.json`));
});

test("an address of a JSON file is the index itself", () => {
  expect(indexPlaces("https://a.example/x.json?token=1#part")).toEqual(["https://a.example/x.json?token=1"]);
});
