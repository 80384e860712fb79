/** One key, or a run of typed or pasted characters. */
export interface Key {
  /** What was typed; "" for keys without a character. */
  readonly input: string;
  readonly name:
    | "text"
    | "paste"
    | "enter"
    | "newline"
    | "tab"
    | "shift-tab"
    | "escape"
    | "backspace"
    | "delete"
    | "up"
    | "down"
    | "left"
    | "right"
    | "home"
    | "end"
    | "page-up"
    | "page-down";
  readonly ctrl: boolean;
  readonly meta: boolean;
}

/** What the terminal library says of a key. */
export interface RawKey {
  readonly upArrow: boolean;
  readonly downArrow: boolean;
  readonly leftArrow: boolean;
  readonly rightArrow: boolean;
  readonly pageDown: boolean;
  readonly pageUp: boolean;
  readonly home: boolean;
  readonly end: boolean;
  readonly return: boolean;
  readonly escape: boolean;
  readonly ctrl: boolean;
  readonly shift: boolean;
  readonly tab: boolean;
  readonly backspace: boolean;
  readonly delete: boolean;
  readonly meta: boolean;
}

/**
 * Makes keys of what the terminal sends, and one paste of everything between the marks of a bracketed paste. Several
 * characters at once with a line break among them are a paste too: old terminals mark none. `sent`: the bytes as they
 * came, where they are known; only they tell the two keys that delete apart.
 */
export function createKeyReader(): (input: string, raw: RawKey, sent: string | null) => readonly Key[] {
  let pasted: string | null = null;
  return (input, raw, sent) => {
    if (input === "[200~") {
      pasted = "";
      return [];
    }
    if (pasted !== null) {
      if (input === "[201~") {
        const whole = pasted;
        pasted = null;
        return [key("paste", whole)];
      }
      pasted += raw.return ? "\n" : raw.tab ? "\t" : raw.ctrl && input === "j" ? "\n" : input;
      return [];
    }
    // The end of a paste that ended already: its text held such a mark.
    if (/^\[20[01]~/.test(input)) return input.length === 5 ? [] : [key("paste", input.slice(5))];
    const typed = input.length > 1 && !raw.ctrl && !raw.meta;
    if (typed && /[\r\n]/.test(input.slice(0, -1))) return [key("paste", input)];
    // Fast typing, or a program that sends a whole line.
    if (typed && control.test(input)) return input.split(control).flatMap(single);
    if (sent === "\u001b[3~") return [key("delete", "")];
    if (sent !== null && /^\u001b+$/.test(sent)) return [key("escape", "")];
    const found = read(input, raw);
    return found === null ? [] : [found];
  };
}

/** Characters that are keys of their own; several arrive at once when a key is held down. */
const control = /([\u0000-\u001a\u007f])/;

function single(part: string): readonly Key[] {
  if (part === "") return [];
  if (!control.test(part)) return [key("text", part)];
  if (part === "\t") return [key("tab", "")];
  if (part === "\r" || part === "\n") return [key("enter", "")];
  if (part === "\u007f" || part === "\b") return [key("backspace", "")];
  const letter = String.fromCharCode(part.charCodeAt(0) + 0x60);
  return /[a-z]/.test(letter) ? [key("text", letter, { ctrl: true })] : [];
}

function read(input: string, raw: RawKey): Key | null {
  const more = { ctrl: raw.ctrl, meta: raw.meta };
  if (raw.return) return key(raw.meta || raw.shift ? "newline" : "enter", "");
  if (input === "\n" || (raw.ctrl && input === "j")) return key("newline", "");
  if (raw.meta && input === "\r") return key("newline", "");
  if (raw.tab) return key(raw.shift ? "shift-tab" : "tab", "");
  if (raw.upArrow) return key("up", "", more);
  if (raw.downArrow) return key("down", "", more);
  if (raw.leftArrow) return key("left", "", more);
  if (raw.rightArrow) return key("right", "", more);
  if (raw.home) return key("home", "", more);
  if (raw.end) return key("end", "", more);
  if (raw.pageUp) return key("page-up", "", more);
  if (raw.pageDown) return key("page-down", "", more);
  // Terminals send the code of "delete" for the key above the enter key.
  if (raw.backspace || raw.delete)
    return key(raw.delete && input === "[3~" ? "delete" : "backspace", "", more);
  if (raw.escape) return key("escape", "");
  if (input === "") return null;
  return key("text", input, more);
}

function key(
  name: Key["name"],
  input: string,
  more: { readonly ctrl?: boolean; readonly meta?: boolean } = {},
): Key {
  return { name, input, ctrl: more.ctrl === true, meta: more.meta === true };
}
