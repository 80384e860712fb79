import { beginning, graphemes, type Line, type Span, width } from "./span.ts";

interface Piece {
  readonly text: string;
  readonly columns: number;
  readonly blank: boolean;
  readonly look: Span;
}

/**
 * A row broken into rows of at most `columns`, between words where that is possible and between any two characters of
 * scripts without blanks. `hang`: what the rows after the first begin with. Blanks at a break are dropped.
 */
export function wrapLine(spans: Line, columns: number, hang: Line = []): readonly Line[] {
  const indent = hang.reduce((sum, { text }) => sum + width(text), 0);
  const room = Math.max(columns, indent + 2, 2);
  const rows: Span[][] = [];
  let row: Span[] = [];
  let used = 0;
  const add = (text: string, look: Span): void => {
    const last = row.at(-1);
    if (last !== undefined && sameLook(last, look)) row[row.length - 1] = { ...last, text: last.text + text };
    else row.push({ ...look, text });
    used += width(text);
  };
  const next = (): void => {
    const last = row.at(-1);
    if (last !== undefined && rows.length >= 0)
      row[row.length - 1] = { ...last, text: last.text.replace(/ +$/, "") };
    rows.push(row);
    row = [...hang];
    used = indent;
  };
  for (const { text, columns: wide, blank, look } of piecesOf(spans)) {
    if (used + wide <= room) {
      if (!(blank && used === indent && rows.length > 0)) add(text, look);
      continue;
    }
    if (blank) {
      next();
      continue;
    }
    if (used > (rows.length === 0 ? 0 : indent)) next();
    let rest = text;
    while (width(rest) > room - used) {
      const part = beginning(rest, room - used);
      if (part === "") break;
      add(part, look);
      rest = rest.slice(part.length);
      if (rest !== "") next();
    }
    if (rest !== "") add(rest, look);
  }
  if (row.length > hang.length || rows.length === 0 || used > indent) rows.push(row);
  return rows;
}

/** Words, runs of blanks, and single characters of scripts that are written without blanks. */
function* piecesOf(spans: Line): Generator<Piece> {
  for (const look of spans) {
    let word = "";
    let wide = 0;
    for (const { segment } of graphemes(look.text)) {
      const columns = width(segment);
      const isBlank = segment === " ";
      const alone = columns > 1;
      if ((isBlank || alone) && word !== "") {
        yield { text: word, columns: wide, blank: false, look };
        word = "";
        wide = 0;
      }
      if (isBlank || alone) yield { text: segment, columns, blank: isBlank, look };
      else {
        word += segment;
        wide += columns;
      }
    }
    if (word !== "") yield { text: word, columns: wide, blank: false, look };
  }
}

function sameLook(one: Span, other: Span): boolean {
  return (
    one.color === other.color &&
    one.bold === other.bold &&
    one.dim === other.dim &&
    one.italic === other.italic &&
    one.underline === other.underline
  );
}
