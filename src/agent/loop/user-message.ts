import type { Expansion } from "../../core/activation/expand.ts";
import { printable } from "../../core/text/printable.ts";
import type { SessionRecord, StoredPart, ToldFile } from "../session/record.ts";
import type { SubmitOptions, Workbench } from "./agent.ts";
import { attachedParts, mentionedFiles } from "./attached-parts.ts";

export interface UserMessage {
  readonly record: Extract<SessionRecord, { type: "user" }>;
  readonly expansion: Expansion;
  /** Sentences for the user: what was named and could not be given. */
  readonly problems: readonly string[];
}

/**
 * A typed message as it is stored and sent: the text, the skills that it names, the files that it names with `@`, and
 * what the model is told of changes. Features M18–M20, O13.
 */
export async function userMessage(
  bench: Workbench,
  text: string,
  options: SubmitOptions & { readonly notices: readonly string[]; readonly told: readonly ToldFile[] },
): Promise<UserMessage> {
  const paths = [
    ...new Set([...(options.files ?? []), ...(options.mentions === false ? [] : mentionedFiles(text))]),
  ];
  const attached = await attachedParts(paths, { workspace: bench.workspace, files: bench.files });
  const expansion = await bench.skills().expand(text, {
    attachments: paths.map((path) => ({ path, mime: null })),
    touched: bench.touched,
    given: bench.desk.given(),
    preload: [...begins(bench), ...(options.preload ?? [])],
  });
  const parts: readonly StoredPart[] = [
    ...expansion.parts.map(({ text: part, origin }) => ({ text: part, origin })),
    ...(options.piped === undefined ? [] : [{ text: options.piped, origin: "piped" as const }]),
    ...attached.texts.map((part): StoredPart => ({ text: part, origin: "attachment" })),
    ...options.notices.map((part): StoredPart => ({ text: part, origin: "notice" })),
  ];
  return {
    record: {
      type: "user",
      at: bench.options.now().toISOString(),
      text: expansion.visibleText,
      parts: parts.filter((part) => part.text !== ""),
      images: attached.images,
      files: attached.used,
      ...(options.told.length === 0 ? {} : { told: options.told }),
    },
    expansion,
    problems: [...attached.problems, ...expansion.diagnostics.map(({ message }) => printable(message))],
  };
}

/** Skills that a session of this agent begins with, for its first message. */
function begins(bench: Workbench): readonly string[] {
  const { start } = bench.skills();
  const first = !bench.options.file.records.some(({ type }) => type === "user");
  return first && start !== null ? start.skills : [];
}
