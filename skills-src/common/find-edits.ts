export interface TextEdit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Something to look for, and what takes the place of a find; null leaves it. */
export interface Search {
  readonly find: RegExp;
  readonly value: (match: readonly string[]) => string | null;
}

export interface FoundEdit extends TextEdit {
  /** Place of its search in the list. */
  readonly search: number;
}

/**
 * What all searches find in one pass from left to right, so that nothing is looked for in what another one put in. Of
 * finds at one place the longest counts, then the first of the list.
 */
export function findEdits(text: string, searches: readonly Search[]): readonly FoundEdit[] {
  const edits: FoundEdit[] = [];
  const next = searches.map(({ find }) => finder(text, find));
  for (let at = 0; ; ) {
    let best: { readonly match: RegExpExecArray; readonly search: number } | null = null;
    next.forEach((find, search) => {
      const match = find(at);
      if (match === null) return;
      const before = best?.match;
      if (
        before === undefined ||
        match.index < before.index ||
        (match.index === before.index && match[0].length > before[0].length)
      )
        best = { match, search };
    });
    if (best === null) return edits;
    const { match, search } = best as { readonly match: RegExpExecArray; readonly search: number };
    at = match.index + match[0].length;
    const made = searches[search]?.value(match.map((one) => one ?? "")) ?? null;
    if (made !== null) edits.push({ from: match.index, to: at, text: made, search });
  }
}

/** Gives the first find from a place on that is not empty; asked with growing places. */
function finder(text: string, find: RegExp): (from: number) => RegExpExecArray | null {
  const pattern = new RegExp(find.source, find.flags.includes("g") ? find.flags : `${find.flags}g`);
  let known: RegExpExecArray | null | undefined;
  return (from) => {
    if (known === null || (known !== undefined && known.index >= from)) return known;
    pattern.lastIndex = from;
    for (;;) {
      known = pattern.exec(text);
      if (known === null || known[0] !== "") return known;
      pattern.lastIndex += 1;
    }
  };
}

/** Edits carried out on a text that lies in pieces; what comes goes into the piece that an edit begins in. */
export function editPieces(pieces: readonly string[], edits: readonly TextEdit[]): readonly string[] {
  let start = 0;
  return pieces.map((piece) => {
    const from = start;
    const to = from + piece.length;
    start = to;
    let made = "";
    let at = from;
    for (const edit of edits) {
      if (edit.to <= from || edit.from >= to) continue;
      made += piece.slice(at - from, Math.max(at, edit.from) - from);
      if (edit.from >= from) made += edit.text;
      at = Math.min(to, edit.to);
    }
    return made + piece.slice(at - from);
  });
}

/** An expression that finds the text itself. */
export function literalPattern(text: string, ignoreCase: boolean): RegExp {
  return new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), ignoreCase ? "giu" : "gu");
}
