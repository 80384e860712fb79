import { usage } from "../common/failure.ts";

/** A key as the browser's debugging protocol wants it. */
export interface Key {
  readonly key: string;
  readonly code: string;
  readonly windowsVirtualKeyCode: number;
  readonly text?: string;
  readonly modifiers: number;
}

const named: Readonly<Record<string, readonly [code: number, text?: string]>> = {
  Enter: [13, "\r"],
  Tab: [9],
  Escape: [27],
  Backspace: [8],
  Delete: [46],
  Insert: [45],
  Home: [36],
  End: [35],
  PageUp: [33],
  PageDown: [34],
  ArrowLeft: [37],
  ArrowUp: [38],
  ArrowRight: [39],
  ArrowDown: [40],
  Space: [32, " "],
};
const modifiers: Readonly<Record<string, number>> = {
  alt: 1,
  control: 2,
  ctrl: 2,
  meta: 4,
  command: 4,
  cmd: 4,
  shift: 8,
};

/** `Enter`, `a`, `Control+A`, `Shift+Tab`, `F5`. */
export function keyOf(text: string): Key {
  const parts = text === "+" ? ["+"] : text.split("+").map((part) => part.trim());
  const last = parts.at(-1) ?? "";
  let held = 0;
  for (const part of parts.slice(0, -1)) {
    const bit = modifiers[part.toLowerCase()];
    if (bit === undefined) throw usage(`"${part}" is no key to hold down`, "Control, Shift, Alt, Meta");
    held |= bit;
  }
  const name = Object.keys(named).find((one) => one.toLowerCase() === last.toLowerCase());
  if (name !== undefined) {
    const [code, typed] = named[name] ?? [0];
    const plain = (held & ~8) === 0 && typed !== undefined ? { text: typed } : {};
    return {
      key: name === "Space" ? " " : name,
      code: name,
      windowsVirtualKeyCode: code,
      ...plain,
      modifiers: held,
    };
  }
  const row = /^F([1-9]|1[0-2])$/i.exec(last)?.[1];
  if (row !== undefined)
    return { key: `F${row}`, code: `F${row}`, windowsVirtualKeyCode: 111 + Number(row), modifiers: held };
  if ([...last].length !== 1)
    throw usage(`"${text}" is no key`, `a character, F1 to F12, or one of ${Object.keys(named).join(", ")}`);
  const upper = last.toUpperCase();
  const code = /^[A-Z]$/.test(upper) ? `Key${upper}` : /^\d$/.test(last) ? `Digit${last}` : "";
  const plain = (held & ~8) === 0 ? { text: last } : {};
  return {
    key: last,
    code,
    windowsVirtualKeyCode: code === "" ? 0 : upper.charCodeAt(0),
    ...plain,
    modifiers: held,
  };
}
