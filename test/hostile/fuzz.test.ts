import fc from "fast-check";
import { expect, test } from "vitest";
import { contains, normalize, relativeInside, resolve } from "../../src/core/path.ts";
import { profileId, profiles } from "../../src/core/profiles/index.ts";
import type { SkillSource } from "../../src/core/skill/document.ts";
import { fixSkill } from "../../src/core/skill/fix-skill.ts";
import { validateStrict } from "../../src/core/skill/validate-strict.ts";
import { escapeXml } from "../../src/core/text/escape-xml.ts";
import { printable } from "../../src/core/text/printable.ts";
import { evaluate } from "../../src/core/visibility/permission.ts";
import { rulesFromConfig } from "../../src/core/visibility/permission-config.ts";
import { matchWildcard } from "../../src/core/visibility/wildcard.ts";
import { parseJson } from "../../src/host/json.ts";
import { nodeCodec } from "../../src/host/node-file-system.ts";
import { unsafeCharacter } from "./fixtures/clean-text.ts";
import { createGround, put, secret } from "./fixtures/ground.ts";
import { long } from "./fixtures/long.ts";
import { open, useLibrary } from "./fixtures/surface.ts";

const runs = long ? 10_000 : 400;

/** Pieces that frontmatter is made of, right and wrong. */
const pieces = fc.constantFrom(
  "---\n",
  "---",
  "...\n",
  "----\n",
  "\r\n",
  "\r",
  "\n",
  "\t",
  " ",
  "  ",
  "name: ",
  "name:",
  "description: ",
  "descripton: ",
  "aliases: ",
  "paths: ",
  "requires: ",
  "metadata: ",
  "allowed-tools: ",
  "disable-model-invocation: ",
  "displayNames: ",
  "arguments: ",
  "when_to_use: ",
  "hooks:",
  "pdf",
  "Use when: the user says",
  "[",
  "]",
  "{",
  "}",
  ",",
  ":",
  ": ",
  "：",
  "- ",
  "? ",
  "*a",
  "&a ",
  "<<: *a",
  "!!js/function ",
  "!<x> ",
  "|",
  ">",
  "|2-",
  ">+",
  '"',
  "'",
  "\\",
  "\\x",
  "\\u",
  "#",
  " #",
  "%TAG",
  "@",
  "`",
  "true",
  "yes",
  "~",
  "null",
  "0x1F",
  "1_000:59",
  "2026-01-01",
  ".nan",
  "__proto__",
  "constructor",
  "\ufeff",
  "\u2028",
  "\u202e",
  "\u200b",
  "\x1b[2J",
  "\0",
  "\ud800",
  "🌱",
  "é",
  "e\u0301",
  "é",
  "\u{e0041}",
  "</skill>",
  `\${x}`,
  "$ARGUMENTS",
  "../",
  "*",
  "body",
);

const text = fc
  .array(fc.oneof({ weight: 6, arbitrary: pieces }, fc.string({ unit: "binary", maxLength: 6 })), {
    maxLength: 60,
  })
  .map((parts) => parts.join(""));

/** A file that could be real, damaged in a few places. */
const damaged = fc
  .tuple(
    fc.constantFrom<string>(
      "---\nname: pdf\ndescription: Reads PDF files. Use when: a form is filled in\nallowed-tools: Read, Bash(git:*)\n---\n# PDF\n\nText with $1 and `code`.\n",
      '---\nname: "seed-plan"\ndescription: >-\n  Plans the beds\n  of a garden\nmetadata:\n  version: "1.2"\n  tags: [a, b]\naliases:\n  - beds\n  - plan\n---\nbody\n',
      "---\r\nname: a\r\ndescription: |\r\n  x\r\n  y\r\npaths: src/**/*.ts\r\n---\r\n",
      "---\nname: x\nrequires:\n  bins: [git]\n  env: [HOME]\ndisplayNames:\n  zh-CN: 名\n---\n",
    ),
    fc.array(
      fc.tuple(fc.nat(), fc.nat({ max: 12 }), fc.oneof(pieces, fc.string({ unit: "binary", maxLength: 3 }))),
      { maxLength: 6 },
    ),
  )
  .map(([file, changes]) =>
    changes.reduce((now, [at, cut, put_]) => {
      const place = at % (now.length + 1);
      return now.slice(0, place) + put_ + now.slice(place + cut);
    }, file),
  );

