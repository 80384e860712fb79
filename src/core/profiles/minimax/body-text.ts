const headingLine = /^#\s+/;

/**
 * The first level-1 heading anywhere in a body, also inside a code fence; its blanks may cross a line end, so a lone `#`
 * takes the next line with text (spec minimax 2.1). Null: there is none.
 */
export function firstHeading(body: string): string | null {
  // By hand: one pattern for the blanks and the title would look at a run of blank lines anew from each `#`.
  const starts = /^#(?=\s)/gm;
  for (let match = starts.exec(body); match !== null; match = starts.exec(body)) {
    const text = /\S/g;
    text.lastIndex = match.index + 1;
    const found = text.exec(body);
    if (found === null) return null;
    const end = /[\n\r\u2028\u2029]/g;
    end.lastIndex = found.index;
    return body.slice(found.index, end.exec(body)?.index ?? body.length).trim();
  }
  return null;
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
