import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkEntry, checkListing, contentLine, listingLimits } from "./listing.ts";
import { addressProblem, readMcpServers } from "./server-settings.ts";

const digest = `sha256:${"a".repeat(64)}`;
const good = (name = "pdf", more: readonly string[] = []): Record<string, unknown> => ({
  uri: `skill://${name}/SKILL.md`,
  frontmatter: { name, description: "Fill in forms." },
  resources: ["SKILL.md", ...more].map((path) => ({ uri: `skill://${name}/${path}`, digest, size: 1 })),
});

describe("an entry", () => {
  it.each([
    ["of another name than its address", { ...good(), frontmatter: { name: "other", description: "x" } }],
    ["with a name that is none", { ...good("My_Skill") }],
    ["without description", { ...good(), frontmatter: { name: "pdf" } }],
    ["without SKILL.md in its list", { ...good(), resources: [] }],
    ["with a file elsewhere", { ...good("pdf", ["../other/x"]) }],
    ["with an encoded way out", { ...good("pdf", ["%2e%2e/x"]) }],
    ["with a file of another server", { ...good(), resources: [{ uri: "https://a/b", digest, size: 1 }] }],
    ["with a file twice", { ...good("pdf", ["a", "a"]) }],
    [
      "with an upper-case digest",
      { ...good(), resources: [{ uri: "skill://pdf/SKILL.md", digest: digest.toUpperCase(), size: 1 }] },
    ],
    [
      "with another algorithm",
      { ...good(), resources: [{ uri: "skill://pdf/SKILL.md", digest: "md5:aa", size: 1 }] },
    ],
    ["with a size below zero", { ...good(), resources: [{ uri: "skill://pdf/SKILL.md", digest, size: -1 }] }],
    [
      "with too many bytes",
      { ...good(), resources: [{ uri: "skill://pdf/SKILL.md", digest, size: listingLimits.bytes + 1 }] },
    ],
    [
      "with too many files",
      good(
        "pdf",
        Array.from({ length: 512 }, (_, at) => `f${at}`),
      ),
    ],
    ["that is dynamic", { ...good(), resources: "dynamic" }],
    [
      "with a huge frontmatter",
      { ...good(), frontmatter: { name: "pdf", description: "x", metadata: "y".repeat(300_000) } },
    ],
    ["that is a text", "skill"],
    ["that is null", null],
  ])("%s is left out with a reason", (_, entry) => {
    expect(checkEntry(entry)).toEqual(expect.any(String));
    const { skills, problems } = checkListing([entry, good("ok")]);
    expect([skills.map(({ frontmatter }) => frontmatter.name), problems.length]).toEqual([["ok"], 1]);
  });

  it("is approved by every address and digest, whatever their order", () => {
    const of = (entry: unknown): string => {
      const checked = checkEntry(entry);
      if (typeof checked === "string") throw new Error(checked);
      return contentLine(checked.skill);
    };
    const entry = good("pdf", ["a", "b"]);
    const resources = entry.resources as { uri: string }[];
    expect(of({ ...entry, resources: resources.toReversed() })).toBe(of(entry));
    expect(of(good("pdf", ["a"]))).not.toBe(of(entry));
    expect(
      of({ ...entry, resources: resources.map((file) => ({ ...file, digest: `sha256:${"b".repeat(64)}` })) }),
    ).not.toBe(of(entry));
  });
});

it("any list is read without throwing, one entry never costs another", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { maxLength: 20 }), (entries) => {
      const { skills } = checkListing([...entries, good("last")]);
      expect(skills.at(-1)?.frontmatter.name).toBe("last");
    }),
  );
});

it("settings of any shape are read without throwing", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (mcp) => {
      const settings = Object.fromEntries(
        Object.entries(mcp).map(([name, value]) => [
          name,
          { value, layer: { name: "user" as const, path: null } },
        ]),
      );
      for (const { name } of readMcpServers(settings).servers)
        expect(name).toMatch(/^[a-z0-9][a-z0-9-]{0,31}$/);
    }),
  );
});

it.each([
  ["https://example.com/mcp", true],
  ["https://example.com:8443", true],
  ["http://localhost:3000/mcp", true],
  ["http://127.0.0.1/mcp", true],
  ["http://[::1]:9/mcp", true],
  ["http://example.com", false],
  ["http://127.0.0.1.example.com", false],
  ["https://user:password@example.com", false],
  ["http://localhost@example.com", false],
  ["ftp://example.com", false],
  ["file:///etc/passwd", false],
  ["", false],
])("the address %s is asked: %s", (address, asked) => expect(addressProblem(address) === null).toBe(asked));
