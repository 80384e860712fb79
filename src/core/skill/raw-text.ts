/**
 * Source lines as the text that a person meant by them: each line trimmed, joined by single spaces, an empty line
 * becomes a line break (the folding of YAML plain scalars; case p-colon-wrapped).
 */
export function rawText(source: string): string {
  if (!source.includes("\n")) return source.trim();
  const lines = source.split("\n").map((line) => line.trim());
  let text = "";
  let breaks = 0;
  for (const line of lines) {
    if (line === "") {
      breaks++;
      continue;
    }
    if (text !== "") text += breaks > 0 ? "\n".repeat(breaks) : " ";
    text += line;
    breaks = 0;
  }
  return text;
}

/** Source lines of a block text (`|`, `>`): common indentation removed, line breaks kept or folded, outer ones gone. */
export function blockText(lines: readonly string[], folded: boolean): string {
  const filled = lines.filter((line) => line.trim() !== "");
  const indent = Math.min(
    ...filled.map((line) => line.length - line.trimStart().length),
    Number.POSITIVE_INFINITY,
  );
  const dedented = lines.map((line) => (line.trim() === "" ? "" : line.slice(indent)));
  if (folded) return rawText(dedented.join("\n"));
  return dedented
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();
}
