import type { SkillLayout } from "./analyse-skill.ts";
import type { Entry } from "./frontmatter-node.ts";

/** Lines `from` to `to` (exclusive, from 1) of the old file are replaced. */
export interface HeadEdit {
  readonly from: number;
  readonly to: number;
  readonly newText: string;
  readonly description: string;
}

export interface HeadFields {
  readonly all: boolean;
  /** Lines for missing fields. */
  readonly inserted: readonly string[];
  /** New lines of an entry, null to keep it, "comment" to take it out of effect. */
  linesOf(entry: Entry): readonly string[] | "comment" | null;
}

interface Chunk {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[] | null;
  readonly description: string;
}

/**
 * Everything up to the body, with only the lines changed that need it. Line ends follow the file (CR alone becomes
 * LF). Without frontmatter a block is put before the text.
 */
export function fixHead(
  layout: SkillLayout,
  fields: HeadFields,
): { readonly text: string; readonly edits: readonly HeadEdit[] } {
  const { text, fences } = layout;
  if (fences.kind !== "block") {
    const newText = ["---", ...fields.inserted, "---", ""].join("\n");
    return { text: newText, edits: [{ from: 1, to: 1, newText, description: "Frontmatter added." }] };
  }
  const old = text.slice(text.start, fences.body);
  const lines = old.split(/\r\n|\n|\r/);
  if (lines.at(-1) === "") lines.pop();
  const eol = old.includes("\r\n") ? "\r\n" : "\n";
  const lone = /\r(?!\n)/.test(old);
  let result = "";
  const edits: HeadEdit[] = [];
  for (const chunk of chunks(layout, fields, lines)) {
    const before = lines.slice(chunk.from - 1, chunk.to - 1);
    const after = chunk.lines ?? before;
    const newText = after.map((line) => line + eol).join("");
    result += newText;
    const same =
      !lone && after.length === before.length && after.every((line, index) => line === before[index]);
    if (!same) edits.push({ from: chunk.from, to: chunk.to, newText, description: chunk.description });
  }
  return { text: result, edits };
}

function chunks(layout: SkillLayout, fields: HeadFields, lines: readonly string[]): readonly Chunk[] {
  const first = layout.fences.kind === "block" ? layout.fences.line : 1;
  const last = lines.length;
  const opening = [
    "---",
    ...lines
      .slice(0, first - 2)
      .filter((line) => line.trim() !== "")
      .map((line) => `# ${line.replace("<!--", "").replace("-->", "").trim()}`),
  ];
  const result: Chunk[] = [
    { from: 1, to: first, lines: opening, description: "Opening fence written as ---." },
  ];
  if (fields.inserted.length > 0) {
    const names = fields.inserted.map((line) => line.split(":")[0]).join(" and ");
    result.push({ from: first, to: first, lines: fields.inserted, description: `Added ${names}.` });
  }
  result.push(
    ...(fields.all
      ? whole(layout, fields, { first, last, lines })
      : regions(layout, fields, { first, last, lines })),
  );
  result.push({ from: last, to: last + 1, lines: ["---"], description: "Closing fence written as ---." });
  return result;
}

interface Span {
  readonly first: number;
  /** Line of the closing fence. */
  readonly last: number;
  readonly lines: readonly string[];
}

/** Each entry reaches to the next one; stray lines are regions of their own. */
function regions(layout: SkillLayout, fields: HeadFields, span: Span): readonly Chunk[] {
  const starts: { readonly line: number; readonly entry: Entry | null }[] = [
    ...layout.entries.map((entry) => ({ line: entry.line, entry })),
    ...layout.stray.map((one) => ({ line: one.line, entry: null })),
  ].sort((a, b) => a.line - b.line);
  const result: Chunk[] = [];
  const lead = starts[0]?.line ?? span.last;
  const holdsNothing = layout.entries.length === 0;
  if (lead > span.first) {
    const kept = span.lines.slice(span.first - 1, lead - 1);
    const lines = holdsNothing ? kept.map(commented) : null;
    result.push({ from: span.first, to: lead, lines, description: "Text that is no field made a comment." });
  }
  for (const [index, start] of starts.entries()) {
    const to = starts[index + 1]?.line ?? span.last;
    if (to <= start.line) continue;
    const old = span.lines.slice(start.line - 1, to - 1);
    if (start.entry === null) {
      const [stray, ...rest] = old;
      const lines = [commented(stray ?? ""), ...rest];
      result.push({ from: start.line, to, lines, description: "Stray line made a comment." });
      continue;
    }
    const made = fields.linesOf(start.entry);
    const lines =
      made === null
        ? null
        : made === "comment"
          ? old.map(commented)
          : [...made, ...remains(old, start.entry)];
    const what = made === "comment" ? "made a comment" : "rewritten";
    result.push({ from: start.line, to, lines, description: `Field ${start.entry.key} ${what}.` });
  }
  return result;
}

/** One chunk for all fields. */
function whole(layout: SkillLayout, fields: HeadFields, span: Span): readonly Chunk[] {
  const lines: string[] = [];
  const comments: string[] = [];
  for (const entry of layout.entries) {
    const made = fields.linesOf(entry);
    if (made === "comment" || entry.damage.some((one) => one.code === "frontmatter/key")) {
      comments.push(...span.lines.slice(entry.line - 1, entry.line).map(commented));
    }
    if (made !== null && made !== "comment") lines.push(...made);
  }
  for (const one of layout.stray) comments.push(commented(one.text));
  const kept = span.lines.slice(span.first - 1, span.last - 1).filter((line) => line.startsWith("#"));
  return [
    {
      from: span.first,
      to: span.last,
      lines: [...kept, ...lines, ...comments],
      description: "Fields rewritten.",
    },
  ];
}

/** Comments and trailing empty lines of a field whose value is written anew; what could not be read, as a comment. */
function remains(old: readonly string[], entry: Entry): readonly string[] {
  const comments = old
    .slice(1)
    .filter((line) => line.startsWith("#") || (entry.value.kind !== "scalar" && line.trim().startsWith("#")));
  const unread = entry.damage.some((one) => one.code === "frontmatter/key") ? old.map(commented) : [];
  const empty: string[] = [];
  for (let index = old.length - 1; index > 0 && (old[index] ?? "").trim() === ""; index--) empty.push("");
  return [...comments.map((line) => line.trimStart()), ...unread, ...empty];
}

function commented(line: string): string {
  return line.trim() === "" || line.startsWith("#") ? line.trimEnd() : `# ${line.trim()}`;
}
