import { setTimeout as sleep } from "node:timers/promises";
import { Failure, usage } from "../common/failure.ts";
import { type Running, remember } from "./chrome.ts";
import { type Connection, connect, type Session } from "./connection.ts";
import { keyOf } from "./keys.ts";
import type { TreeNode } from "./outline.ts";

export interface Tab {
  readonly id: string;
  readonly title: string;
  readonly url: string;
}

/** The tab that commands speak of, connected for one call. */
export interface Page {
  readonly session: Session;
  readonly tab: Tab;
  /** Dialogs that opened during this call, as sentences. */
  readonly dialogs: readonly string[];
  close(): void;
}

interface Options {
  /** Answer dialogs with OK instead of dismissing them. */
  readonly accept?: boolean;
}

export async function tabsOf(connection: Connection): Promise<readonly Tab[]> {
  const { targetInfos } = (await connection.send("Target.getTargets")) as unknown as {
    targetInfos: { targetId: string; type: string; title: string; url: string }[];
  };
  return targetInfos
    .filter(({ type }) => type === "page")
    .map(({ targetId, title, url }) => ({ id: targetId, title, url }));
}

/** Connects to the remembered tab, or the first one when it is gone, with the remembered size and colours. */
export async function openPage(name: string, running: Running, options: Options = {}): Promise<Page> {
  const connection = await connect(running.address);
  const tabs = await tabsOf(connection);
  const tab = tabs.find(({ id }) => id === running.tab) ?? tabs[0];
  if (tab === undefined) throw new Failure("the browser has no tab", { hint: "`open URL` makes one" });
  if (tab.id !== running.tab) remember(name, { ...running, tab: tab.id });
  const { sessionId } = await connection.send("Target.attachToTarget", { targetId: tab.id, flatten: true });
  const session = connection.session(String(sessionId));
  const dialogs: string[] = [];
  session.on("Page.javascriptDialogOpening", ({ type, message }) => {
    const accept = options.accept === true;
    dialogs.push(`${String(type)} ${accept ? "accepted" : "dismissed"}: ${String(message).slice(0, 500)}`);
    session.send("Page.handleJavaScriptDialog", { accept }).catch(() => {});
  });
  await session.send("Page.enable");
  if (running.size !== null) {
    const [width, height] = running.size;
    await session.send("Emulation.setDeviceMetricsOverride", {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: width < 600,
    });
  }
  if (running.dark)
    await session.send("Emulation.setEmulatedMedia", {
      features: [{ name: "prefers-color-scheme", value: "dark" }],
    });
  return { session, tab, dialogs, close: () => connection.close() };
}

