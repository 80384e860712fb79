import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { processorTime } from "../../test/support/processor-time.ts";
import { defaultConfiguration, defaultLimits, defaultPrecedence } from "../core/configuration.ts";
import type { Environment } from "../core/environment.ts";
import { evaluate } from "../core/visibility/permission.ts";
import { loadConfiguration } from "./configuration.ts";
import { createFileSystem } from "./node-file-system.ts";

const fileSystem = createFileSystem();
let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "skillet-config-"));
  for (const folder of ["home", "repo/.git", "repo/sub", "managed"])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, "repo/.git/HEAD"), "ref: refs/heads/main\n");
});
afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

function write(path: string, value: unknown): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
}
const user = (value: unknown) => write("home/.config/skillet/skillet.jsonc", value);
const project = (value: unknown) => write("repo/skillet.jsonc", value);
const managed = (value: unknown) => write("managed/skillet.jsonc", value);

function load(more: Partial<Environment> & { config?: string; trusted?: boolean } = {}) {
  const { config, trusted, ...rest } = more;
  const environment: Environment = {
    cwd: join(root, "repo/sub"),
    home: join(root, "home"),
    data: null,
    platform: "linux",
    variables: { SKILLET_MANAGED_DIR: join(root, "managed") },
    language: "en",
    ...rest,
  };
  const { value, diagnostics } = loadConfiguration({
    environment,
    fileSystem,
    config,
    trusted: trusted === true,
  });
  const may = (name: string, agent?: string) =>
    evaluate(
      [...value.permission, ...(agent === undefined ? [] : (value.agents[agent]?.permission ?? []))],
      "skill",
      name,
    ).action;
  return { value, diagnostics, may, codes: diagnostics.map(({ code }) => code) };
}

describe("loadConfiguration", () => {
  it("gives the defaults where there is no file, and says nothing", () => {
    const { value, diagnostics } = load();
    expect(diagnostics).toEqual([]);
    expect({ ...value, origin: {}, sources: {}, policy: {}, providers: {}, agents: {} }).toEqual({
      ...defaultConfiguration,
      agents: {},
    });
  });

  it("reads every layer and says where each key came from", () => {
    user({ catalog: { budget: 900 }, skills: { pins: ["a"] }, search: { limit: 9 } });
    project('// comment\n{ "skills": { "pins": ["b"], "flatFiles": true, }, "search": { "limit": 3 } }');
    write("repo/sub/skillet.json", { search: { limit: 4 } });
    managed({ reservedCommands: ["deploy"] });
    const { value, codes } = load();
    expect(codes).toEqual([]);
    expect([value.catalog.budget, value.search.limit, value.skills.flatFiles]).toEqual([900, 4, true]);
    expect([value.skills.pins, value.reservedCommands]).toEqual([["a", "b"], ["deploy"]]);
    expect(value.origin["search.limit"]).toEqual({
      name: "project",
      path: join(root, "repo/sub/skillet.json"),
    });
    expect(value.origin["catalog.budget"]?.name).toBe("user");
    expect(value.origin["catalog.share"]).toBeUndefined();
  });

  it("takes --config instead of the user's file, with paths relative to it", () => {
    user({ search: { limit: 9 } });
    write("elsewhere/my.jsonc", { skills: { paths: ["mine", "~/more"] } });
    const { value } = load({ config: join(root, "elsewhere/my.jsonc") });
    expect(value.search.limit).toBe(5);
    expect(value.skills.paths.map(({ path, layer }) => [path, layer.name])).toEqual([
      [join(root, "elsewhere/mine"), "flag"],
      [join(root, "home/more"), "flag"],
    ]);
    expect(() => load({ config: "/no/such.jsonc" })).toThrow(expect.objectContaining({ code: "config" }));
  });

  it("stops at the repository and, without one, at the home folder", () => {
    write("skillet.jsonc", { search: { limit: 7 } });
    expect(load().value.search.limit).toBe(5);
    write("home/skillet.jsonc", { search: { limit: 8 } });
    mkdirSync(join(root, "home/plain/sub"), { recursive: true });
    expect(load({ cwd: join(root, "home/plain/sub") }).value.search.limit).toBe(8);
  });

  it("explains unknown keys and wrong types with place and suggestion, and keeps the rest (row H06)", () => {
    user(
      '{\n  "serach": {},\n  "catalog": { "shore": 1, "share": "much" },\n  "brands": ["claud", "agents"],\n  "search": { "limit": 2 }\n}',
    );
    const { value, diagnostics } = load();
    expect(value.search.limit).toBe(2);
    expect(value.catalog.share).toBe(0.02);
    expect(value.brands).toEqual(["agents"]);
    expect(
      diagnostics.map(({ code, range, hint }) => [code, range?.line, range?.column, hint?.split(" (")[0]]),
    ).toEqual([
      ["config/unknown-key", 2, 3, 'Did you mean "search"?'],
      ["config/unknown-key", 3, 16, 'Did you mean "catalog.share"?'],
      ["config/wrong-type", 3, 37, expect.any(String)],
      ["config/unknown-value", 4, 14, 'Did you mean "claude"?'],
    ]);
  });

  it("keeps going with broken, huge, deep and odd files", () => {
    managed({ permission: { skill: { secret: "deny" } } });
    const odd = [
      "{",
      "",
      "[]",
      "null",
      "\0\0",
      `${"[".repeat(100_000)}`,
      '{"a":1}<<<<<<<',
      '"text"',
      " ".repeat(2 << 20),
    ];
    for (const text of odd) {
      user(text);
      project(text);
      const { value, diagnostics, may } = load();
      expect(value.limits).toEqual(defaultLimits);
      expect(may("secret")).toBe("deny");
      expect(may("free")).toBe("allow");
      if (text !== "")
        expect(diagnostics.map(({ path }) => path)).toContain(join(root, "repo/skillet.jsonc"));
    }
  });

  it("still denies what a broken file of the user denied", () => {
    user('{ "permission": { "skill": { "secret-*": "deny", "x": "allow" } }, "search": { "limit": }');
    const { may, codes } = load();
    expect(codes).toEqual(["config/invalid-json"]);
    expect([may("secret-a"), may("x")]).toEqual(["deny", "allow"]);
  });

  it("bounds what it says about one file", () => {
    user(`{${Array.from({ length: 5000 }, (_, index) => `"k${index}": 1`).join(",")}}`);
    expect(load().diagnostics).toHaveLength(41);
  });

  it("never takes keys of prototypes", () => {
    user(
      '{"__proto__": {"search": {"limit": 1}}, "agent": {"__proto__": {"permission": "deny"}, "constructor": {"permission": {"skill": "deny"}}}}',
    );
    const { value, codes, may } = load();
    expect(codes).toEqual(["config/unsafe-key", "config/unsafe-key"]);
    expect(value.search.limit).toBe(5);
    expect(Object.keys(value.agents)).toEqual(["compose", "constructor"]);
    expect(may("a", "constructor")).toBe("deny");
    expect(may("a", "toString")).toBe("allow");
    expect(({} as { limit?: number }).limit).toBeUndefined();
  });
});

