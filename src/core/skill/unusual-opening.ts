import { closeBlock, lineStart } from "./close-block.ts";
import type { FenceNote, Fences } from "./fences.ts";
import type { SourceText } from "./source-text.ts";

/** Only the first lines of a file can hold an opening fence. */
const openingReach = 65536;

/** An opening fence that is not `---` alone in the first line, by the rules of `findFences`. */
export function unusualOpening(source: SourceText): Fences {
  const { units, start } = source;
  const head = source.slice(start, Math.min(units.length, start + openingReach));
  // Offsets into `head` and into `units` agree only before the first character that is not ASCII, so lines are
  // counted and the fence is found again by its line number.
  const lines = head.split(/\r\n|\n|\r/);
  let index = 0;
  let comment = false;
  let code = false;
  for (; index < lines.length; index++) {
    const line = withoutHidden(lines[index] as string).trim();
    if (comment) {
      const ends = line.indexOf("-->");
      if (ends < 0) continue;
      comment = false;
      if (line.slice(ends + 3).trim() !== "") return { kind: "none" };
      continue;
    }
    if (line === "") continue;
    if (!code && codeOpening.test(line)) {
      code = true;
      continue;
    }
    if (!line.startsWith("<!--")) break;
    const ends = line.indexOf("-->", 4);
    if (ends < 0) comment = true;
    else if (line.slice(ends + 3).trim() !== "") return { kind: "none" };
  }
  if (lines[index] === undefined) return { kind: "none" };
  const opening = withoutHidden(lines[index] as string);
  if (index === 0 && /^(\+\+\+|;;;)[ \t]*$/.test(opening)) {
    return { kind: "language", line: 1, language: opening.startsWith("+") ? "TOML (+++)" : "JSON (;;;)" };
  }
  const match = /^( {0,3})(-{3,})/.exec(opening);
  if (match === null) return madeDashes(source, lines, index);
  const [found, indent, dashes] = match as unknown as [string, string, string];
  const rest = opening.slice(found.length).trim();
  const word = /^[A-Za-z][\w+.-]*(?=$|\s)/.exec(rest)?.[0] ?? "";
  const yaml = /^(yaml|yml)$/i.test(rest);
  const line = index + 1;
  if (word !== "" && !yaml && dashes.length === 3 && (index === 0 || rest === word)) {
    return { kind: "language", line, language: word };
  }
  if (rest !== "" && !yaml && !rest.startsWith("#")) return { kind: "none" };
  const plain = index === 0 && indent === "" && dashes.length === 3 && opening === lines[0];
  if (!plain && !keyFollows(lines, index + 1)) return { kind: "none" };
  const notes: FenceNote[] = [];
  if (index > 0 || opening !== lines[index]) {
    const message =
      index > 0
        ? code
          ? "a code block begins before the opening fence"
          : "lines stand before the opening fence"
        : opening === (lines[0] as string).replace(/^\ufeff+/, "")
          ? "a second byte order mark stands before the opening fence"
          : "hidden characters stand before the opening fence";
    notes.push({ code: "frontmatter/leading-lines", message, line });
  }
  if (yaml)
    notes.push({ code: "frontmatter/language-tag", message: `the opening fence says "${rest}"`, line });
  else if (rest !== "")
    notes.push({ code: "frontmatter/fence", message: "a comment stands behind the opening fence", line });
  if (indent !== "")
    notes.push({ code: "frontmatter/fence", message: "the opening fence is indented", line });
  if (dashes.length > 3)
    notes.push({ code: "frontmatter/fence", message: "the opening fence has more than three dashes", line });
  return closeBlock(units, lineStart(source, index + 1), { line, indent: indent.length, notes });
}

/** What begins a block of code that somebody pasted a whole skill, or its fields, as. */
const codeOpening = /^(?:`{3,}|~{3,})[ \t]*(?:ya?ml|markdown|md)?$/i;
const madeFence = /^[-\u2010-\u2015\u2212]*[\u2010-\u2015\u2212][-\u2010-\u2015\u2212]*[ \t]*$/;

/** Fences of hyphens that an editor joined to dashes. */
function madeDashes(source: SourceText, lines: readonly string[], index: number): Fences {
  if (!madeFence.test(lines[index] as string) || !keyFollows(lines, index + 1)) return { kind: "none" };
  const message = "an editor made a dash of the hyphens of a fence";
  const last = lines.findIndex(
    (line, at) => at > index && (madeFence.test(line) || /^-{3,}[ \t]*$/.test(line)),
  );
  if (last < 0) return { kind: "unclosed", line: index + 1, from: lineStart(source, index + 1) };
  return {
    kind: "block",
    from: lineStart(source, index + 1),
    to: lineStart(source, last),
    body: lineStart(source, last + 1),
    line: index + 2,
    notes: [{ code: "frontmatter/fence", message, line: index + 1 }],
  };
}

/** A line without the marks and characters of no width that begin it. */
function withoutHidden(line: string): string {
  return line.replace(/^[\u00ad\u200b-\u200f\u2060\ufeff]+/, "");
}

function keyFollows(lines: readonly string[], from: number): boolean {
  for (let index = from; index < lines.length; index++) {
    const line = (lines[index] as string).trim();
    if (line === "" || line.startsWith("#")) continue;
    return /^["']?[\p{L}_][\p{L}\p{N}_.-]*["']?\s*[:：]/u.test(line);
  }
  return false;
}
