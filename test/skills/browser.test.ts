import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runScript, type ScriptRun } from "./run-script.ts";

// The skill `browser` with a real browser and pages of a server on loopback.

const program = ["chromium", "google-chrome-stable", "google-chrome"].find((name) => {
  try {
    execFileSync("which", [name], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
});

const form = `<!doctype html><meta name=viewport content='width=device-width'><title>Form 表单</title><h1>Hello 世界</h1><p>Some <b>bold</b> text and <a href="/two">a link</a>.</p>
<form onsubmit="event.preventDefault();out.textContent='Hi '+n.value+' '+c.value+' '+d.value+' '+ok.checked">
<label>Name <input id=n></label> <label>Country <select id=c><option value=de>Germany<option value=cn>中国</select></label>
<label><input type=checkbox id=ok> Agree</label> <input type=date id=d aria-label=Day> <button>Send</button></form><div id=out></div>
<button onclick="out.textContent = confirm('Sure?') ? 'sure' : 'not sure'">Ask</button><button disabled>Never</button>
<textarea aria-label=Notes></textarea><div contenteditable role=textbox aria-label=Rich>old</div><input type=file aria-label=File onchange="out.textContent=this.files[0].name">
<div style="position:relative;height:60px"><button>Covered</button><div style="position:absolute;inset:0">Cover</div></div>
<iframe srcdoc="<button onclick='parent.out.textContent=1234'>Inside</button>"></iframe><a href="/two" target="_blank">New tab</a>
<script>console.log("hello", { a: 1 }); console.error("bad"); setTimeout(() => { throw new Error("later") }, 5);
setTimeout(() => { out.textContent = "ready" }, 300)</script>`;

const server = createServer((request, response) => {
  response.writeHead(request.url === "/missing" ? 404 : 200, { "content-type": "text/html; charset=utf-8" });
  response.end(
    request.url === "/two" ? "<title>Two</title><h1>Second</h1><div style='height:3000px'>tall</div>" : form,
  );
});
let folder: string;
let site: string;
const env = (): Record<string, string> => ({
  HOME: folder,
  TMPDIR: folder,
  ...(process.env.CHROME_PATH ? { CHROME_PATH: process.env.CHROME_PATH } : {}),
});
const run = (...args: readonly string[]): Promise<ScriptRun> =>
  runScript("browser", args, { cwd: folder, env: env() });
const done = async (...args: readonly string[]): Promise<string> => {
  const { code, out, err } = await run(...args);
  expect([code, err]).toEqual([0, ""]);
  return out;
};
/** The number of the first element whose line holds the text. */
const number = async (text: string): Promise<string> => {
  const out = await done("look", "--find", text);
  return /\[(\d+)\]/.exec(out)?.[1] ?? expect.fail(`no ${text} in ${out}`);
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "skb-"));
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  site = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});

describe("browser without a browser", () => {
  test.each([
    [["look"], {}, 1, /no browser is running/],
    [["start"], { PATH: "/nonexistent" }, 3, /no Chrome, Chromium or Edge/],
    [["start"], { CHROME_PATH: "/nonexistent/chrome" }, 3, /which is not there/],
    [["start", "--size", "big"], {}, 2, /1280x800/],
    [["start", "--name", "../x"], {}, 2, /a name has/],
    [["fly"], {}, 2, /no command/],
  ])("%j", async (args, more, code, said) => {
    const answer = await runScript("browser", args, { cwd: folder, env: { ...env(), ...more } });
    expect(answer.err).toMatch(said);
    expect(answer.code).toBe(code);
  });
});