const file = fc.oneof(
  fc.uint8Array({ maxLength: 400 }),
  text.map((value) => new TextEncoder().encode(value)),
  text.map((value) => new TextEncoder().encode(`---\n${value}\n---\nbody\n`)),
  damaged.map((value) => new TextEncoder().encode(value)),
  damaged.map((value) => Uint8Array.from([0xff, 0xfe, ...Buffer.from(value, "utf16le")])),
);

test.each(profiles.map((profile) => [profileId(profile), profile] as const))(
  "any bytes through the reader of %s",
  (_id, profile) => {
    fc.assert(
      fc.property(
        file,
        fc.oneof(fc.constant("folder"), fc.string({ unit: "binary", maxLength: 8 })),
        (bytes, folder) => {
          const before = Uint8Array.from(bytes);
          const source: SkillSource = { path: `/x/${folder}/SKILL.md`, folder, file: null, bytes };
          const context = { codec: nodeCodec, limits: profile.readLimits };
          const started = process.cpuUsage();
          const read = profile.reader.read(source, context);
          const body = profile.reader.body(source, context);
          expect(process.cpuUsage(started).user).toBeLessThan(500_000);
          expect(bytes).toEqual(before);
          expect(typeof body).toBe("string");
          const strict = profile.id === "skillet" ? validateStrict(source, context, { names: "ascii" }) : [];
          for (const one of [...read.diagnostics, ...strict]) {
            expect(one.path).toBe(source.path);
            expect(unsafeCharacter(one.message)).toBeNull();
            expect(unsafeCharacter(one.hint ?? "")).toBeNull();
            expect(one.message).not.toBe("");
            if (one.range !== undefined) expect(one.range.line * one.range.column).toBeGreaterThan(0);
          }
          if (read.document === null) {
            expect(read.skip.code).not.toBe("");
            return;
          }
          expect(JSON.stringify(read.document)).toEqual(expect.any(String));
          if (profile.id !== "skillet") return;
          const fix = fixSkill(source, context);
          if (fix !== null)
            expect(profile.reader.body({ ...source, bytes: fix.bytes }, context).trim()).toBe(body.trim());
          const { name, aliases, description } = read.document;
          for (const word of [name, ...aliases]) {
            expect(unsafeCharacter(word)).toBeNull();
            expect(word).not.toMatch(/[\n\t/\\]|^\.|^$/);
          }
          // One line break is the only control that free text may keep.
          expect(unsafeCharacter(description ?? "")).toBeNull();
        },
      ),
      { numRuns: runs },
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect("polluted" in {}).toBe(false);
  },
);

test("a reader keeps the body as it is but for carriage returns", () => {
  const [skillet] = profiles;
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (raw) => {
      const body = raw.replace(/\0|[\ud800-\udfff]/gu, "");
      const bytes = new TextEncoder().encode(`---\nname: x\ndescription: y\n---\n${body}`);
      const source: SkillSource = { path: "/x/SKILL.md", folder: "x", file: null, bytes };
      expect(skillet?.reader.body(source, { codec: nodeCodec, limits: skillet.readLimits })).toBe(
        body.replace(/\r\n?/g, "\n"),
      );
    }),
    { numRuns: runs },
  );
});

const anyText = fc.oneof(fc.string({ unit: "binary", maxLength: 60 }), text);

test("printable text has nothing hidden in it and stays as it is when made printable again", () => {
  fc.assert(
    fc.property(anyText, (value) => {
      const shown = printable(value);
      expect(unsafeCharacter(shown)).toBeNull();
      expect(shown).not.toMatch(/[\n\t]/);
      expect(printable(shown)).toBe(shown);
    }),
    { numRuns: runs * 2 },
  );
});

