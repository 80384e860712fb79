import { deflateRawSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { treeDigest } from "../digest/tree-digest.ts";
import { crcOf, entry, extended, head, packed, padded, tar, zip } from "./archive-ground.fixture.ts";
import { collisionKey } from "./collision-key.ts";
import { extractArchive } from "./extract-archive.ts";
import { pathProblem } from "./path-problem.ts";
import { writeTarGz } from "./write-archive.ts";

const good = entry("SKILL.md", "---\nname: archived\ndescription: An archived skill.\n---\n# ok\n");
const read = (bytes: Uint8Array) => {
  const { files, links, diagnostics } = extractArchive(bytes);
  const refused = diagnostics.find(({ severity }) => severity === "error");
  if (refused !== undefined) expect(files).toEqual([]);
  return { code: refused?.code ?? null, paths: files.map(({ path }) => path), links, files };
};
const code = (bytes: Uint8Array): string | null => read(bytes).code;

describe("good archives", () => {
  test("tar.gz and tar: folders, ./ in front, modes", () => {
    const parts = [
      head("./", { type: "5" }),
      entry("./SKILL.md", "x"),
      head("refs/", { type: "5" }),
      entry("refs/a.md", "a"),
    ];
    expect(read(packed(...parts)).paths).toEqual(["SKILL.md", "refs/a.md"]);
    expect(read(tar(...parts)).paths).toEqual(["SKILL.md", "refs/a.md"]);
    const modes = read(packed(entry("SKILL.md", "x", { mode: 0o6755 }), entry("run", "x", { mode: 0o4644 })));
    expect(modes.files.map(({ executable }) => executable)).toEqual([true, false]);
  });

  test("long names by PAX and by GNU", () => {
    const long = `${"d/".repeat(10)}${"x".repeat(120)}.md`;
    expect(read(packed(good, extended({ path: long }), entry("short", "x"))).paths).toContain(long);
    expect(
      read(packed(good, entry("././@LongLink", `${long}\0`, { type: "L" }), entry("short", "x"))).paths,
    ).toContain(long);
  });

  test("zip, with both kinds of slashes and with sizes behind the data", () => {
    expect(read(zipSync({ "rake/SKILL.md": Buffer.from("x"), "rake/a.md": Buffer.from("a") })).paths).toEqual(
      ["rake/SKILL.md", "rake/a.md"],
    );
    expect(read(zip([{ name: "rake\\SKILL.md", data: "x" }])).paths).toEqual(["rake/SKILL.md"]);
    expect(read(zip([{ name: "SKILL.md", data: "x", later: true }])).paths).toEqual(["SKILL.md"]);
  });

  test("what the operating system put there is left out", () => {
    const { paths } = read(
      packed(entry("__MACOSX/a/._SKILL.md", ""), entry("a/SKILL.md", "x"), entry("a/.DS_Store", "")),
    );
    expect(paths).toEqual(["a/SKILL.md"]);
  });

  test("what we write is read again, has one form, and keeps its digest", async () => {
    const file = fc.record({
      path: fc
        .array(
          fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,8}$/).filter((name) => pathProblem(name) === null),
          { minLength: 1, maxLength: 4 },
        )
        .map((parts) => parts.join("/")),
      bytes: fc.uint8Array({ maxLength: 600 }),
      executable: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(file, { selector: ({ path }) => path, maxLength: 8 }),
        async (files) => {
          const plain = files.filter(({ path }) => !files.some((other) => other.path.startsWith(`${path}/`)));
          fc.pre(plain.length > 0);
          const bytes = await writeTarGz(plain);
          expect(Buffer.compare(bytes, await writeTarGz(plain.toReversed()))).toBe(0);
          const out = extractArchive(bytes, { ratio: 10_000 });
          expect(out.diagnostics).toEqual([]);
          expect(treeDigest(out.files)).toBe(treeDigest(plain));
          expect(new Map(out.files.map(({ path, executable }) => [path, executable]))).toEqual(
            new Map(plain.map(({ path, executable }) => [path, executable])),
          );
        },
      ),
      { numRuns: 60 },
    );
  });
});

