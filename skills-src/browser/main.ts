import { setTimeout as sleep } from "node:timers/promises";
import { type Call, type OptionSpec, runProgram } from "../common/command.ts";
import { Failure, usage } from "../common/failure.ts";
import { type Running, remember, runningBrowser, startBrowser, stopBrowser } from "./chrome.ts";
import { connect } from "./connection.ts";
import { outline } from "./outline.ts";
import {
  choose,
  click,
  evaluate,
  loaded,
  middleOf,
  navigate,
  onElement,
  openPage,
  type Page,
  press,
  settle,
  step,
  tabsOf,
  trees,
  type,
  until,
} from "./page.ts";

const name: OptionSpec = { value: "NAME", help: "which browser, if there are several (default: default)" };
const timeout: OptionSpec = { value: "SECONDS", help: "longest wait (default 10)" };
const accept: OptionSpec = { help: "answer dialogs of the page with OK" };
const force: OptionSpec = { help: "even if something lies over it" };

const nameOf = (call: Call): string => {
  const given = call.text("name") ?? "default";
  if (!/^[\w-]{1,40}$/.test(given)) throw usage("a name has letters, digits, - and _");
  return given;
};
const seconds = (call: Call): number => call.number("timeout", { min: 0, max: 600, fraction: true }) ?? 10;

function started(call: Call): Running {
  const running = runningBrowser(nameOf(call));
  if (running === null) throw new Failure("no browser is running", { hint: "`start` opens one" });
  return running;
}

async function withPage(call: Call, work: (page: Page) => Promise<void>): Promise<void> {
  const page = await openPage(nameOf(call), started(call), { accept: call.flag("accept") });
  try {
    await work(page);
    await sleep(20);
  } finally {
    for (const dialog of page.dialogs) call.print(`dialog: ${dialog}`);
    page.close();
  }
}

function element(call: Call, index = 0): number {
  const text = call.needed(index, "the number of an element").replace(/^\[|\]$/g, "");
  if (!/^\d+$/.test(text))
    throw usage(`"${text}" is no number of an element`, "`look` shows them in square brackets");
  return Number(text);
}

async function where(page: Page): Promise<string> {
  const [title, url] = (await evaluate(page.session, "[document.title, location.href]")) as [string, string];
  return `${title.replace(/\s+/g, " ").slice(0, 200) || "(no title)"}  ${url}`;
}

function withoutControls(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
}

