const headingLine = /^#\s+/;

/**
 * The first level-1 heading anywhere in a body, also inside a code fence; its blanks may cross a line end, so a lone `#`
 * takes the next line with text (spec minimax 2.1). Null: there is none.
 */
export function firstHeading(body: string): string | null {
  // In steps: one pattern for blanks and title would look at a run of blank lines anew from each `#`.
  const mark = /^#(?=\s)/m.exec(body);
  if (mark === null) return null;
  const rest = body.slice(mark.index + 1).trimStart();
  const end = rest.search(/[\n\r\u2028\u2029]/);
  const title = (end < 0 ? rest : rest.slice(0, end)).trim();
  return title === "" ? null : title;
}

/**
 * The first paragraph: lines without their blanks, joined by line feeds, up to a blank line or a heading. Headings in
 * front are skipped, and the first level-1 heading is skipped wherever it stands, so that text directly above and below
 * it joins (spec minimax 2.1). "" = none.
 */
export function firstParagraph(body: string): string {
  const lines: string[] = [];
  let titled = false;
  for (let at = 0; at <= body.length; ) {
    const feed = body.indexOf("\n", at);
    const line = body.slice(at, feed < 0 ? body.length : feed).trim();
    at = feed < 0 ? body.length + 1 : feed + 1;
    if (!titled && headingLine.test(line)) {
      titled = true;
      continue;
    }
    if (line !== "" && !line.startsWith("#")) lines.push(line);
    else if (lines.length > 0) break;
  }
  return lines.join("\n");
}