// Rows D01, D02, D14, D19.
const unsafe = [
  ...[
    "../x",
    "a/b/../../../x",
    "/etc/x",
    "//etc/x",
    "..\\x",
    "C:\\x",
    "C:../x",
    "\\\\server\\share\\x",
    "a/..",
    ".",
    "",
  ],
  ...[
    "/",
    "a./.. /x",
    "a\nb",
    "a\u001b[2Jb",
    "SKILL.md:ads",
    "con/x",
    "nul.txt",
    ".git/hooks/x",
    ".GIT/config",
    "git~1/c",
  ],
  ...["a//b", "a/./b", "a\u202eb", "a\u200bb", "a|b", "a?b", "a\u2215b"],
];
describe("unsafe paths", () => {
  test.each(unsafe)("%j in a tar", (name) => {
    for (const parts of [
      [entry(name, "x")],
      [extended({ path: name }), entry("harmless", "x")],
      [entry("@", `${name}\0`, { type: "L" }), entry("harmless", "x")],
    ]) {
      expect(code(packed(good, ...parts))).toMatch(/^archive\/(?:unsafe-path|damaged)$/);
    }
  });
  test.each(unsafe.filter((name) => name !== "/" && name !== ""))("%j in a zip", (name) => {
    expect(
      code(
        zip([
          { name: "SKILL.md", data: "x" },
          { name, data: "x" },
        ]),
      ),
    ).toBe("archive/unsafe-path");
  });
  test("a zero byte, other bytes than UTF-8, names for all files at once, prefixes", () => {
    expect(code(packed(good, entry("SKILL.md\0.txt", "x")))).toBe("archive/unsafe-path");
    expect(code(packed(good, extended({ path: "a\0../../b" }), entry("x", "x")))).toBe("archive/unsafe-path");
    expect(code(zip([{ name: Buffer.from([0x61, 0xe9]), data: "x" }]))).toBe("archive/unsafe-path");
    expect(code(packed(extended({ path: "../x" }, "g"), good))).toBe("archive/ambiguous");
    expect(code(packed(good, head("victim.txt", { prefix: "../outside" })))).toBe("archive/unsafe-path");
    expect(code(packed(good, entry(`${"d/".repeat(40)}x`, "x")))).toBe("archive/too-large");
  });

  test("a path that passes stays inside its folder on every system", async () => {
    const { posix, win32 } = await import("node:path");
    const part = fc.oneof(
      fc.constantFrom("..", ".", "", "a", "C:", "~", "con", "\\", "x "),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 5 }).map((parts) => parts.join("/")),
        (path) => {
          if (pathProblem(path) !== null) return;
          expect(posix.resolve("/top/skill", path).startsWith("/top/skill/")).toBe(true);
          expect(win32.resolve("C:\\top\\skill", path).startsWith("C:\\top\\skill\\")).toBe(true);
        },
      ),
      { numRuns: 3000 },
    );
  });
});

describe("entries that are no files", () => {
  // Rows D03 to D06, D20.
  test("links are told, never made; what lies below one is refused", () => {
    const { links, paths } = read(packed(good, head("l", { type: "2", link: "../../secret" })));
    expect(links).toEqual([{ path: "l", target: "../../secret" }]);
    expect(paths).toEqual(["SKILL.md"]);
    expect(code(packed(good, head("l", { type: "2", link: "/etc" }), entry("l/passwd", "x")))).toBe(
      "archive/collision",
    );
    expect(code(packed(good, head("l", { type: "1", link: "SKILL.md" }), entry("l", "x")))).toBe(
      "archive/collision",
    );
    expect(
      read(packed(good, extended({ linkpath: "../../x" }), head("l", { type: "2", link: "harmless" })))
        .links[0]?.target,
    ).toBe("../../x");
    expect(
      read(
        zip([
          { name: "SKILL.md", data: "x" },
          { name: "l", data: "../x", mode: 0o120777 },
        ]),
      ).links,
    ).toEqual([{ path: "l", target: "../x" }]);
  });
  test.each(["3", "4", "6", "7", "S", "Q", "D", "M", "V"])("type %s", (type) => {
    expect(code(packed(good, head("x", { type })))).toBe("archive/special-entry");
  });
  test.each([0o010644, 0o020644, 0o060644, 0o140644])("mode %o in a zip", (mode) => {
    expect(
      code(
        zip([
          { name: "SKILL.md", data: "x" },
          { name: "x", data: "", mode },
        ]),
      ),
    ).toBe("archive/special-entry");
  });
});

