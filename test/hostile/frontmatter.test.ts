import { expect, test } from "vitest";
import { skilletProfile } from "../../src/core/profiles/skillet/profile.ts";
import { lenientReader } from "../../src/core/skill/lenient-reader.ts";
import { nodeCodec } from "../../src/host/node-file-system.ts";
import { fastest } from "../support/processor-time.ts";
import { child } from "./fixtures/child.ts";
import {
  aliasBomb,
  bareDeep,
  cyclicAlias,
  deeplyNested,
  fences,
  inheritedNames,
  languageFences,
  manyKeys,
  mergeKeys,
  nests,
  type Payloads,
  pollutingKeys,
  seeded,
  slowOpenings,
  wrongTypes,
} from "./fixtures/frontmatter-payloads.ts";
import {
  createGround,
  flagsFor,
  type Ground,
  neighbour,
  put,
  putSkill,
  skillText,
} from "./fixtures/ground.ts";
import { long } from "./fixtures/long.ts";
import { agents, codesAt, everywhere, listed, open, useCommands } from "./fixtures/surface.ts";

/** Reads one file as profile `skillet` does, without a disk. */
function read(contents: string | Uint8Array, folder = "subject") {
  const bytes = typeof contents === "string" ? new TextEncoder().encode(contents) : contents;
  const source = { path: `/x/${folder}/SKILL.md`, folder, file: null, bytes };
  const context = { codec: nodeCodec, limits: skilletProfile.readLimits };
  const result = lenientReader.read(source, context);
  return {
    ...result,
    codes: result.diagnostics.map(({ code }) => code),
    body: () => lenientReader.body(source, context),
  };
}

function write(ground: Ground, payloads: Payloads): void {
  for (const [name, contents] of Object.entries(payloads)) put(ground.root, `${name}/SKILL.md`, contents);
}

/** Both say that `&` and `*` are not followed. */
const aliasCodes = /^frontmatter\/(alias|reserved-character)$/;

test("A01 a fence that names a language runs nothing and is reported", async () => {
  const ground = createGround();
  const payloads = languageFences(ground.triggered);
  write(ground, payloads);
  everywhere(ground);
  const skills = open(ground);
  for (const name of Object.keys(payloads))
    expect(codesAt(skills, `/${name}/SKILL.md`), name).toContain("frontmatter/unsupported-language");
  await useCommands(ground, { names: ["fence-js"] });
});

test("A02 an alias bomb is neither expanded nor slow", () => {
  const ground = createGround();
  const bomb = aliasBomb();
  write(ground, { bomb });
  everywhere(ground);
  expect(read(bomb).codes).toEqual(expect.arrayContaining([expect.stringMatching(aliasCodes)]));
  expect(fastest(() => read(bomb))).toBeLessThan(100);
});

test("A03 deep nesting is refused before the YAML library sees it", () => {
  for (const [name, nest] of Object.entries(nests)) {
    for (const depth of [60, 790, 1500, 4000]) {
      const file = deeplyNested(nest, depth);
      const { codes } = read(file);
      expect(codes, `${name} ${depth}`).toEqual(
        expect.arrayContaining([expect.stringMatching(/^frontmatter\/too-/)]),
      );
      expect(
        fastest(() => read(file)),
        `${name} ${depth}`,
      ).toBeLessThan(100);
    }
  }
});

test("A03 random deep documents never end the process", async () => {
  const seeds = long ? Array.from({ length: 20 }, (_, index) => index + 1) : [1, 7];
  for (const seed of seeds) {
    const ground = createGround();
    const random = seeded(seed);
    for (let index = 0; index < 24; index += 1) put(ground.root, `d${index}/SKILL.md`, bareDeep(random));
    for (const profile of long || seed === 1 ? agents : ["skillet"]) {
      const ended = await child(["list", "--json", "--trust", ...flagsFor(ground, profile)], {
        cwd: ground.cwd,
      });
      expect(ended, `${profile}, seed ${seed}`).toMatchObject({ code: 0, signal: null, hung: false });
      expect(ended.out).toContain(`"${neighbour}"`);
    }
  }
});

test("A04 very many keys are refused in time", () => {
  const ground = createGround();
  const payloads = Object.fromEntries(
    [600, 2_000, 13_000, 50_000].map((count) => [`keys-${count}`, manyKeys(count)]),
  );
  write(ground, payloads);
  everywhere(ground);
  for (const [name, contents] of Object.entries(payloads))
    expect(read(contents).codes, name).toEqual(
      expect.arrayContaining([expect.stringMatching(/^frontmatter\/too-(many-keys|large)$/)]),
    );
  expect(fastest(() => Object.values(payloads).map((contents) => read(contents)))).toBeLessThan(1000);
});

test("A05 names of inherited members are names like others, and keys pollute nothing", async () => {
  const ground = createGround();
  for (const name of inheritedNames) {
    const missing = open(ground);
    expect(missing.find(name).kind, name).toBe("absent");
    expect(missing.load(name).status, name).toBe("unknown");
  }
  for (const name of inheritedNames) putSkill(ground.root, name, { body: `the body of ${name}` });
  put(ground.root, "polluting/SKILL.md", pollutingKeys);
  everywhere(ground);
  expect("polluted" in {}).toBe(false);
  expect(Object.keys(Object.prototype)).toEqual([]);
  const skills = open(ground);
  for (const name of inheritedNames) {
    const found = skills.find(name);
    if (found.kind !== "found") continue;
    expect(skills.load(found.entry.skill.name, { by: "user" }).output, name).toContain("the body of");
  }
  expect(codesAt(skills, "/polluting/SKILL.md")).toContain("frontmatter/forbidden-key");
  await useCommands(ground, {
    names: ["__proto__", "constructor", "toString"],
    scope: "all",
    lines: [
      ...["__proto__", "constructor", "toString"].flatMap((name) => [
        ["disable", "--", name],
        ["enable", "--", name],
        ["list", "--agent", name],
        ["catalog", "--agent", name, "--json"],
        ["list", "--lang", name],
        ["list", "--env", `${name}=1`],
        ["config", "get", "--", name],
        ["check", "--", name],
      ]),
      ["list", "--as", "__proto__"],
      ["list", "--as", "constructor"],
      ["constructor"],
      ["help", "constructor"],
      ["help", "__proto__"],
      ["completion", "constructor"],
    ],
  });
  expect("polluted" in {}).toBe(false);
});