/** Runs JavaScript in the page and gives its value; a promise is waited for. */
export async function evaluate(session: Session, expression: string): Promise<unknown> {
  const { result, exceptionDetails } = (await session.send("Runtime.evaluate", {
    expression,
    awaitPromise: true,
    returnByValue: true,
    replMode: true,
    userGesture: true,
  })) as unknown as {
    result: { value?: unknown; description?: string };
    exceptionDetails?: { text: string; exception?: { description?: string } };
  };
  if (exceptionDetails !== undefined)
    throw new Failure(`the page threw: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
  return "value" in result ? result.value : result.description;
}

/** Waits until the page is loaded, at most `seconds`; true when it is. */
export async function loaded(session: Session, seconds: number): Promise<boolean> {
  return until(
    seconds,
    async () => (await evaluate(session, "document.readyState").catch(() => "")) === "complete",
  );
}

/** Asks again and again until `holds` gives true. */
export async function until(seconds: number, holds: () => Promise<boolean>): Promise<boolean> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    if (await holds()) return true;
    if (Date.now() > end) return false;
    await sleep(100);
  }
}

/** A short wait for what an action sets off: a navigation that begins is followed to its end. */
export async function settle(session: Session, seconds: number): Promise<void> {
  await sleep(150);
  await loaded(session, seconds);
}

/** Opens an address and waits until it is loaded. */
export async function navigate(session: Session, url: string, seconds: number): Promise<void> {
  const { errorText } = await session.send("Page.navigate", { url });
  if (errorText) throw new Failure(`${url} can't be opened: ${String(errorText)}`);
  if (!(await loaded(session, seconds)))
    throw new Failure(`${url} did not finish loading within ${seconds} s`, {
      hint: "it may be usable all the same: `look`",
    });
}

/** One step back (-1) or forward (1) in the tab's history. */
export async function step(session: Session, by: -1 | 1, seconds: number): Promise<void> {
  const { currentIndex, entries } = (await session.send("Page.getNavigationHistory")) as unknown as {
    currentIndex: number;
    entries: { id: number }[];
  };
  const entry = entries[currentIndex + by];
  if (entry === undefined)
    throw new Failure(by < 0 ? "there is no page before this one" : "there is no page after this one");
  await session.send("Page.navigateToHistoryEntry", { entryId: entry.id });
  await settle(session, seconds);
}

/** The accessibility trees of the page and of its frames, the page's first. */
export async function trees(session: Session): Promise<readonly (readonly TreeNode[])[]> {
  interface Frame {
    readonly frame: { readonly id: string };
    readonly childFrames?: readonly Frame[];
  }
  const { frameTree } = (await session.send("Page.getFrameTree")) as unknown as { frameTree: Frame };
  const ids: string[] = [];
  const walk = (frame: Frame): void => {
    ids.push(frame.frame.id);
    frame.childFrames?.forEach(walk);
  };
  walk(frameTree);
  const found: TreeNode[][] = [];
  for (const frameId of ids) {
    const answer = await session.send("Accessibility.getFullAXTree", { frameId }).catch(() => null);
    if (answer !== null) found.push(answer.nodes as TreeNode[]);
  }
  return found;
}

function gone(number: number): Failure {
  return new Failure(`there is no element ${number} any more`, { hint: "`look` shows what is there now" });
}

/** Calls a function on an element; `this` is the element. */
export async function onElement(
  session: Session,
  number: number,
  code: string,
  ...args: readonly unknown[]
): Promise<unknown> {
  const node = await session.send("DOM.resolveNode", { backendNodeId: number }).catch(() => null);
  if (node === null) throw gone(number);
  const { objectId } = node.object as { objectId: string };
  const { result, exceptionDetails } = (await session.send("Runtime.callFunctionOn", {
    objectId,
    functionDeclaration: code,
    arguments: args.map((value) => ({ value })),
    returnByValue: true,
    userGesture: true,
  })) as unknown as {
    result: { value?: unknown };
    exceptionDetails?: { exception?: { description?: string } };
  };
  if (exceptionDetails !== undefined)
    throw new Failure(exceptionDetails.exception?.description?.split("\n")[0] ?? "the page threw");
  return result.value;
}

/** The middle of an element, scrolled into view; refuses one that is not shown or lies under another. */
export async function middleOf(
  session: Session,
  number: number,
  force: boolean,
): Promise<{ readonly x: number; readonly y: number }> {
  await session.send("DOM.scrollIntoViewIfNeeded", { backendNodeId: number }).catch(() => {});
  const answer = await session.send("DOM.getContentQuads", { backendNodeId: number }).catch(() => null);
  if (answer === null) {
    await onElement(session, number, "function () {}");
    throw new Failure(`element ${number} is not shown`, {
      hint: "`look` again; it may need to be opened first",
    });
  }
  const quads = answer.quads as number[][];
  const quad = quads.find((one) => area(one) > 1) ?? quads[0];
  if (quad === undefined) throw new Failure(`element ${number} has no size`);
  const x = ((quad[0] ?? 0) + (quad[2] ?? 0) + (quad[4] ?? 0) + (quad[6] ?? 0)) / 4;
  const y = ((quad[1] ?? 0) + (quad[3] ?? 0) + (quad[5] ?? 0) + (quad[7] ?? 0)) / 4;
  if (!force) {
    const over = await onElement(
      session,
      number,
      `function () {
        if (this.disabled) return "disabled";
        const element = this.nodeType === 1 ? this : this.parentElement;
        const box = element.getBoundingClientRect();
        const top = element.getRootNode().elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        if (!top || element.contains(top) || top.contains(element)) return null;
        const label = top.closest("label");
        if (label && (label.control === element || label.contains(element))) return null;
        return "<" + top.tagName.toLowerCase() + (top.id ? " id=" + top.id : "") + "> " + (top.textContent || "").trim().slice(0, 60);
      }`,
    );
    if (over === "disabled") throw new Failure(`element ${number} is disabled`);
    if (typeof over === "string")
      throw new Failure(`element ${number} lies under ${over}`, {
        hint: "close what covers it, or use --force",
      });
  }
  return { x, y };
}

function area([x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0, x4 = 0, y4 = 0]: readonly number[]): number {
  return Math.abs(x1 * y2 - x2 * y1 + x2 * y3 - x3 * y2 + x3 * y4 - x4 * y3 + x4 * y1 - x1 * y4) / 2;
}

export async function click(
  session: Session,
  number: number,
  options: { readonly force: boolean; readonly count: number; readonly right: boolean },
): Promise<void> {
  const { x, y } = await middleOf(session, number, options.force);
  const button = options.right ? "right" : "left";
  await session.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y });
  for (let count = 1; count <= options.count; count++) {
    await session.send("Input.dispatchMouseEvent", { type: "mousePressed", x, y, button, clickCount: count });
    await session.send("Input.dispatchMouseEvent", {
      type: "mouseReleased",
      x,
      y,
      button,
      clickCount: count,
    });
  }
}