describe("two entries that are one", () => {
  // Rows D08, D09, D11, D21.
  const twins: readonly (readonly [string, string])[] = [
    ["SKILL.md", "SKILL.md"],
    ["a.md", "A.md"],
    ["straße", "STRASSE"],
    ["e\u0301", "\u00e9"],
    ["\u017f", "s"],
    ["\u212a", "k"],
    ["ﬁ", "fi"],
    ["a", "a/b"],
    ["a/b", "a"],
    ["A/x", "a/y"],
  ];
  test.each(twins)("%j and %j", (one, other) => {
    expect(code(packed(entry(one, "1"), entry(other, "2")))).toBe("archive/collision");
    expect(
      code(
        zip([
          { name: one, data: "1" },
          { name: other, data: "2" },
        ]),
      ),
    ).toBe("archive/collision");
  });
  test("the key does not depend on case and normal form", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const key = collisionKey(text);
        expect(collisionKey(text.toUpperCase())).toBe(key);
        expect(collisionKey(text.normalize("NFD"))).toBe(key);
        expect(collisionKey(text.normalize("NFKC"))).toBe(key);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("damage and disagreement", () => {
  // Rows D10, D12, D13, D15, D22, D23.
  const whole = packed(good, entry("b", "y".repeat(5000)));
  const changed = (from: Uint8Array, at: number): Uint8Array => {
    const copy = Buffer.from(from);
    copy[at < 0 ? copy.length + at : at] = (copy.at(at) ?? 0) ^ 0xff;
    return copy;
  };
  test.each([
    ["cut off", whole.subarray(0, whole.length - 40), "archive/damaged"],
    ["check sum of gzip", changed(whole, -6), "archive/damaged"],
    ["something behind", Buffer.concat([whole, Buffer.from("junk")]), "archive/damaged"],
    ["a second member", Buffer.concat([whole, packed(entry("hidden.md", "x"))]), "archive/damaged"],
    ["tar cut off", gzipSync(tar(good).subarray(0, 700)), "archive/damaged"],
    ["no end", gzipSync(good), "archive/damaged"],
    [
      "data behind the end",
      gzipSync(Buffer.concat([tar(good), tar(entry("hidden.md", "x"))])),
      "archive/damaged",
    ],
    ["junk between", packed(good, Buffer.alloc(512, 0x41), entry("b", "2")), "archive/damaged"],
    ["check sum of an entry", packed(good, head("x", { wrong: true })), "archive/damaged"],
    [
      "a size twice",
      packed(good, extended({ size: "1536" }), head("outer", {}), entry("smuggled.md", "x")),
      "archive/ambiguous",
    ],
    ["a negative size", packed(good, head("a", { size: "\xff".repeat(12) })), "archive/too-large"],
    ["a size beyond all", packed(good, head("a", { size: "77777777777\0" })), "archive/too-large"],
    ["a size that is no number", packed(good, head("a", { size: "12x45678901\0" })), "archive/damaged"],
    [
      "a link with content",
      packed(good, head("l", { type: "2", link: "x", size: 512 }), Buffer.alloc(512)),
      "archive/ambiguous",
    ],
    ["a web page", Buffer.from("<!doctype html><html>Login</html>"), "archive/format"],
    ["nothing", Buffer.alloc(0), "archive/format"],
    ["packed twice", gzipSync(whole), "archive/format"],
    ["local and central name", zip([{ name: "a", localName: "b", data: "x" }]), "archive/ambiguous"],
    ["local and central size", zip([{ name: "a", data: "xy", localSize: 1 }]), "archive/ambiguous"],
    ["a wrong size", zip([{ name: "a", data: "xy", size: 1 }]), "archive/ambiguous"],
    [
      "a wrong count",
      zip(
        [
          { name: "a", data: "x" },
          { name: "b", data: "x" },
        ],
        { count: 1 },
      ),
      "archive/ambiguous",
    ],
    [
      "an end in the comment",
      zip([{ name: "a", data: "x" }], { comment: Buffer.from("PK\x05\x06aaaaaaaaaaaaaaaaaa") }),
      "archive/ambiguous",
    ],
    [
      "something in front",
      Buffer.concat([Buffer.from("PK"), zip([{ name: "a", data: "x" }])]),
      "archive/ambiguous",
    ],
    [
      "something behind a zip",
      Buffer.concat([zip([{ name: "a", data: "x" }]), Buffer.from("x")]),
      "archive/damaged",
    ],
    ["encrypted", zip([{ name: "a", data: "x", flags: 0x801 }]), "archive/encrypted"],
    ["method 99", zip([{ name: "a", data: "x", method: 99 }]), "archive/format"],
    ["check sum in a zip", zip([{ name: "a", data: "x", crc: 1 }]), "archive/damaged"],
    ["a cut zip", zip([{ name: "a", data: "x" }]).subarray(0, 60), "archive/damaged"],
    ["two names", zip([{ name: "a", data: "x", extra: unicodeName("b") }]), "archive/ambiguous"],
  ] as const)("%s", (_what, bytes, expected) => {
    expect(code(bytes)).toBe(expected);
  });

  test("no bytes make it throw, and nothing unsafe comes out", () => {
    const seeds = [
      whole,
      tar(good, entry("a/b", "x")),
      zip([
        { name: "SKILL.md", data: "x" },
        { name: "a/b", data: "y".repeat(99) },
      ]),
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...seeds),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }),
        fc.nat(),
        (seed, edits, cut) => {
          const bytes = Buffer.from(seed);
          for (const [at, value] of edits) bytes[at % bytes.length] = value;
          const { files } = extractArchive(cut % 4 === 0 ? bytes.subarray(0, cut % bytes.length) : bytes);
          for (const { path } of files) expect(pathProblem(path)).toBe(null);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe("bombs", () => {
  // Rows D16 to D18.
  const zeros = (mebibytes: number): Buffer => Buffer.alloc(mebibytes << 20);
  test.each([
    ["64 MiB of zeros", () => packed(good, entry("big", zeros(64)))],
    ["zip with 64 MiB of zeros", () => zip([{ name: "big", data: zeros(64) }])],
    [
      "many files",
      () => packed(good, ...Array.from({ length: 2500 }, (_, index) => entry(`n/${index}`, ""))),
    ],
    [
      "many in a zip",
      () => zip(Array.from({ length: 2500 }, (_, index) => ({ name: `n/${index}`, data: "" }))),
    ],
    ["a lie about the size", () => zip([{ name: "big", data: zeros(8), size: 10 }])],
    ["ratio", () => packed(good, entry("big", zeros(20)))],
  ] as const)("%s", (_what, make) => {
    expect(code(make())).toMatch(/^archive\/(?:too-large|ambiguous)$/);
  });
  test("entries that share their data", () => {
    const data = zeros(4);
    const shared = { data, raw: deflateRawSync(data), crc: crcOf(data) };
    expect(
      code(
        zip([
          { name: "a", ...shared },
          ...Array.from({ length: 300 }, (_, index) => ({ name: `o${index}`, ...shared, shared: true })),
        ]),
      ),
    ).toMatch(/^archive\/(?:too-large|ambiguous)$/);
  });
  test("archives in archives stay closed, and too many of them are refused", () => {
    let inner = packed(good);
    expect(read(packed(good, entry("inner.tgz", inner))).paths).toEqual(["SKILL.md", "inner.tgz"]);
    for (let depth = 0; depth < 12; depth++) inner = packed(good, entry("next.tgz", inner));
    expect(code(inner)).toBe("archive/too-large");
  });
});

function unicodeName(name: string): Buffer {
  const body = Buffer.concat([Buffer.from([1, 0, 0, 0, 0]), Buffer.from(name)]);
  const field = Buffer.alloc(4);
  field.writeUInt16LE(0x7075, 0);
  field.writeUInt16LE(body.length, 2);
  return padded(Buffer.concat([field, body]), 1);
}
