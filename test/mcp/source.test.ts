import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Outcome, runSkillet, skill } from "../cli/run-skillet.ts";

// Skills of other MCP servers as a source: real server processes, good and bad ones.
const root = fileURLToPath(new URL("../..", import.meta.url));
const built = realpathSync(mkdtempSync(join(tmpdir(), "skillet-offering-")));
const program = join(built, "server.mjs");
beforeAll(async () => {
  await build({
    absWorkingDir: root,
    entryPoints: ["test/mcp/offering-server.ts"],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
});
afterAll(() => rmSync(built, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

let folder: string;
let home: string;
let state: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "skillet-source-")));
  home = join(folder, "home");
  state = join(folder, "state.json");
  mkdirSync(join(home, "project/.git"), { recursive: true });
  writeFileSync(join(home, "project/.git/HEAD"), "ref: refs/heads/main\n");
  offer({ pdf: { "SKILL.md": skill("pdf", "Fill in PDF forms."), "references/a.md": "Do a\n" } });
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

type Files = Readonly<Record<string, Readonly<Record<string, string>>>>;

function offer(skills: Files): void {
  writeFileSync(state, JSON.stringify(skills));
}

function configure(servers: object, more: object = {}): void {
  mkdirSync(join(home, ".config/skillet"), { recursive: true });
  writeFileSync(
    join(home, ".config/skillet/skillet.jsonc"),
    JSON.stringify({ skills: { builtin: false }, mcp: servers, ...more }),
  );
}

const server = (way: string, timeout = 20_000): object => ({
  command: process.execPath,
  args: [program, way, state],
  timeout,
});

const run = (...args: readonly string[]): Promise<Outcome> =>
  runSkillet(["--home", home, "--data", join(folder, "data"), ...args], join(home, "project"));

interface Listed {
  readonly skills: readonly {
    readonly name: string;
    readonly scope: string;
    readonly trusted: boolean;
    readonly modelInvocable: boolean;
    readonly location: string;
  }[];
  readonly diagnostics: readonly { readonly code: string; readonly message: string }[];
}
const list = async (...args: readonly string[]): Promise<Listed> =>
  (await run("list", "--json", ...args)).json() as Listed;

describe("a good server", () => {
  beforeEach(() => configure({ docs: server("good") }));

  it("has its skills listed under its label, waiting for approval, also with --trust", async () => {
    const { skills } = await list("--trust");
    expect(skills).toMatchObject([
      {
        name: "docs:pdf",
        scope: "mcp",
        trusted: false,
        modelInvocable: false,
        location: "mcp:docs/skill://pdf/SKILL.md",
      },
    ]);
    const { stderr } = await run("list");
    expect(stderr.replace(/\s+/g, " ")).toContain(
      "1 skill of mcp:docs waits until you approve them: skillet trust mcp:docs",
    );
    const why = await run("why", "docs:pdf");
    expect(why.stdout.replace(/\s+/g, " ")).toContain(
      'The MCP server "docs" offers it, and you did not approve it yet',
    );
    expect((await run("load", "docs:pdf", "--by", "model")).code).toBe(3);
  });

  it("is fetched and verified when it is loaded, and the model is told where it comes from", async () => {
    expect((await run("trust", "mcp:docs")).stdout).toContain("mcp:docs: docs:pdf may be offered to models");
    expect((await list()).skills).toMatchObject([{ trusted: true, modelInvocable: true }]);
    const { code, stdout } = await run("load", "docs:pdf", "--by", "model");
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('<skill_content name="docs:pdf" origin="MCP server docs">'),
    ]);
    expect(stdout).toContain("# pdf");
    expect(stdout).toContain('comes from the MCP server "docs"');
    expect((await run("show", "docs:pdf", "--file", "references/a.md")).stdout).toBe("Do a\n");
    expect((await run("show", "docs:pdf", "--file", "../a.md")).code).toBe(3);
    expect((await run("search", "PDF forms", "--json")).stdout).toContain("docs:pdf");
    expect((await run("catalog")).stdout).toContain("docs:pdf");
  });

  it("waits again when its files change; the approval is for what was seen", async () => {
    await list();
    await run("trust", "mcp:docs/pdf");
    offer({ pdf: { "SKILL.md": skill("pdf", "Fill in PDF forms."), "references/a.md": "Do b\n" } });
    // The list is still the one from before; the load notices.
    expect((await run("load", "docs:pdf", "--by", "model")).code).not.toBe(0);
    const [changed] = (await list()).skills;
    expect(changed).toMatchObject({ name: "docs:pdf", trusted: false, modelInvocable: false });
    expect((await run("why", "docs:pdf")).stdout.replace(/\s+/g, " ")).toContain(
      "lists other files for it than those that you approved",
    );
    await run("trust", "mcp:docs");
    expect((await run("load", "docs:pdf", "--by", "model")).code).toBe(0);
    await run("untrust", "mcp:docs");
    expect((await run("load", "docs:pdf", "--by", "model")).code).toBe(3);
  });

  it("cannot shadow a skill of this machine, by name or by a near spelling", async () => {
    mkdirSync(join(home, ".agents/skills/pdf"), { recursive: true });
    writeFileSync(join(home, ".agents/skills/pdf/SKILL.md"), skill("pdf", "My own."));
    mkdirSync(join(home, ".agents/skills/other"), { recursive: true });
    writeFileSync(
      join(home, ".agents/skills/other/SKILL.md"),
      skill("docs:pdf", "Mine too, with an odd name."),
    );
    configure({ docs: server("good") }, { precedence: ["mcp", "user"] });
    await run("trust", "mcp:docs");
    const { skills } = await list();
    expect(skills.map(({ name, scope }) => `${scope} ${name}`)).toEqual(["user docs:pdf", "user pdf"]);
    expect((await run("load", "docs_pdf")).stdout).toContain("docs:pdf");
    expect((await run("load", "pdf")).stdout).not.toContain("origin=");
  });

  it("keeps what was read, and is not asked again while its answer is good", async () => {
    await list();
    await run("trust", "mcp:docs");
    await run("load", "docs:pdf");
    configure({ docs: server("good") });
    rmSync(state);
    expect((await run("load", "docs:pdf", "--by", "model")).stdout).toContain("# pdf");
    expect((await list()).skills).toMatchObject([{ name: "docs:pdf", trusted: true }]);
  });

  it("is another server when its command changes", async () => {
    await list();
    configure({ docs: { ...server("dies"), timeout: 10_000 } });
    expect((await list()).skills).toEqual([]);
  });
});

