import { keyLine } from "./key-line.ts";

/**
 * True when lines between two fences are the text of a file whose closing fence is missing and the "closing" one is a
 * rule further down (case p-no-closing-fence: text is never absorbed as fields). Signs, all at the first column: a
 * heading between empty lines, a code fence, and, behind an empty line, a paragraph or a list that belongs to no field.
 * Only called where the fast reader declined. Linear.
 */
export function looksAbsorbed(text: string): boolean {
  const lines = text.split("\n");
  let emptyBefore = false;
  // A list may stand at the first column below a key without value; quoted, block and bracketed texts may too.
  let open: "none" | "value" | "list" | "any" = "none";
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") {
      emptyBefore = true;
      continue;
    }
    if (/^[ \t]/.test(line)) {
      emptyBefore = false;
      continue;
    }
    const emptyAfter = (lines[index + 1] ?? "").trim() === "";
    if (/^(```|~~~)/.test(line)) return true;
    if (line.startsWith("#")) {
      if (emptyBefore && emptyAfter && /^#{1,6}\s+\S/.test(line) && open !== "any") return true;
      // A heading keeps the gap: what follows it is judged as if behind an empty line.
      continue;
    }
    const key = keyLine(line);
    if (key !== null) {
      const rest = key.rest.trim();
      open = rest === "" ? "list" : /^["'|>[{]/.test(rest) ? "any" : "value";
    } else if (emptyBefore && open === "value" && !/^[?%]/.test(line)) return true;
    emptyBefore = false;
  }
  return false;
}