test("escaped text has no markup in it and can be read back", () => {
  const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
  fc.assert(
    fc.property(anyText, (value) => {
      const escaped = escapeXml(value);
      expect(escaped).not.toMatch(/[<>"']/);
      expect(escaped.replace(/&(\w+);/g, (_, name: string) => entities[name] ?? "?")).toBe(value);
    }),
    { numRuns: runs },
  );
});

/** The plain meaning of a pattern, as slow as it is clear. */
function naive(value: string, pattern: string): boolean {
  const same = (one: string) => one.replaceAll("\\", "/");
  const match = (v: number, p: number): boolean => {
    if (p === pattern.length) return v === value.length;
    if (pattern[p] === "*") return match(v, p + 1) || (v < value.length && match(v + 1, p));
    return (
      v < value.length &&
      (pattern[p] === "?" || same(pattern[p] ?? "") === same(value[v] ?? "")) &&
      match(v + 1, p + 1)
    );
  };
  return match(0, 0);
}

test("permissions: the matcher means what the plain definition means", () => {
  const letters = fc.string({
    unit: fc.constantFrom("a", "b", "-", "*", "?", "/", "\\", "A", "\n"),
    maxLength: 9,
  });
  fc.assert(
    fc.property(letters, letters, (value, pattern) => {
      expect(matchWildcard(value, pattern)).toBe(naive(value, pattern));
    }),
    { numRuns: runs * 5 },
  );
});

test("permissions: no setting throws, what is unreadable never allows, the last match decides", () => {
  const action = fc.oneof(fc.constantFrom("allow", "ask", "deny"), fc.jsonValue());
  const setting = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(anyText, action),
    fc.record({ skill: fc.dictionary(anyText, action) }),
  );
  fc.assert(
    fc.property(setting, anyText, (value, name) => {
      const { value: rules, diagnostics } = rulesFromConfig(value, { home: "/home/x", path: "/x.jsonc" });
      for (const one of diagnostics) expect(unsafeCharacter(one.message)).toBeNull();
      const decided = evaluate(rules, "skill", name);
      const last = rules.findLast(
        (rule) => matchWildcard("skill", rule.permission) && matchWildcard(name, rule.pattern),
      );
      expect(decided.action).toBe(last?.action ?? "ask");
      expect(["allow", "ask", "deny"]).toContain(decided.action);
      const written = JSON.stringify(value);
      if (!written.includes("allow")) expect(rules.every((rule) => rule.action !== "allow")).toBe(true);
    }),
    { numRuns: runs },
  );
});

test("settings: any text is read or refused with a place, and never changes an object's prototype", () => {
  const json = fc.oneof(
    fc.json({ maxDepth: 6 }),
    anyText,
    fc
      .tuple(fc.json({ maxDepth: 4 }), fc.nat(), fc.nat({ max: 5 }), anyText)
      .map(([value, at, cut, put_]) => {
        const place = at % (value.length + 1);
        return value.slice(0, place) + put_ + value.slice(place + cut);
      }),
    fc.nat({ max: 3000 }).map((depth) => '{"a":['.repeat(depth)),
  );
  fc.assert(
    fc.property(json, (value) => {
      const started = process.cpuUsage();
      const read = parseJson(value, "/x/skillet.jsonc");
      expect(process.cpuUsage(started).user).toBeLessThan(300_000);
      if (read.kind === "invalid") expect(read.diagnostics).not.toEqual([]);
      for (const one of read.diagnostics) expect(unsafeCharacter(one.message)).toBeNull();
    }),
    { numRuns: runs },
  );
  expect(Object.keys(Object.prototype)).toEqual([]);
});

const settingValue = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom("allow", "deny", -1, 1e308, "", "~", "/", "*", true, null),
);
const settingKey = fc.constantFrom(
  "permission",
  "agent",
  "precedence",
  "brands",
  "reservedCommands",
  "skills",
  "trust",
  "catalog",
  "search",
  "limits",
  "sources",
  "policy",
  "skill",
  "paths",
  "urls",
  "pins",
  "disabled",
  "flatFiles",
  "workspace",
  "folders",
  "share",
  "budget",
  "entryLimit",
  "window",
  "limit",
  "skillBytes",
  "scanDepth",
  "yamlDepth",
  "__proto__",
  "constructor",
  "build",
  "$schema",
);
const settings = fc.dictionary(
  settingKey,
  fc.oneof(
    settingValue,
    fc.dictionary(settingKey, settingValue),
    fc.dictionary(settingKey, fc.dictionary(settingKey, settingValue)),
  ),
);

