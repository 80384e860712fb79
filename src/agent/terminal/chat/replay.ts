import type { ToolCallPart } from "../../conversation/message.ts";
import type { SessionRecord } from "../../session/record.ts";
import type { Line } from "../text/span.ts";
import { answerBlock, noticeBlock, skillBlock, toolBlock, userBlock } from "./event-blocks.ts";

/** Entries of an earlier session that are printed when it is opened again. */
const shown = 40;

type Rows = (columns: number) => readonly Line[];

/** What an opened session looked like: its last entries, also what had arrived of an answer that was cut off. */
export function replay(records: readonly SessionRecord[]): readonly Rows[] {
  const entries: Rows[] = [];
  let partial = "";
  /** Calls without a result yet. */
  let open = new Map<string, Pick<ToolCallPart, "name" | "input">>();
  const interrupt = (): void => {
    for (const { name, input } of open.values()) entries.push(interruptedCall(name, input));
    open = new Map();
  };
  const breakOff = (): void => {
    if (partial.trim() !== "") entries.push(answerBlock(partial, true));
    partial = "";
  };
  for (const record of records) {
    if (record.type === "result") open.delete(record.id);
    else if (record.type === "user" || record.type === "assistant" || record.type === "cut") interrupt();
    if (record.type === "delta") partial += record.text;
    else if (record.type === "discard" || record.type === "assistant") partial = "";
    else if (record.type === "user" || record.type === "cut") breakOff();
    entries.push(...entriesOf(record));
    if (record.type === "assistant")
      for (const part of record.parts) if (part.type === "call") open.set(part.id, part);
  }
  interrupt();
  breakOff();
  const earlier = entries.length - shown;
  return [
    ...(earlier > 0
      ? [noticeBlock(`${earlier} earlier entries of this session are not shown.`, "info")]
      : []),
    ...entries.slice(-shown),
  ];
}

/** A call that never ended; what it was about stands in its arguments. */
function interruptedCall(name: string, input: unknown): Rows {
  const about = ["command", "path", "name", "query", "url"].flatMap((key) => {
    const value: unknown = typeof input === "object" && input !== null ? Reflect.get(input, key) : undefined;
    return typeof value === "string" ? [value] : [];
  });
  const output = "It had not ended when the session did; whether it had an effect is not known.";
  return toolBlock({
    name,
    about: about[0] ?? "",
    outcome: { output, failed: true, summary: "interrupted" },
  });
}

function entriesOf(record: SessionRecord): readonly Rows[] {
  switch (record.type) {
    case "user":
      return [userBlock(record.text, record.files)];
    case "assistant":
      return record.parts.flatMap((part) =>
        part.type === "text" && part.text.trim() !== "" ? [answerBlock(part.text, true)] : [],
      );
    case "result":
      return [toolBlock({ name: record.name, about: record.about, outcome: record })];
    case "skill": {
      const { name, by, given } = record.activation;
      return given === "text" ? [skillBlock({ type: "skill-loaded", name, by, why: record.why })] : [];
    }
    case "cut":
      return [noticeBlock(record.why === "cancelled" ? "Stopped." : record.message, "warning")];
    case "compaction":
      return [noticeBlock("The conversation was shortened here.", "info")];
    default:
      return [];
  }
}