describe("what a project cannot do", () => {
  it("grant permissions or trust, or widen anything (rows H03, H07)", () => {
    user({
      permission: { skill: { "bank-*": "deny", "mail-*": "ask" } },
      limits: { scanDepth: 6 },
      brands: ["agents", "skillet"],
    });
    project({
      permission: { skill: { "*": "allow", "bank-x": "ask" } },
      agent: { build: { permission: { skill: { "mail-*": "allow" } } } },
      trust: { workspace: "always", folders: ["/"] },
      policy: { hosts: ["evil.example"] },
      sources: { evil: "https://evil.example" },
      limits: { skillBytes: 1e15, scanDepth: 7, yamlKeys: 0, frontmatterBytes: -1, scanFolders: 1000 },
      brands: ["cursor", "skillet"],
      catalog: { budget: 1e6, share: 1 },
      skills: { disabledRevealsShadowed: true },
    });
    const { value, may, diagnostics } = load();
    expect(["bank-x", "mail-x", "other"].map((name) => may(name))).toEqual(["deny", "ask", "allow"]);
    expect(may("mail-x", "build")).toBe("ask");
    expect(value.trust).toEqual({ workspace: "ask", folders: [] });
    expect(value.policy).toEqual({});
    expect(value.sources).toEqual({});
    expect(value.limits).toEqual({
      ...defaultLimits,
      scanDepth: 6,
      yamlKeys: 16,
      frontmatterBytes: 1024,
      scanFolders: 1000,
    });
    expect(value.brands).toEqual(["skillet"]);
    expect(value.catalog).toEqual(defaultConfiguration.catalog);
    expect(value.skills.disabledRevealsShadowed).toBe(false);
    const said = diagnostics.map(({ message }) => message).join("\n");
    for (const key of [
      "trust.workspace",
      "trust.folders",
      "policy",
      "sources",
      "limits.skillBytes",
      "limits.scanDepth",
      "catalog.budget",
      "catalog.share",
    ])
      expect(said).toContain(`"${key}"`);
    expect(
      diagnostics.every(({ code }) => code === "config/not-for-project" || code === "config/out-of-range"),
    ).toBe(true);
  });

  it("make work without end by many or long rules", () => {
    user({
      permission: {
        skill: Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`n${index}*x`, "ask"])),
      },
    });
    const rules = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`${index}x${"*a".repeat(200)}`, "ask"]),
      );
    const started = processorTime();
    project({
      permission: { skill: rules(225) },
      agent: Object.fromEntries(
        Array.from({ length: 25 }, (_, index) => [`g${index}`, { permission: "ask" }]),
      ),
    });
    expect(load().codes).toEqual([]);
    expect(processorTime() - started).toBeLessThan(10_000);
    project({ permission: { skill: rules(251) } });
    const { may, codes } = load();
    expect([may("x"), codes]).toEqual(["deny", ["config/too-many-rules"]]);
  });

  it("restrict more: it can", () => {
    project({ permission: { skill: { "*": "ask", pdf: "allow", "rm-*": "deny" } } });
    const { may, codes } = load();
    expect(["x", "pdf", "rm-all"].map((name) => may(name))).toEqual(["ask", "allow", "deny"]);
    expect(codes).toEqual([]);
  });

  it("have folders outside of itself searched (row H01)", () => {
    mkdirSync(join(root, "outside/deep"), { recursive: true });
    mkdirSync(join(root, "granted/skills"), { recursive: true });
    symlinkSync(join(root, "outside"), join(root, "repo/link"));
    const written = [
      "/",
      "~/.ssh",
      "../../outside",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: that is how people write it
      "${HOME}",
      "$HOME/x",
      "link/deep",
      "../repo-evil",
      "../granted/skills",
      "own",
      "./",
    ];
    project({ skills: { paths: written } });
    user({ trust: { folders: [join(root, "granted")] } });
    for (const trusted of [false, true]) {
      const { value, codes } = load({ trusted });
      expect(value.skills.paths.map(({ written }) => written)).toEqual(["../granted/skills", "own", "./"]);
      expect(codes).toEqual(Array(7).fill("config/path-outside"));
    }
  });

  it("have addresses asked before it is trusted, and then only over https (row H02)", () => {
    project({
      skills: { urls: ["https://a.example/", "http://127.0.0.1/", "https://u:p@b.example/", "file:///etc"] },
    });
    expect(load().value.skills.urls).toEqual([]);
    const { value, codes } = load({ trusted: true });
    expect(value.skills.urls).toEqual(["https://a.example/"]);
    expect(codes).toHaveLength(3);
  });

  it("read other files through a link as its settings", () => {
    write("home/secret.json", '{"password": 1}');
    symlinkSync(join(root, "home/secret.json"), join(root, "repo/skillet.jsonc"));
    const { diagnostics } = load();
    expect(diagnostics.map(({ code }) => code)).toEqual(["config/path-outside"]);
    expect(JSON.stringify(diagnostics)).not.toContain("password");
  });
});