await runProgram({
  name: "browser",
  about: "Drives a real Chrome, Chromium or Edge with a profile of its own.",
  commands: {
    start: {
      usage: "[options]",
      summary: "open a browser that stays open between calls",
      options: {
        headed: { help: "show its window" },
        size: { value: "WxH", help: "of the window (default 1280x800)" },
        name,
      },
      async run(call) {
        const size = /^(\d{2,5})[x×](\d{2,5})$/.exec(call.text("size") ?? "1280x800");
        if (size === null) throw usage("--size is like 1280x800");
        const running = await startBrowser(nameOf(call), {
          headed: call.flag("headed"),
          size: [Number(size[1]), Number(size[2])],
        });
        call.print(`started, process ${running.pid}`);
      },
    },
    stop: {
      usage: "[options]",
      summary: "close it and remove its profile",
      options: { name },
      async run(call) {
        call.print((await stopBrowser(nameOf(call))) ? "stopped" : "none was running");
      },
    },
    open: {
      usage: "URL [options]",
      summary: "go to an address and wait until it is loaded",
      options: { tab: { help: "in a new tab" }, timeout, accept, name },
      async run(call) {
        const url = address(call.needed(0, "the address"));
        if (call.flag("tab")) await newTab(call);
        await withPage(call, async (page) => {
          await navigate(page.session, url, call.text("timeout") === undefined ? 30 : seconds(call));
          call.print(await where(page));
        });
      },
    },
    look: {
      usage: "[options]",
      summary: "what the page holds; what can be used has a number",
      options: {
        lines: { value: "N", help: "at most N lines (default 400)" },
        find: { value: "TEXT", help: "only lines that hold this text" },
        name,
      },
      run: (call) =>
        withPage(call, async (page) => {
          const limit = call.number("lines", { min: 1, max: 100_000 }) ?? 400;
          const wanted = call.text("find")?.toLowerCase();
          const lines = (await trees(page.session))
            .flatMap((tree, index) => (index === 0 ? outline(tree) : ["--- frame", ...outline(tree)]))
            .filter((line) => wanted === undefined || line.toLowerCase().includes(wanted));
          call.print(await where(page));
          for (const line of lines.slice(0, limit)) call.print(line);
          if (lines.length > limit)
            call.print(`… ${lines.length - limit} more lines; --lines or --find shows them`);
          if (lines.length === 0) call.print(wanted === undefined ? "(the page is empty)" : "(no such line)");
        }),
    },
    text: {
      usage: "[N] [options]",
      summary: "the text of the page, or of one element",
      options: { name },
      run: (call) =>
        withPage(call, async (page) => {
          const text =
            call.positionals[0] === undefined
              ? await evaluate(page.session, "document.body ? document.body.innerText : ''")
              : await onElement(
                  page.session,
                  element(call),
                  "function () { return this.innerText ?? this.textContent; }",
                );
          call.print(withoutControls(String(text)));
        }),
    },
    click: {
      usage: "N [options]",
      summary: "click an element",
      options: {
        double: { help: "twice" },
        right: { help: "with the right button" },
        force,
        accept,
        timeout,
        name,
      },
      run: (call) =>
        withPage(call, async (page) => {
          const options = {
            force: call.flag("force"),
            count: call.flag("double") ? 2 : 1,
            right: call.flag("right"),
          };
          await click(page.session, element(call), options);
          await settle(page.session, seconds(call));
          call.print(await where(page));
        }),
    },
    hover: {
      usage: "N",
      summary: "move the mouse over an element",
      options: { force, name },
      run: (call) =>
        withPage(call, async ({ session }) => {
          const place = await middleOf(session, element(call), call.flag("force"));
          await session.send("Input.dispatchMouseEvent", { type: "mouseMoved", ...place });
        }),
    },
    type: {
      usage: "N TEXT [options]",
      summary: "write into a field, in place of what it holds",
      options: {
        enter: { help: "press Enter after it" },
        append: { help: "keep what it holds" },
        accept,
        timeout,
        name,
      },
      run: (call) =>
        withPage(call, async (page) => {
          await type(page.session, element(call), {
            text: call.needed(1, "the text"),
            append: call.flag("append"),
          });
          if (!call.flag("enter")) return;
          await press(page.session, "Enter");
          await settle(page.session, seconds(call));
          call.print(await where(page));
        }),
    },
    choose: {
      usage: "N VALUE…",
      summary: "choose entries of a list",
      options: { accept, name },
      run: (call) =>
        withPage(call, async ({ session }) => {
          call.needed(1, "the value");
          call.print((await choose(session, element(call), call.positionals.slice(1))).join(", "));
        }),
    },
    press: {
      usage: "KEY",
      summary: "press a key: Enter, Tab, Escape, ArrowDown, Control+A, …",
      options: { accept, timeout, name },
      run: (call) =>
        withPage(call, async ({ session }) => {
          await press(session, call.needed(0, "the key"));
          await settle(session, seconds(call));
        }),
    },
    scroll: {
      usage: "[N] [options]",
      summary: "scroll an element into view, or the page",
      options: { by: { value: "PIXELS", help: "down, or up with a minus: --by=-500" }, name },
      run: (call) =>
        withPage(call, async ({ session }) => {
          if (call.positionals[0] !== undefined)
            await onElement(
              session,
              element(call),
              "function () { this.scrollIntoView({ block: 'center' }); }",
            );
          else {
            const by = call.number("by", { min: -1_000_000, max: 1_000_000 }) ?? 600;
            call.print(
              `at ${String(await evaluate(session, `scrollBy(0, ${by}); Math.round(scrollY) + " of " + (document.documentElement.scrollHeight - innerHeight)`))}`,
            );
          }
        }),
    },
    upload: {
      usage: "N FILE…",
      summary: "give files to a file field",
      options: { name },
      run: (call) =>
        withPage(call, async ({ session }) => {
          const { existsSync } = await import("node:fs");
          const { resolve } = await import("node:path");
          call.needed(1, "the file");
          const files = call.positionals.slice(1).map((path) => resolve(path));
          const missing = files.find((path) => !existsSync(path));
          if (missing !== undefined) throw new Failure(`there is no ${missing}`, { exitCode: 3 });
          await session.send("DOM.setFileInputFiles", { files, backendNodeId: element(call) });
        }),
    },
    wait: {
      usage: "[options]",
      summary: "until something holds; exit code 1 when it does not in time",
      options: {
        text: { value: "T", help: "the page shows this text" },
        gone: { value: "T", help: "it does not show this text any more" },
        url: { value: "PART", help: "the address holds this" },
        idle: { help: "loaded, and nothing was fetched for half a second" },
        ms: { value: "N", help: "just this long" },
        timeout,
        name,
      },
      run: (call) => withPage(call, (page) => wait(call, page)),
    },
    shot: {
      usage: "FILE.png [options]",
      summary: "take a picture",
      options: { full: { help: "the whole page" }, of: { value: "N", help: "one element" }, name },
      run: (call) =>
        withPage(call, async ({ session }) => {
          const path = call.needed(0, "the file");
          const clip = await area(session, call);
          const { data } = await session.send("Page.captureScreenshot", {
            format: /\.jpe?g$/i.test(path) ? "jpeg" : "png",
            captureBeyondViewport: clip !== null,
            ...(clip === null ? {} : { clip }),
          });
          call.write([{ path, bytes: Buffer.from(String(data), "base64") }]);
        }),
    },
    pdf: {
      usage: "FILE.pdf [options]",
      summary: "print the page",
      options: { landscape: { help: "sideways" }, name },
      run: (call) =>
        withPage(call, async ({ session }) => {
          const { data } = await session.send("Page.printToPDF", {
            printBackground: true,
            landscape: call.flag("landscape"),
            preferCSSPageSize: true,
          });
          call.write([{ path: call.needed(0, "the file"), bytes: Buffer.from(String(data), "base64") }]);
        }),
    },
    eval: {
      usage: "JAVASCRIPT",
      summary: "run JavaScript in the page and print its value as JSON",
      options: { accept, name },
      run: (call) =>
        withPage(call, async ({ session }) => {
          const value = await evaluate(session, call.needed(0, "the code"));
          call.print(JSON.stringify(value, null, 2) ?? "undefined");
        }),
    },
    console: {
      usage: "[options]",
      summary: "what the page wrote to its console, and its errors",
      options: { errors: { help: "errors and warnings only" }, name },
      run: (call) => withPage(call, (page) => consoleOf(call, page)),
    },
    size: {
      usage: "WIDTH HEIGHT",
      summary: "show pages in this size from now on; `size off` ends it",
      options: { name },
      async run(call) {
        const running = started(call);
        const off = call.positionals[0] === "off";
        const [width, height] = [0, 1].map((index) =>
          Number(off ? 1 : call.needed(index, "width and height")),
        );
        if (
          !off &&
          ![width, height].every(
            (one) => one !== undefined && Number.isInteger(one) && one >= 50 && one <= 10_000,
          )
        )
          throw usage("width and height are whole numbers from 50 to 10000");
        remember(nameOf(call), { ...running, size: off ? null : [width ?? 0, height ?? 0] });
      },
    },
    dark: {
      usage: "on|off",
      summary: "tell pages that the user likes dark colours",
      options: { name },
      async run(call) {
        const word = call.needed(0, "on or off");
        if (word !== "on" && word !== "off") throw usage("on or off");
        remember(nameOf(call), { ...started(call), dark: word === "on" });
      },
    },
    back: {
      usage: "",
      summary: "go back",
      options: { timeout, accept, name },
      run: (call) => move(call, (page) => step(page.session, -1, seconds(call))),
    },
    forward: {
      usage: "",
      summary: "go forward",
      options: { timeout, accept, name },
      run: (call) => move(call, (page) => step(page.session, 1, seconds(call))),
    },
    reload: {
      usage: "",
      summary: "load the page anew",
      options: { timeout, accept, name },
      run: (call) =>
        move(call, async ({ session }) => {
          await session.send("Page.reload");
          await settle(session, seconds(call));
        }),
    },
    tabs: {
      usage: "",
      summary: "list the tabs; a star marks the one in use",
      options: { name },
      async run(call) {
        const running = started(call);
        const connection = await connect(running.address);
        const tabs = await tabsOf(connection);
        connection.close();
        const used = tabs.find(({ id }) => id === running.tab) ?? tabs[0];
        for (const [index, tab] of tabs.entries())
          call.print(
            `${tab === used ? "*" : " "} ${index + 1}  ${withoutControls(tab.title).slice(0, 100)}  ${tab.url}`,
          );
      },
    },
    tab: {
      usage: "N",
      summary: "use this tab from now on",
      options: { name },
      run: (call) => chooseTab(call, "Target.activateTarget"),
    },
    close: {
      usage: "[N]",
      summary: "close a tab (default: the one in use)",
      options: { name },
      run: (call) => chooseTab(call, "Target.closeTarget"),
    },
  },
});