describe.skipIf(program === undefined)("browser with Chromium", () => {
  beforeAll(async () => {
    await done("start");
    await done("open", site);
    await done("wait", "--text", "ready");
  });
  afterAll(async () => {
    await run("stop");
    expect(readdirSync(folder).filter((name) => name.startsWith("skillet-browser-profile-"))).toEqual([]);
    expect((await run("stop")).out).toBe("none was running\n");
  });

  test("shows what can be read and used", async () => {
    const out = await done("look");
    expect(out.replace(/\[\d+\]/g, "[N]")).toContain(
      ['heading "Hello 世界" (level 1)', ": Some bold text and", '[N] link "a link"'].join("\n"),
    );
    for (const line of [
      'textbox "Name"',
      'combobox "Country" = "Germany"',
      'checkbox "Agree"',
      'button "Never" (disabled)',
      'button "Inside"',
    ])
      expect(out).toContain(line);
    expect((await done("text")).includes("Some bold text and a link.")).toBe(true);
  });

  test("fills in a form", async () => {
    await done("type", await number('"Name"'), "Ada 你好");
    expect(await done("choose", await number("Country"), "中国")).toBe("中国\n");
    await done("click", await number("Agree"));
    await done("type", await number('"Day"'), "2026-05-31");
    await done("click", await number("Send"));
    await done("wait", "--text", "Hi Ada 你好 cn 2026-05-31 true");
    await done("type", await number("Notes"), "line");
    await done("type", await number("Notes"), " more", "--append");
    await done("type", await number("Rich"), "new");
    expect(await done("look", "--find", "Notes")).toContain('"line more"');
    expect(await done("look", "--find", "Rich")).toContain('"new"');
  });

  test("answers dialogs as told, reaches frames, uploads", async () => {
    expect(await done("click", await number('"Ask"'))).toContain("dialog: confirm dismissed: Sure?");
    await done("wait", "--text", "not sure");
    await done("click", await number('"Ask"'), "--accept");
    expect(await done("wait", "--gone", "not sure")).toBe("");
    await done("click", await number("Inside"));
    await done("wait", "--text", "1234");
    await done("upload", await number('"File'), process.execPath);
    await done("wait", "--text", "node");
  });

  test.each([
    ["Never", /is disabled/],
    ["Covered", /lies under <div> Cover/],
  ])("does not click what can't be clicked: %s", async (text, said) => {
    const answer = await run("click", await number(text));
    expect([answer.code, answer.err]).toEqual([1, expect.stringMatching(said)]);
  });

  test("tells what the page wrote to its console", async () => {
    const all = await done("console");
    for (const line of ["log: hello", "error: bad", "Error: later"]) expect(all).toContain(line);
    expect(await done("console", "--errors")).not.toContain("log: hello");
  });

  test("takes pictures in a size and in dark", async () => {
    await done("size", "390", "700");
    await done("dark", "on");
    expect(await done("eval", "[innerWidth, matchMedia('(prefers-color-scheme: dark)').matches]")).toBe(
      "[\n  390,\n  true\n]\n",
    );
    await done("shot", "page.png");
    const png = readFileSync(join(folder, "page.png"));
    expect([png.toString("latin1", 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([
      "PNG",
      390,
      700,
    ]);
    const again = await run("shot", "page.png");
    expect([again.code, again.err]).toEqual([2, expect.stringContaining("--force")]);
    await done("size", "off");
    await done("dark", "off");
  });

  test("moves, prints, and keeps tabs apart", async () => {
    expect(await done("click", await number("a link"))).toContain("Two");
    await done("shot", "tall.png", "--full");
    expect(readFileSync(join(folder, "tall.png")).readUInt32BE(20)).toBeGreaterThan(3000);
    await done("pdf", "two.pdf");
    expect(readFileSync(join(folder, "two.pdf"), "latin1").slice(0, 5)).toBe("%PDF-");
    expect(await done("back")).toContain("Form");
    expect(await done("forward")).toContain("Two");
    await done("open", "--tab", `${site}/`);
    expect(await done("tabs")).toMatch(/^ {2}1 {2}Two.*\n\* 2 {2}Form/);
    await done("tab", "1");
    expect(await done("eval", "document.title")).toBe('"Two"\n');
    await done("close", "2");
    expect((await done("tabs")).trim().split("\n")).toHaveLength(1);
  });

  test("fails in words", async () => {
    for (const [args, said] of [
      [["wait", "--text", "never there", "--timeout", "0"], /did not appear within 0 s/],
      [["click", "99999"], /no element 99999/],
      [["click", "x"], /no number/],
      [["eval", "throw new Error('oh')"], /the page threw: Error: oh/],
      [["open", "http://127.0.0.1:1/"], /can't be opened/],
      [["press", "Hyper+Q"], /no key to hold/],
      [["start"], /running already/],
    ] as const) {
      const answer = await run(...args);
      expect(answer.err).toMatch(said);
      expect(answer.code).toBeGreaterThan(0);
    }
  });

  test("keeps its state private", () => {
    const [state] = readdirSync(folder).filter(
      (name) => name.startsWith("skillet-browser-") && !name.includes("profile"),
    );
    expect(existsSync(join(folder, state ?? "", "default.json"))).toBe(true);
  });
});