export async function press(session: Session, text: string): Promise<void> {
  const key = keyOf(text);
  await session.send("Input.dispatchKeyEvent", {
    type: key.text === undefined ? "rawKeyDown" : "keyDown",
    ...key,
  });
  await session.send("Input.dispatchKeyEvent", { type: "keyUp", ...key });
}

/** Puts text into a field, in place of what it holds unless `append`. */
export async function type(
  session: Session,
  number: number,
  { text, append }: { readonly text: string; readonly append: boolean },
): Promise<void> {
  const kind = await onElement(
    session,
    number,
    `function (append) {
      if (this.disabled || this.readOnly) return "fixed";
      const type = this.tagName === "INPUT" ? this.type : this.tagName === "TEXTAREA" ? "text" : this.isContentEditable ? "rich" : "none";
      if (type === "none") return type;
      this.focus();
      if (/^(date|time|datetime-local|month|week|color|range)$/.test(type)) return "value";
      if (type === "rich") {
        const all = document.createRange();
        all.selectNodeContents(this);
        if (append) all.collapse(false);
        const chosen = getSelection();
        chosen.removeAllRanges();
        chosen.addRange(all);
      } else if (append) {
        try { this.setSelectionRange(this.value.length, this.value.length); } catch {}
      } else this.select();
      return type;
    }`,
    append,
  );
  if (kind === "fixed") throw new Failure(`element ${number} can't be changed: it is disabled or read-only`);
  if (kind === "none")
    throw new Failure(`element ${number} takes no text`, {
      hint: "`choose` is for lists, `click` for boxes",
    });
  if (kind === "value") {
    const is = await onElement(session, number, setValue, text);
    if (is !== text)
      throw usage(`the field did not take "${text}"`, "a date is 2026-05-31, a time 14:30, a colour #rrggbb");
    return;
  }
  if (text === "" && !append) await press(session, "Delete");
  else await session.send("Input.insertText", { text });
}

const setValue = `function (value) {
  const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(this), "value");
  own.set.call(this, value);
  this.dispatchEvent(new Event("input", { bubbles: true }));
  this.dispatchEvent(new Event("change", { bubbles: true }));
  return this.value;
}`;

/** Chooses entries of a list by their text or value; gives the texts chosen. */
export async function choose(
  session: Session,
  number: number,
  wanted: readonly string[],
): Promise<readonly string[]> {
  const answer = await onElement(
    session,
    number,
    `function (wanted) {
      if (this.tagName !== "SELECT") return { kind: "none" };
      const names = [...this.options].map((option) => option.label.trim());
      const chosen = wanted.map((one) => [...this.options].findIndex((option) => option.value === one || option.label.trim() === one));
      const missing = chosen.indexOf(-1);
      if (missing >= 0) return { kind: "missing", name: wanted[missing], names: names.slice(0, 30) };
      [...this.options].forEach((option, at) => { option.selected = chosen.includes(at); });
      this.dispatchEvent(new Event("input", { bubbles: true }));
      this.dispatchEvent(new Event("change", { bubbles: true }));
      return { kind: "done", names: chosen.map((at) => names[at]) };
    }`,
    wanted,
  );
  const { kind, name, names } = answer as { kind: string; name?: string; names: string[] };
  if (kind === "none")
    throw new Failure(`element ${number} is not a list of choices`, {
      hint: "click it, look, and click the entry",
    });
  if (kind === "missing") throw new Failure(`"${name}" is not among the choices`, { hint: names.join(", ") });
  return names;
}