function address(text: string): string {
  const whole =
    /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^localhost:|^[\w.-]+:\d/.test(text)
      ? text
      : `${/^(localhost|127\.|\[)/.test(text) ? "http" : "https"}://${text}`;
  try {
    return new URL(whole).href;
  } catch {
    throw usage(`"${text}" is no address`);
  }
}

async function newTab(call: Call): Promise<void> {
  const running = started(call);
  const connection = await connect(running.address);
  const { targetId } = await connection.send("Target.createTarget", { url: "about:blank" });
  connection.close();
  remember(nameOf(call), { ...running, tab: String(targetId) });
}

async function chooseTab(call: Call, method: string): Promise<void> {
  const running = started(call);
  const connection = await connect(running.address);
  try {
    const tabs = await tabsOf(connection);
    const wanted = call.positionals[0];
    const tab =
      wanted === undefined
        ? (tabs.find(({ id }) => id === running.tab) ?? tabs[0])
        : tabs[Number(wanted) - 1];
    if (tab === undefined)
      throw new Failure(`there is no tab ${wanted ?? ""}`, { hint: "`tabs` lists them" });
    if (method === "Target.closeTarget" && tabs.length === 1)
      await connection.send("Target.createTarget", { url: "about:blank" });
    await connection.send(method, { targetId: tab.id });
    remember(nameOf(call), { ...running, tab: method === "Target.closeTarget" ? null : tab.id });
  } finally {
    connection.close();
  }
}

