import { Failure } from "../common/failure.ts";

/** Rows of delimited text. Quoted fields may hold delimiters, quotes and line ends; a missing end quote is a failure. */
export function parseCsv(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < text.length) {
    let field: string;
    if (text[at] === '"') {
      field = "";
      at += 1;
      for (;;) {
        const end = text.indexOf('"', at);
        if (end === -1)
          throw new Failure(`line ${rows.length + 1} of the table begins a quote that never ends`);
        field += text.slice(at, end);
        at = end + 1;
        if (text[at] !== '"') break;
        field += '"';
        at += 1;
      }
      const rest = restOf(text, at, delimiter);
      field += text.slice(at, rest);
      at = rest;
    } else {
      const end = restOf(text, at, delimiter);
      field = text.slice(at, end);
      at = end;
    }
    row.push(field);
    if (text[at] === delimiter) {
      at += 1;
      if (at === text.length) row.push("");
      continue;
    }
    rows.push(row);
    row = [];
    if (text[at] === "\r" && text[at + 1] === "\n") at += 1;
    at += 1;
  }
  if (row.length > 0) rows.push(row);
  return rows;
}

function restOf(text: string, from: number, delimiter: string): number {
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === delimiter || sign === "\n" || sign === "\r") return at;
  }
  return text.length;
}

/** The delimiter that cuts the first lines into the most equal number of fields. */
export function guessDelimiter(text: string): string {
  const lines = text
    .slice(0, 20_000)
    .split(/\r?\n/)
    .slice(0, 12)
    .filter((line) => line.trim() !== "");
  let best = { delimiter: ",", score: 0 };
  for (const delimiter of [",", "\t", ";", "|"]) {
    const counts = lines.map((line) => line.replace(/"(?:[^"]|"")*"/g, "").split(delimiter).length - 1);
    const least = Math.min(...counts);
    if (least > best.score) best = { delimiter, score: least };
  }
  return best.delimiter;
}

/** One line of delimited text. With `safe`, text that a spreadsheet would take for a formula gets an apostrophe. */
export function csvLine(
  fields: readonly string[],
  options: { readonly delimiter: string; readonly safe: boolean },
): string {
  return fields
    .map((field) => {
      const text = options.safe && /^[=+@\t\r]|^-(?![\d.])/.test(field) ? `'${field}` : field;
      return text.includes(options.delimiter) || /["\r\n]/.test(text) || /^\s|\s$/.test(text)
        ? `"${text.replaceAll('"', '""')}"`
        : text;
    })
    .join(options.delimiter);
}
