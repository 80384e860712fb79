import type { SessionRecord } from "../../session/record.ts";
import type { Line } from "../text/span.ts";
import { answerBlock, noticeBlock, skillBlock, toolBlock, userBlock } from "./event-blocks.ts";

/** Entries of an earlier session that are printed when it is opened again. */
const shown = 40;

/** What an opened session looked like: its last entries, and how many there were before. */
export function replay(records: readonly SessionRecord[]): readonly ((columns: number) => readonly Line[])[] {
  const entries = records.flatMap((record) => {
    switch (record.type) {
      case "user":
        return [userBlock(record.text, record.files)];
      case "assistant":
        return record.parts.flatMap((part) =>
          part.type === "text" && part.text.trim() !== "" ? [answerBlock(part.text, true)] : [],
        );
      case "result":
        return [toolBlock({ name: record.name, about: record.about, outcome: record })];
      case "skill":
        return record.activation.given === "text"
          ? [
              skillBlock({
                type: "skill-loaded",
                name: record.activation.name,
                by: record.activation.by,
                why: record.why,
              }),
            ]
          : [];
      case "cut":
        return [noticeBlock(record.why === "cancelled" ? "Stopped." : record.message, "warning")];
      case "compaction":
        return [noticeBlock("The conversation was shortened here.", "info")];
      default:
        return [];
    }
  });
  const earlier = entries.length - shown;
  return [
    ...(earlier > 0
      ? [noticeBlock(`${earlier} earlier entries of this session are not shown.`, "info")]
      : []),
    ...entries.slice(-shown),
  ];
}