async function move(call: Call, how: (page: Page) => Promise<void>): Promise<void> {
  await withPage(call, async (page) => {
    await how(page);
    call.print(await where(page));
  });
}

async function wait(call: Call, { session }: Page): Promise<void> {
  const limit = seconds(call);
  const ms = call.number("ms", { min: 0, max: 600_000 });
  if (ms !== undefined) return sleep(ms);
  const shows = async (text: string): Promise<boolean> =>
    (await evaluate(
      session,
      `(document.body ? document.body.innerText : "").includes(${JSON.stringify(text)})`,
    ).catch(() => false)) === true;
  const [text, gone, url] = [call.text("text"), call.text("gone"), call.text("url")];
  if (text !== undefined) return must(limit, `the text "${text}" did not appear`, () => shows(text));
  if (gone !== undefined)
    return must(limit, `the text "${gone}" is still there`, async () => !(await shows(gone)));
  if (url !== undefined)
    return must(limit, `the address does not hold "${url}"`, async () =>
      String(await evaluate(session, "location.href").catch(() => "")).includes(url),
    );
  if (!call.flag("idle")) throw usage("say what to wait for", "--text, --gone, --url, --idle or --ms");
  let busy = 0;
  let last = Date.now();
  const change = (by: number) => (): void => {
    busy = Math.max(0, busy + by);
    last = Date.now();
  };
  session.on("Network.requestWillBeSent", change(1));
  session.on("Network.loadingFinished", change(-1));
  session.on("Network.loadingFailed", change(-1));
  await session.send("Network.enable");
  return must(
    limit,
    "the page is still busy",
    async () => busy === 0 && Date.now() - last > 500 && (await loaded(session, 0)),
  );
}