describe("a bad server costs its own skills and a bounded time, and is named", () => {
  it.each([
    ["dies", "does not give its skills"],
    ["hangs", "did not answer within"],
    ["floods", "does not give its skills"],
    ["plain", "does not have the skills extension"],
    ["endless", "It lists more than is read of one server"],
  ])("%s", async (way, words) => {
    configure({
      bad: server(way, way === "hangs" || way === "floods" ? 1_500 : 20_000),
      good: server("good", 60_000),
    });
    const { skills, diagnostics } = await list();
    expect(skills.map(({ name }) => name)).toEqual(["good:pdf"]);
    expect(diagnostics.map(({ message }) => message).join("\n")).toContain(words);
  });

  it("10 000 skills: 500 are used, and that is said", async () => {
    configure({ bad: server("many") });
    const { skills, diagnostics } = await list();
    expect(skills).toHaveLength(500);
    expect(diagnostics).toMatchObject([
      { code: "mcp/left-out", message: expect.stringContaining("9500 skills are left out") },
    ]);
  });

  it("digests that do not hold: the text is never given", async () => {
    configure({ bad: server("lies") });
    await list();
    await run("trust", "mcp:bad");
    const { code, stdout, stderr } = await run("load", "bad:pdf");
    expect(code).toBe(1);
    expect(stdout + stderr).not.toContain("Du it");
    const said = stderr.replace(/\s+/g, " ");
    expect(said).toMatch(
      /"bad:pdf" of the MCP server "bad" is not used, because it is not what the server listed/,
    );
    expect(said).not.toContain("could not be fetched");
    expect(said).toContain("skillet help mcp/not-verified");
    expect((await run("help", "mcp/not-verified")).stdout).toContain("is not what it listed");
    const shape = (await run("load", "bad:pdf", "--by", "model", "--json")).json() as {
      readonly diagnostics: readonly { readonly code: string }[];
      readonly output: string;
    };
    expect(shape.diagnostics.map((one) => one.code)).toEqual(["mcp/not-verified"]);
    expect(shape.output).toContain("is not used");
    const file = await run("show", "bad:pdf", "--file", "references/a.md");
    expect([file.code, file.stderr.replace(/\s+/g, " ")]).toEqual([
      3,
      expect.stringContaining('A file of "bad:pdf" of the MCP server "bad" is not used'),
    ]);
  });

  it("a server that ends after it listed: that is called what it is, not a false text", async () => {
    configure({ bad: server("good") });
    await list();
    await run("trust", "mcp:bad");
    rmSync(state);
    const { code, stderr } = await run("load", "bad:pdf");
    expect([code, stderr.replace(/\s+/g, " ")]).toEqual([
      1,
      expect.stringContaining("skillet help mcp/unreachable"),
    ]);
    expect(stderr).not.toContain("not what the server listed");
  });

  it("a program that does not exist, and settings that are wrong", async () => {
    configure({
      gone: { command: "/nowhere/at-all" },
      "Bad Name": { url: "https://example.com" },
      both: { command: "x", url: "https://example.com" },
      open: { url: "http://example.com/mcp" },
      secret: { url: "https://user:pass@example.com" },
      off: { command: "x", enabled: false },
    });
    const { skills, diagnostics } = await list();
    expect(skills).toEqual([]);
    const said = diagnostics.map(({ message }) => message).join("\n");
    for (const name of ["gone", "Bad Name", "both", "open", "secret"]) expect(said).toContain(`"${name}"`);
    expect(said).not.toContain("user:pass");
    expect(said).not.toContain('"off"');
  });
});