test.each(Object.entries(wrongTypes))(
  "A06 A07 A10 %s has a documented result and a diagnostic with a line",
  (name, [text, ...codes]) => {
    const result = read(`---\n${text}\n---\nbody\n`, name);
    for (const code of codes) expect(result.codes).toContain(code);
    for (const { message, severity, path, range, hint } of result.diagnostics) {
      expect(message).not.toBe("");
      expect(path).toBe(`/x/${name}/SKILL.md`);
      if (severity !== "info") expect(hint).not.toBeNull();
      if (range !== undefined) expect(range.line).toBeGreaterThan(0);
    }
  },
);

test("A06 the YAML library writes no warnings", async () => {
  const ground = createGround();
  for (const [name, [text]] of Object.entries(wrongTypes))
    put(ground.root, `${name}/SKILL.md`, `---\n${text}\n---\nbody\n`);
  everywhere(ground);
  const ended = await child(["list", "--json", "--trust", "-q", ...ground.flags], { cwd: ground.cwd });
  expect(ended).toMatchObject({ code: 0, err: "" });
  await useCommands(ground, { names: ["twice", "list"] });
});

test("A10 of two values of a key the first that says something counts, not the last", () => {
  const { document } = read("---\nname: one\nname: two\ndescription: a\ndescription: b\n---\n");
  expect(document).toMatchObject({ name: "one", description: "a" });
});

test.each(Object.entries(fences))("A08 A09 A16 fence or encoding %s", (name, [file, body]) => {
  const result = read(file, name);
  if (body === null) {
    expect(result.codes).not.toEqual([]);
    expect(result.document?.name ?? "").not.toContain("\ufffd");
  } else {
    expect(result.skip).toBeNull();
    expect(result.body()).toBe(body);
  }
});

test("A08 A09 A16 fences and encodings hurt no neighbour", async () => {
  const ground = createGround();
  write(ground, Object.fromEntries(Object.entries(fences).map(([name, [file]]) => [name, file])));
  everywhere(ground);
  for (const name of listed(open(ground))) expect(name).not.toContain("\ufffd");
  await useCommands(ground, { names: ["utf16", "binary", "invalid-utf8"] });
});

test("A11 a cyclic alias ends everywhere", async () => {
  const ground = createGround();
  write(ground, { ring: cyclicAlias });
  everywhere(ground);
  expect(read(cyclicAlias).codes).toEqual(expect.arrayContaining([expect.stringMatching(aliasCodes)]));
  for (const profile of agents) await useCommands(ground, { profile, names: ["ring"] });
});

test("A12 merge keys are not multiplied", () => {
  const ground = createGround();
  const file = mergeKeys(5_000);
  write(ground, { merge: file, small: mergeKeys(200) });
  everywhere(ground);
  expect(fastest(() => read(file))).toBeLessThan(100);
  expect(fastest(() => read(mergeKeys(200)))).toBeLessThan(100);
});

test("A14 lengths count code points, and too long is a warning", () => {
  const long64 = "n".repeat(64);
  expect(read(skillText({ name: long64 }), long64).codes).not.toContain("name/too-long");
  expect(read(skillText({ name: `${long64}n` })).codes).toContain("name/too-long");
  expect(read(skillText({ description: "🌱".repeat(1024) })).codes).not.toContain("description/too-long");
  expect(read(skillText({ description: "🌱".repeat(1025) })).codes).toContain("description/too-long");
});

test("A17 lone surrogates and NUL escapes give valid JSON and clean values", async () => {
  const ground = createGround();
  write(ground, {
    lone: '---\nname: lone\ndescription: "\\ud800 lone \\udc00"\n---\n',
    zero: '---\nname: zero\ndescription: "a\\0b"\n---\n',
    "name-lone": '---\nname: "a\\ud800b"\ndescription: x\n---\n',
    "name-zero": '---\nname: "a\\0b"\ndescription: x\n---\n',
  });
  everywhere(ground);
  const ended = await child(["list", "--json", "--all", "--trust", ...ground.flags], { cwd: ground.cwd });
  expect(ended.code).toBe(0);
  expect(() => JSON.parse(ended.out) as unknown).not.toThrow();
  expect(ended.out).not.toMatch(/\\ud[89a-f]/i);
  await useCommands(ground, { names: ["lone", "zero", "name-lone"] });
});

test("A18 a frontmatter of 3 MB without an end is read in time", () => {
  const open3 = `---\nname: open\ndescription: x\n${"key: value\n".repeat(280_000)}`;
  expect(read(open3).codes).toContain("frontmatter/unclosed");
  expect(fastest(() => read(open3))).toBeLessThan(100);
  const oneLine = `---\nname: ${"x".repeat(3_000_000)}`;
  expect(fastest(() => read(oneLine))).toBeLessThan(100);
});

test.each(Object.keys(slowOpenings))("A18 an opening line made to be slow: %s", (name) => {
  const file = `${slowOpenings[name] ?? ""}\nname: x\n---\nbody\n`;
  expect(fastest(() => read(file))).toBeLessThan(150);
});
