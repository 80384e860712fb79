import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Environment } from "../../core/environment.ts";
import { SkilletError } from "../../core/error.ts";
import { parseSource } from "./parse-source.ts";

const environment: Environment = {
  cwd: "/here",
  home: "/people/me",
  data: null,
  platform: "linux",
  variables: {},
  language: "en",
};
const disk = new Map<string, "folder" | "bare" | "file">([
  ["/here/skills", "folder"],
  ["/here/repo.git", "bare"],
  ["/here/rake.zip", "file"],
  ["/here/SKILL.md", "file"],
  ["/people/me/own", "folder"],
]);
const look = (path: string) => disk.get(path) ?? ("absent" as const);
const parse = (text: string, variables: Readonly<Record<string, string>> = {}) =>
  parseSource(text, { environment: { ...environment, variables }, look });

describe("parseSource", () => {
  test.each([
    [
      "anthropics/skills",
      { kind: "git", url: "https://github.com/anthropics/skills.git", skill: null, path: null },
    ],
    ["anthropics/skills@pdf", { kind: "git", skill: "pdf", text: "anthropics/skills" }],
    ["o/r#dev@pdf", { kind: "git", ref: "dev", skill: "pdf", text: "o/r#dev" }],
    ["o/r/skills/pdf", { kind: "git", path: "skills/pdf" }],
    ["https://github.com/o/r", { kind: "git", url: "https://github.com/o/r.git", tree: null }],
    ["https://github.com/o/r.git", { kind: "git", url: "https://github.com/o/r.git" }],
    [
      "https://github.com/o/r/tree/feature/a/skills/pdf",
      { url: "https://github.com/o/r.git", tree: "feature/a/skills/pdf" },
    ],
    ["https://github.com/o/r/blob/main/pdf/SKILL.md", { tree: "main/pdf" }],
    [
      "https://gitlab.com/group/sub/r/-/tree/main/x",
      { url: "https://gitlab.com/group/sub/r.git", tree: "main/x" },
    ],
    ["git@host.example:team/r.git", { kind: "git", url: "git@host.example:team/r.git" }],
    ["ssh://git@host.example/team/r", { kind: "git", url: "ssh://git@host.example/team/r" }],
    ["git+https://host.example/r#v1", { kind: "git", url: "https://host.example/r", ref: "v1" }],
    ["https://host.example/r.git", { kind: "git", url: "https://host.example/r.git" }],
    ["https://host.example/a.tar.gz", { kind: "archive", url: "https://host.example/a.tar.gz" }],
    ["https://host.example/x/SKILL.md", { kind: "file", url: "https://host.example/x/SKILL.md" }],
    ["https://host.example", { kind: "site", url: "https://host.example/" }],
    ["https://host.example/#pdf", { kind: "site", url: "https://host.example/", skill: "pdf" }],
    ["oci://localhost:5000/team/pdf:1.0", { kind: "oci", reference: "localhost:5000/team/pdf:1.0" }],
    ["./skills", { kind: "folder", path: "/here/skills" }],
    ["~/own", { kind: "folder", path: "/people/me/own" }],
    ["./repo.git", { kind: "git", url: "file:///here/repo.git" }],
    ["file:///here/skills", { kind: "folder", path: "/here/skills" }],
    ["rake.zip", { kind: "archive", path: "/here/rake.zip" }],
    ["./SKILL.md", { kind: "file", path: "/here/SKILL.md" }],
  ])("%s", (text, expected) => {
    expect(parse(text)).toMatchObject(expected);
  });

  test("a company's own GitHub", () => {
    const variables = { SKILLET_GITHUB_URL: "https://git.example/code/" };
    expect(parse("o/r", variables)).toMatchObject({ url: "https://git.example/code/o/r.git" });
    expect(parse("https://git.example/code/o/r/tree/main/x", variables)).toMatchObject({ tree: "main/x" });
  });

  // Row F07.
  test.each([
    "--upload-pack=touch PWNED",
    "-u",
    "ext::sh -c touch% PWNED",
    "ext::sh",
    "git+ext::sh",
    "fd::17",
    "file://host/x",
    "https://user:secret@host.example/r.git",
    "https://token@github.com/o/r",
    "ssh://-oProxyCommand=touch/x",
    "ssh://git:secret@host/x",
    "git@-oProxyCommand=x:y",
    "-oProxyCommand=x:y.git",
    "o/r#--upload-pack=x",
    "o/r@../x",
    "o/../r/x",
    "$(touch PWNED)/r",
    "`id`/r",
    "o/r\nx",
    "o/r;touch",
    "o r/x",
    "javascript:alert(1)",
    "data:text/plain,x",
    "",
    "http://",
    "https:///host.example/r.git",
    "https://host.example/r/%2e%2e/x.git",
    "https://host.example/r.git?x=--y",
    "./absent",
  ])("refuses %j", (text) => {
    let code: string | null = null;
    let message = "";
    try {
      const source = parse(text);
      // An address that git is not asked about is a web address, which the client judges by its own rules.
      code = source.kind === "site" || source.kind === "archive" ? "web" : source.kind;
    } catch (error) {
      expect(error).toBeInstanceOf(SkilletError);
      message = (error as SkilletError).message;
    }
    expect([null, "web"]).toContain(code);
    expect(message).not.toContain("secret");
  });

  test.each([
    "https:///host.example/r.git",
    "https://github.com/o/r/tree/main/../../..",
    "https://host.example/%2e%2e/x",
  ])("%s is no plain address", (text) => {
    expect(() => parse(text)).toThrow("no plain address");
  });

  test("nothing that begins with a hyphen ever reaches git", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          const source = parse(text);
          if (source.kind !== "git") return;
          for (const word of [source.url, source.ref, source.path, source.tree]) {
            expect(word?.startsWith("-") ?? false).toBe(false);
            expect(word?.includes("::") ?? false).toBe(false);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(SkilletError);
        }
      }),
    );
  });
});
