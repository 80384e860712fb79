/**
 * Where an answer that still arrives can be cut so that what stands before it is whole Markdown blocks and never changes:
 * the last empty line outside of a code fence; 0 = nowhere yet. What is before can be printed for good.
 */
export function settledLength(text: string): number {
  let fence = "";
  let settled = 0;
  let at = 0;
  while (at < text.length) {
    const end = text.indexOf("\n", at);
    if (end < 0) break;
    const row = text.slice(at, end);
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(row)?.[1] ?? "";
    if (mark !== "") {
      if (fence === "") fence = mark;
      else if (mark.startsWith(fence) && row.trim() === mark) fence = "";
    } else if (
      fence === "" &&
      row.trim() === "" &&
      !/^(?:[ \t]|[-*+] |\d+[.)] )/.test(text.slice(end + 1)) &&
      end + 1 < text.length
    )
      settled = end + 1;
    at = end + 1;
  }
  return settled;
}
