import { execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { treeDigest } from "../../src/remote/digest/tree-digest.ts";
import { buildSite } from "../../src/remote/publish/build-site.ts";
import { collectSkills } from "../../src/remote/publish/collect-skills.ts";
import { type RunningSite, serveSite } from "../../src/remote/publish/serve-site.ts";
import { type Sandbox, sandbox, skill } from "../cli/run-skillet.ts";

let place: Sandbox;
const running: RunningSite[] = [];

beforeEach(() => {
  place = sandbox();
  place.write({
    "garden/hoe/SKILL.md": skill("hoe", "Use when hoeing."),
    "garden/hoe/scripts/run.sh": "#!/bin/sh\n",
    "garden/rake/SKILL.md": skill("rake", "Use when raking."),
  });
});
afterEach(async () => {
  for (const site of running.splice(0)) await site.close();
  place.remove();
});

async function served(): Promise<RunningSite> {
  const { skills } = collectSkills("garden", place.project);
  const site = await serveSite(await buildSite(skills), { port: 0, skills: () => [{ name: "hoe" }] });
  running.push(site);
  return site;
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}
function ask(
  url: string,
  path: string,
  options: { method?: string; headers?: Record<string, string> } = {},
): Promise<Reply> {
  return new Promise((done, reject) => {
    const { hostname, port } = new URL(url);
    const sent = request({ hostname, port, path, ...options }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => done({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    sent.on("error", reject);
    sent.end();
  });
}

test.each([
  ["publish", ["publish", "nowhere", "--out", "site"]],
  ["serve", ["serve", "nowhere"]],
])("%s of a folder that does not exist says so", async (_, line) => {
  const { code, stderr } = await place.run(line);
  expect([code, stderr]).toEqual([3, "skillet: There is no folder nowhere.\n"]);
});

describe("publish", () => {
  test("the same skills give the same bytes; only a folder of its own is replaced", async () => {
    const first = await place.run(["publish", "garden", "--out", "site", "--json"]);
    expect(first.code).toBe(0);
    await place.run(["publish", "./garden/../garden", "--out", "again"]);
    const paths = (first.json() as { files: { path: string }[] }).files.map(({ path }) => path);
    expect(paths).toContain(".well-known/agent-skills/hoe.tar.gz");
    expect(paths).toContain(".well-known/agent-skills/rake/SKILL.md");
    for (const path of paths) {
      expect(
        readFileSync(join(place.project, "again", path)).equals(
          readFileSync(join(place.project, "site", path)),
        ),
      ).toBe(true);
    }
    rmSync(join(place.project, "garden/rake"), { recursive: true });
    expect((await place.run(["publish", "garden", "--out", "site"])).code).toBe(0);
    expect(existsSync(join(place.project, "site/.well-known/skills/rake"))).toBe(false);
    place.write({ "site/mine.txt": "mine" });
    expect((await place.run(["publish", "garden", "--out", "site"])).code).toBe(1);
    expect(readdirSync(join(place.project, "site")).sort()).toEqual([".well-known", "mine.txt"]);
    expect(readdirSync(place.project).filter((name) => name.startsWith(".site"))).toEqual([]);
  });

  test.skipIf(process.platform === "win32")("hidden files and links stay behind, each by name", async () => {
    place.write({
      "garden/hoe/.env": "TOKEN=secret-text\n",
      "garden/hoe/.env.local": "TOKEN=secret-text\n",
      "garden/hoe/.keys/id": "secret-text\n",
      "other/spade/SKILL.md": skill("spade", "Use when digging."),
      "other/notes.md": "secret-text\n",
    });
    const links = {
      plain: ".env",
      notes: "../../other/notes.md",
      dead: "nothing",
      "scripts/all": "..",
      same: "SKILL.md",
    };
    for (const [path, target] of Object.entries(links))
      symlinkSync(target, join(place.project, "garden/hoe", path));
    symlinkSync("../other/spade", join(place.project, "garden/spade"));
    mkdirSync(join(place.project, "garden/bare"));
    symlinkSync("../../other/spade/SKILL.md", join(place.project, "garden/bare/SKILL.md"));
    const done = await place.run(["publish", "garden", "--out", "site", "--json"]);
    expect(done.code).toBe(0);
    const { skills, diagnostics } = done.json() as {
      skills: { name: string; digest: string; files: string[] }[];
      diagnostics: { code: string; path: string }[];
    };
    expect(skills.map(({ name, files }) => [name, files])).toEqual([
      ["hoe", ["SKILL.md", "same", "scripts/run.sh"]],
      ["rake", ["SKILL.md"]],
    ]);
    const named = diagnostics.map(({ code, path }) => `${code} ${path.slice(path.indexOf("garden/") + 7)}`);
    expect(named.sort()).toEqual([
      "publish/hidden hoe/.env",
      "publish/hidden hoe/.env.local",
      "publish/hidden hoe/.keys/id",
      "publish/hidden hoe/plain",
      "publish/link bare/SKILL.md",
      "publish/link hoe/dead",
      "publish/link hoe/notes",
      "publish/link hoe/scripts/all",
      "publish/link spade",
    ]);
    const written = readdirSync(join(place.project, "site"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith(".gz"))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
    expect(written.join("")).not.toContain("secret-text");
    const { files, digest } = skills[0] as { files: string[]; digest: string };
    const content = files.map((path) => ({
      path,
      bytes: readFileSync(join(place.project, "site/.well-known/skills/hoe", path)),
    }));
    expect(treeDigest(content)).toBe(digest);
    expect((await place.run(["publish", "garden", "--out", "site"])).stdout).toContain(".env was left out");
  });

  test("a folder without a skill, and a skill that nobody could install", async () => {
    expect((await place.run(["publish", "site", "--out", "x"])).code).not.toBe(0);
    place.write({
      "garden/bad/SKILL.md": skill("Bad Name!", "x"),
      "garden/bad!/SKILL.md": skill("also bad", "x"),
    });
    const done = await place.run(["publish", "garden", "--out", "out", "--json"]);
    expect(done.code).toBe(1);
    expect((done.json() as { skills: { name: string }[] }).skills.map(({ name }) => name)).toEqual([
      "bad",
      "hoe",
      "rake",
    ]);
  });
});

describe("serve", () => {
  test("types, lengths, HEAD, conditional requests", async () => {
    const { url } = await served();
    const index = await ask(url, "/.well-known/agent-skills/index.json");
    expect(index).toMatchObject({ status: 200, headers: { "content-type": "application/json" } });
    const etag = String(index.headers.etag);
    expect(
      await ask(url, "/.well-known/agent-skills/index.json", { headers: { "if-none-match": etag } }),
    ).toMatchObject({ status: 304, text: "" });
    const head = await ask(url, "/.well-known/agent-skills/hoe.tar.gz", { method: "HEAD" });
    expect(head).toMatchObject({ status: 200, text: "", headers: { "content-type": "application/gzip" } });
    expect(Number(head.headers["content-length"])).toBeGreaterThan(50);
    expect((await ask(url, "/.well-known/skills/rake/SKILL.md")).headers["content-type"]).toContain(
      "text/markdown",
    );
    expect(JSON.parse((await ask(url, "/skill")).text)).toEqual([{ name: "hoe" }]);
  });

  test("pages of other sites read what is published, and not the user's skills", async () => {
    const { url } = await served();
    const from = (origin: string) => ({ headers: { origin } });
    const file = "/.well-known/skills/rake/SKILL.md";
    expect((await ask(url, file, from("https://evil.example"))).headers["access-control-allow-origin"]).toBe(
      "*",
    );
    for (const origin of [
      "https://evil.example",
      "null",
      "http://127.0.0.1:1",
      url.replace("http", "https"),
    ]) {
      const { status, headers, text } = await ask(url, "/skill", from(origin));
      expect([status, headers["access-control-allow-origin"], text.includes("hoe")]).toEqual([
        403,
        undefined,
        false,
      ]);
    }
    const cross = { headers: { "sec-fetch-site": "cross-site" } };
    expect((await ask(url, "/skill", cross)).status).toBe(403);
    const own = await ask(url, "/skill", from(url));
    expect([own.status, own.headers["access-control-allow-origin"]]).toEqual([200, undefined]);
    const asked = await ask(url, "/skill", { method: "OPTIONS", ...from("https://evil.example") });
    expect(asked.headers["access-control-allow-origin"]).toBeUndefined();
  });

  test("nothing but the site, only for this machine, read only", async () => {
    const { url } = await served();
    for (const path of [
      "/",
      "/../../etc/passwd",
      "/%2e%2e/%2e%2e/etc/passwd",
      "/.well-known/skills/../../../x",
      "/%",
      "//etc/passwd",
    ]) {
      expect((await ask(url, path)).status).toBe(404);
    }
    expect((await ask(url, "/skill", { headers: { host: "evil.example" } })).status).toBe(403);
    expect((await ask(url, "/skill", { method: "POST" })).status).toBe(405);
  });

  test("what is served can be added, with the network cut afterwards", async () => {
    const site = await served();
    const done = await place.run(["add", site.url, "--yes", "--json"]);
    expect(done.code).toBe(0);
    expect((done.json() as { changes: { name: string }[] }).changes.map(({ name }) => name)).toEqual([
      "hoe",
      "rake",
    ]);
    expect(readFileSync(join(place.project, ".agents/skills/hoe/scripts/run.sh"), "utf8")).toBe(
      "#!/bin/sh\n",
    );
    expect((await place.run(["update", "--yes", "--json"])).code).toBe(0);
    await site.close();
    rmSync(join(place.project, ".agents"), { recursive: true });
    expect((await place.run(["ci"])).code).toBe(0);
    expect((await place.run(["verify"])).code).toBe(0);
    expect((await place.run(["list"])).code).toBe(0);
    // A project's lock alone does not open this machine's ports to another user.
    rmSync(join(place.data, "state"), { recursive: true });
    const refused = await place.run(["update", "--json"]);
    expect(refused.stdout).toContain("it leads to this machine");
  });
});

/** A program that may be missing; the pipeline installs it. */
function present(program: string): boolean {
  try {
    execFileSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => done(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

describe("a container registry", () => {
  test.skipIf(!present("docker-registry"))(
    "push, add by tag and by digest, ci without the cache",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "skillet-registry-"));
      const port = await freePort();
      writeFileSync(
        join(folder, "config.yml"),
        `version: 0.1\nstorage:\n  filesystem:\n    rootdirectory: ${folder}/data\nhttp:\n  addr: 127.0.0.1:${port}\n`,
      );
      const registry = spawn("docker-registry", ["serve", join(folder, "config.yml")], { stdio: "ignore" });
      const base = `oci://127.0.0.1:${port}/team/hoe`;
      try {
        for (let tries = 0; tries < 200; tries++) {
          if (
            await ask(`http://127.0.0.1:${port}`, "/v2/").then(
              () => true,
              () => false,
            )
          )
            break;
          await new Promise((done) => setTimeout(done, 100));
        }
        const pushed = await place.run(["push", "garden/hoe", `${base}:1.0`, "--json"]);
        expect(pushed.code).toBe(0);
        const { digest } = pushed.json() as { digest: string };
        // Pushed again from elsewhere, it is the same artifact.
        mkdirSync(join(place.project, "other"));
        execFileSync("cp", ["-r", join(place.project, "garden/hoe"), join(place.project, "other/hoe")]);
        expect((await place.run(["push", "other/hoe", `${base}:1.1`, "--json"])).json()).toMatchObject({
          digest,
        });
        expect((await place.run(["add", `${base}:1.0`, "--yes"])).code).toBe(0);
        const lock = JSON.parse(readFileSync(join(place.project, "skillet.lock"), "utf8"));
        expect(lock.skills.hoe).toMatchObject({ kind: "oci", ref: "1.0", revision: digest });
        rmSync(join(place.data, "cache"), { recursive: true });
        rmSync(join(place.project, ".agents"), { recursive: true });
        expect((await place.run(["ci"])).code).toBe(0);
        expect((await place.run(["verify"])).code).toBe(0);
        await place.run(["remove", "hoe"]);
        expect((await place.run(["add", `${base}@${digest}`, "--yes"])).code).toBe(0);
        const wrong = await place.run(["add", `${base}@sha256:${"0".repeat(64)}`, "--yes"]);
        expect(wrong.code).toBe(1);
      } finally {
        registry.kill();
        rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
      }
    },
  );
});

// With the real programs: PEERS_FOLDER names a node_modules folder that holds skills 1.5.18 and opencode-ai 1.18.33.
const peers = process.env.PEERS_FOLDER;
if (peers !== undefined) {
  const environment = () => ({
    PATH: process.env.PATH ?? "",
    HOME: place.home,
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
  });
  const start = (program: string, args: readonly string[]): Promise<string> =>
    new Promise((done, reject) => {
      const child = spawn(program, args, {
        cwd: place.project,
        env: environment(),
        stdio: ["ignore", "pipe", "pipe"],
      });
      let text = "";
      child.stdout.on("data", (chunk) => {
        text += chunk;
      });
      child.once("error", reject);
      child.once("close", () => done(text));
    });

  describe("other programs install what we publish", () => {
    test("the skills command", async () => {
      const { url } = await served();
      await start(process.execPath, [
        join(peers, "skills/bin/cli.mjs"),
        "add",
        url,
        "-y",
        "--agent",
        "claude-code",
        "--copy",
      ]);
      const at = (path: string) => join(place.project, ".claude/skills", path);
      expect(readFileSync(at("hoe/SKILL.md"), "utf8")).toBe(skill("hoe", "Use when hoeing."));
      expect(readFileSync(at("hoe/scripts/run.sh"), "utf8")).toBe("#!/bin/sh\n");
      expect(existsSync(at("rake/SKILL.md"))).toBe(true);
    });

    test("OpenCode", async () => {
      const { url } = await served();
      place.write({ "opencode.json": JSON.stringify({ skills: { urls: [`${url}/.well-known/skills/`] } }) });
      execFileSync("git", ["init", "-q"], { cwd: place.project });
      const text = await start(join(peers, "opencode-linux-x64/bin/opencode"), ["debug", "skill"]);
      const found = JSON.parse(text) as readonly { name: string; description: string }[];
      expect(found.map(({ name, description }) => [name, description])).toEqual(
        expect.arrayContaining([
          ["hoe", "Use when hoeing."],
          ["rake", "Use when raking."],
        ]),
      );
    });
  });
}
