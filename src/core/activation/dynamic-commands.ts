/** A command in a skill's text whose output is meant to take its place. */
export interface DynamicCommand {
  /** UTF-16 offsets of the whole construct, `end` behind it. */
  readonly start: number;
  readonly end: number;
  readonly command: string;
  /** A fenced block of its own rather than a word in a line. */
  readonly block: boolean;
}

const inline = /!`([^`\n]+)`/y;

/**
 * Commands in a text, in order: `` !`command` `` at the start of a line or behind white space, and blocks that are fenced
 * with three or more backticks and a `!`. Inside other code fences there are none: they show code. Linear; runs nothing.
 */
export function findDynamicCommands(body: string): readonly DynamicCommand[] {
  if (!body.includes("!")) return [];
  const found: DynamicCommand[] = [];
  let fence: {
    readonly mark: string;
    readonly from: number;
    readonly inner: number;
    readonly runs: boolean;
  } | null = null;
  for (let start = 0; start < body.length; ) {
    const feed = body.indexOf("\n", start);
    const end = feed < 0 ? body.length : feed;
    const line = body.slice(start, end);
    const next = feed < 0 ? body.length : feed + 1;
    if (fence !== null) {
      if (closes(line, fence.mark)) {
        const command = body.slice(fence.inner, start).trim();
        if (fence.runs && command !== "") found.push({ start: fence.from, end, command, block: true });
        fence = null;
      }
    } else {
      const opened = /^ {0,3}(`{3,}|~{3,})([^`]*)$/.exec(line);
      if (opened !== null) {
        const mark = opened[1] ?? "";
        fence = {
          mark,
          from: start,
          inner: next,
          runs: mark.startsWith("`") && (opened[2] ?? "").trim() === "!",
        };
      } else if (line.includes("!`")) inlineCommands(body, { start, end, found });
    }
    start = next;
  }
  return found;
}

function closes(line: string, mark: string): boolean {
  const text = line.trim();
  return (
    text.length >= mark.length && /^ {0,3}[`~]/.test(line) && text === (mark[0] ?? "").repeat(text.length)
  );
}

function inlineCommands(
  body: string,
  place: { readonly start: number; readonly end: number; readonly found: DynamicCommand[] },
): void {
  for (let at = body.indexOf("!`", place.start); at >= 0 && at < place.end; at = body.indexOf("!`", at)) {
    const open = at === 0 || /\s/.test(body[at - 1] ?? "");
    inline.lastIndex = at;
    const match = open ? inline.exec(body) : null;
    const command = match?.[1]?.trim() ?? "";
    if (match === null || command === "") {
      at += 2;
      continue;
    }
    place.found.push({ start: at, end: at + match[0].length, command, block: false });
    at += match[0].length;
  }
}

/**
 * The text with outputs in the places of commands, and everything else given to `rest` as one text, so that what it does
 * (putting in arguments) sees neither commands nor outputs: nothing that was put in is ever looked at again (row B15).
 * A command without an output stays as it is written.
 */
export function withCommandOutputs(
  body: string,
  outputs: ReadonlyMap<string, string>,
  rest: (text: string) => string,
): string {
  const commands = findDynamicCommands(body).filter(({ command }) => outputs.has(command));
  if (commands.length === 0) return rest(body);
  let mark = "\uE000";
  while (body.includes(mark)) mark += "\uE000";
  let text = "";
  let copied = 0;
  for (const { start, end } of commands) {
    text += body.slice(copied, start) + mark;
    copied = end;
  }
  const parts = rest(text + body.slice(copied)).split(mark);
  // Arguments may hold the mark; then nothing can be told apart and the commands stay text.
  if (parts.length !== commands.length + 1) return rest(body);
  return parts
    .map((part, at) => part + (at < commands.length ? (outputs.get(commands[at]?.command ?? "") ?? "") : ""))
    .join("");
}