describe("a project", () => {
  it("cannot make a program start, trusted or not", async () => {
    configure({});
    const mark = join(folder, "started");
    writeFileSync(
      join(home, "project/skillet.jsonc"),
      JSON.stringify({
        mcp: {
          evil: {
            command: process.execPath,
            args: ["-e", `require("fs").writeFileSync(${JSON.stringify(mark)}, "")`],
          },
        },
      }),
    );
    for (const args of [[], ["--trust"]]) {
      const { diagnostics } = await list(...args);
      expect(diagnostics).toMatchObject([
        { code: "config/not-for-project", message: expect.stringContaining("not a program") },
      ]);
    }
    expect(() => realpathSync(mark)).toThrow();
  });

  it("cannot take the label of a server of yours, nor name one before it is trusted", async () => {
    configure({ docs: server("good") });
    writeFileSync(
      join(home, "project/skillet.jsonc"),
      JSON.stringify({
        mcp: { docs: { url: "https://127.0.0.1:1/mcp" }, theirs: { url: "https://127.0.0.1:1/mcp" } },
      }),
    );
    const { skills, diagnostics } = await list();
    expect(skills.map(({ name }) => name)).toEqual(["docs:pdf"]);
    expect(diagnostics.map(({ message }) => message).join("\n")).toMatch(
      /you have a server of that name[\s\S]*before you trust/,
    );
    const trusted = await list("--trust");
    expect(trusted.diagnostics.map(({ message }) => message).join("\n")).toContain(
      '"theirs" does not give its skills',
    );
  });
});

it("two skills of one name are told apart by their path", async () => {
  const { checkListing } = await import("../../src/core/mcp/listing.ts");
  const { mcpRoot, mcpSkills } = await import("../../src/core/mcp/mcp-skills.ts");
  const entry = (uri: string): object => ({
    uri,
    frontmatter: { name: "refunds", description: "Refund." },
    resources: [{ uri, digest: `sha256:${"0".repeat(64)}`, size: 1 }],
  });
  const { skills } = checkListing([
    entry("skill://acme/billing/refunds/SKILL.md"),
    entry("skill://acme/support/refunds/SKILL.md"),
  ]);
  const root = mcpRoot("docs", { name: "user", path: null });
  expect(mcpSkills(skills, { server: "docs", root, digest: () => "" }).map(({ name }) => name)).toEqual([
    "docs:acme.billing.refunds",
    "docs:acme.support.refunds",
  ]);
});