test("settings: whatever the project's and the user's files say, opening works and grants nothing", () => {
  const ground = createGround();
  fc.assert(
    fc.property(settings, settings, (project, user) => {
      put(ground.cwd, "skillet.jsonc", JSON.stringify(project));
      put(
        ground.home,
        ".config/skillet/skillet.jsonc",
        JSON.stringify({ ...user, permission: { skill: { "*": "allow", "steady-*": "deny" } }, skills: {} }),
      );
      const skills = open(ground, { trust: false });
      for (const one of skills.diagnostics) expect(unsafeCharacter(one.message)).toBeNull();
      expect(useLibrary(skills)).not.toContain(secret);
      for (const { modelInvocable } of skills.entries) expect(modelInvocable).toBe(false);
      for (const { root } of skills.snapshot.roots) expect(root.path.startsWith(ground.outside)).toBe(false);
    }),
    { numRuns: long ? 1000 : 80 },
  );
  expect(ground.harm()).toEqual([]);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

const segment = fc.oneof(
  fc.constantFrom("..", ".", "", "a", "b", "...", "~", "C:", "a b", "%2e%2e", "..\\..", "\0"),
  fc.string({ unit: "binary", maxLength: 4 }),
);
const path = fc.array(segment, { maxLength: 8 }).map((segments) => segments.join("/"));

test("paths: what is contained stays inside, and normal paths are normal", () => {
  fc.assert(
    fc.property(path, (relative) => {
      const full = resolve("/top/skills", relative);
      expect(normalize(full)).toBe(full);
      expect(full.split("/").slice(1)).not.toContain("..");
      const inside = relativeInside("/top/skills", full);
      expect(inside !== null).toBe(contains("/top/skills", full));
      if (inside !== null) expect(full === "/top/skills" || full.startsWith("/top/skills/")).toBe(true);
      if (inside === null) expect(full.startsWith("/top/skills/")).toBe(false);
    }),
    { numRuns: runs * 2 },
  );
});

test("paths: no file of a skill can be asked for outside of its folder", () => {
  const ground = createGround();
  put(ground.root, "subject/SKILL.md", "---\nname: subject\ndescription: x\n---\nbody\n");
  put(ground.root, "subject/a/b.md", "inside");
  const found = open(ground).find("subject");
  expect(found.kind).toBe("found");
  if (found.kind !== "found") return;
  const skills = open(ground);
  const target = fc.oneof(
    path,
    fc.nat({ max: 9 }).map((count) => `${"../".repeat(count)}outside/secret.txt`),
    fc.nat({ max: 9 }).map((count) => `a/${"../".repeat(count)}etc/passwd`),
    fc.constantFrom(
      `${ground.outside}/secret.txt`,
      "a/b.md",
      "./a/./b.md",
      "a//b.md",
      "a\\b.md",
      "file:///etc/passwd",
    ),
  );
  fc.assert(
    fc.property(target, (name) => {
      const read = skills.readFile(found.entry.skill, name);
      if (read.kind === "text")
        expect(["inside", skills.body(found.entry.skill)]).toContain(
          read.text.replace(/^---[\s\S]*---\n/, ""),
        );
      else expect(read.kind).toBe("refused");
    }),
    { numRuns: runs },
  );
});
