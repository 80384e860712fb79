/** Control, direction and other invisible characters that JSON.stringify leaves as they are. */
const unsafe =
  /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udfff]/g;

/**
 * A value as JSON for stdout: indented, every control and invisible character as an escape, so that the same data
 * is read back and nothing reaches a terminal that could move its cursor or hide text.
 */
export function jsonText(value: unknown): string {
  return [...jsonPieces(value)].join("");
}

/** Units before and behind the first or a later item of a list inside an object, as `JSON.stringify` indents it. */
const aroundItem = {
  first: '{\n  "": '.length,
  later: '{\n  "": [\n    0'.length,
  behind: "\n  ]\n}".length,
};

/**
 * `jsonText` in pieces, one for each item of the lists that an object holds. Ten thousand skills are then written piece
 * by piece: as one text they would take two bytes a character as soon as one of them holds an emoji, and be copied for
 * every step.
 */
export function* jsonPieces(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null || Array.isArray(value) || "toJSON" in value) {
    yield `${safeJson(value, 2)}\n`;
    return;
  }
  let open = "{";
  for (const [key, member] of Object.entries(value)) {
    const list: readonly unknown[] | null = Array.isArray(member) && member.length > 0 ? member : null;
    const text = list === null ? safeJson({ "": member }, 2) : "";
    // A member that has no place in JSON (undefined, a function) leaves the object empty.
    if (list === null && text === "{}") continue;
    yield `${open}\n  ${safeJson(key, 0)}: `;
    open = ",";
    if (list === null) {
      yield text.slice('{\n  "": '.length, -"\n}".length);
      continue;
    }
    // Nothing is put together: each item is cut out of its text with the bracket or the comma in front of it.
    for (let index = 0; index < list.length; index++) {
      const item = list[index];
      yield index === 0
        ? safeJson({ "": [item] }, 2).slice(aroundItem.first, -aroundItem.behind)
        : safeJson({ "": [0, item] }, 2).slice(aroundItem.later, -aroundItem.behind);
    }
    yield "\n  ]";
  }
  yield open === "{" ? "{}\n" : "\n}\n";
}

/** The same on one line, for output of one value a line. */
export function jsonLine(value: unknown): string {
  return `${safeJson(value, 0)}\n`;
}

function safeJson(value: unknown, indent: number): string {
  return JSON.stringify(value, null, indent).replace(unsafe, escaped);
}

function escaped(match: string): string {
  return [...Array(match.length).keys()]
    .map((index) => `\\u${match.charCodeAt(index).toString(16).padStart(4, "0")}`)
    .join("");
}