async function must(limit: number, otherwise: string, holds: () => Promise<boolean>): Promise<void> {
  if (!(await until(limit, holds))) throw new Failure(`${otherwise} within ${limit} s`);
}

async function area(session: Page["session"], call: Call): Promise<Readonly<Record<string, number>> | null> {
  const number = call.number("of", { min: 1, max: Number.MAX_SAFE_INTEGER });
  if (number !== undefined) {
    const box = await onElement(
      session,
      number,
      "function () { const b = this.getBoundingClientRect(); return { x: b.x + scrollX, y: b.y + scrollY, width: b.width, height: b.height }; }",
    );
    const clip = box as { width: number; height: number };
    if (clip.width < 1 || clip.height < 1) throw new Failure(`element ${number} has no size`);
    return { ...(box as Record<string, number>), scale: 1 };
  }
  if (!call.flag("full")) return null;
  const { cssContentSize } = (await session.send("Page.getLayoutMetrics")) as unknown as {
    cssContentSize: { width: number; height: number };
  };
  return {
    x: 0,
    y: 0,
    width: cssContentSize.width,
    height: Math.min(cssContentSize.height, 16_000),
    scale: 1,
  };
}

/** The browser tells again, when asked to report, what a page wrote since it was opened. */
async function consoleOf(call: Call, { session }: Page): Promise<void> {
  const lines: { readonly serious: boolean; readonly text: string }[] = [];
  session.on("Runtime.consoleAPICalled", ({ type: kind, args }) => {
    const parts = (args as { value?: unknown; description?: string; type?: string }[]).map((part) =>
      part.value === undefined
        ? (part.description ?? part.type ?? "")
        : typeof part.value === "string"
          ? part.value
          : JSON.stringify(part.value),
    );
    const serious = kind === "error" || kind === "warning" || kind === "assert";
    lines.push({ serious, text: `${String(kind)}: ${parts.join(" ")}` });
  });
  session.on("Runtime.exceptionThrown", ({ exceptionDetails }) => {
    const { text, url, lineNumber, exception } = exceptionDetails as {
      text: string;
      url?: string;
      lineNumber: number;
      exception?: { description?: string };
    };
    lines.push({
      serious: true,
      text: `exception: ${exception?.description ?? text} (${url ?? "?"}:${lineNumber + 1})`,
    });
  });
  session.on("Log.entryAdded", ({ entry }) => {
    const { level, text, url } = entry as { level: string; text: string; url?: string };
    lines.push({
      serious: level === "error" || level === "warning",
      text: `${level}: ${text}${url ? ` (${url})` : ""}`,
    });
  });
  await session.send("Runtime.enable");
  await session.send("Log.enable");
  await sleep(100);
  const told = lines.filter(({ serious }) => serious || !call.flag("errors"));
  for (const { text } of told) call.print(withoutControls(text).slice(0, 2000));
  if (told.length === 0) call.print("(nothing)");
}