describe("precedence", () => {
  it("permutes the named scopes among their places; managed stays first", () => {
    user({ precedence: ["user", "project"] });
    expect(load().value.precedence.slice(0, 3)).toEqual(["managed", "user", "workspace"]);
    user({ precedence: ["builtin", "managed", "workspace"] });
    const { value, codes } = load();
    expect(value.precedence[0]).toBe("managed");
    expect(value.precedence.at(-1)).toBe("workspace");
    expect([...value.precedence].sort()).toEqual([...defaultPrecedence].sort());
    expect(codes).toEqual(["config/not-for-project"]);
  });

  it("lets a project put its own skills behind, never in front", () => {
    project({ precedence: ["user", "project"] });
    expect(load()).toMatchObject({ codes: [], value: { precedence: expect.arrayContaining([]) } });
    expect(load().value.precedence.slice(1, 3)).toEqual(["user", "workspace"]);
    user({ precedence: ["user", "project"] });
    project({ precedence: ["project", "user"] });
    const { value, codes } = load();
    expect(value.precedence.slice(1, 3)).toEqual(["user", "workspace"]);
    expect(codes).toEqual(["config/not-for-project"]);
  });
});

describe("the administrator's file", () => {
  it("has the last word in denials and maxima (row H10)", () => {
    managed({
      permission: { skill: { "*": "deny", "ok-*": "allow" } },
      limits: { skillBytes: 500_000 },
      trust: { workspace: "ask" },
    });
    user({
      permission: { skill: { "*": "allow", "ok-not": "deny" } },
      agent: { build: { permission: "allow" } },
      limits: { skillBytes: 900_000 },
      trust: { workspace: "always" },
    });
    const { value, may } = load();
    expect(["x", "ok-yes", "ok-not"].map((name) => may(name))).toEqual(["deny", "allow", "deny"]);
    expect(["x", "ok-yes"].map((name) => may(name, "build"))).toEqual(["deny", "allow"]);
    expect(value.limits.skillBytes).toBe(500_000);
    expect(value.trust.workspace).toBe("ask");
  });

  it("denies everything when it cannot be used", () => {
    user({ agent: { build: { permission: "allow" } } });
    for (const text of ["{", "[]", "\0"]) {
      managed(text);
      const { may, codes } = load();
      expect([may("x"), may("x", "build")]).toEqual(["deny", "deny"]);
      expect(codes).toEqual(["config/managed-unusable"]);
    }
    rmSync(join(root, "managed/skillet.jsonc"));
    symlinkSync("nowhere", join(root, "managed/skillet.jsonc"));
    expect(load().may("x")).toBe("deny");
    if (process.getuid?.() === 0) return;
    rmSync(join(root, "managed/skillet.jsonc"));
    managed("{}");
    chmodSync(join(root, "managed/skillet.jsonc"), 0);
    expect(load().may("x")).toBe("deny");
  });

  it("is not looked for outside when the home folder was replaced", () => {
    expect(load({ variables: {}, isolated: true }).diagnostics).toEqual([]);
  });
});
