import { createHash } from "node:crypto";
import { printable } from "../../core/text/printable.ts";
import { instructionLayer, type PromptFile } from "../prompt/instructions.ts";
import type { Conversation } from "../session/conversation-of.ts";
import type { ToldFile } from "../session/record.ts";

/** An instruction file that says something else than the model knows; `text` null = it says nothing any more. */
export interface ChangedFile extends ToldFile {
  readonly text: string | null;
}

/** Files as they are noted in a session. */
export function toldFiles(files: readonly PromptFile[]): readonly ToldFile[] {
  return files.map((file) => ({ path: file.path, digest: digestOf(file) }));
}

/**
 * Instruction files that are other ones now than the model knows by its prompt and what it was told since: changed,
 * changed back, new, or gone. In the order of `files`, those that are gone last.
 */
export function changedInstructions(
  { epoch, told }: Pick<Conversation, "epoch" | "told">,
  files: readonly PromptFile[],
): readonly ChangedFile[] {
  // Sessions of earlier versions did not note what their prompt was made from; it can be seen in it.
  const noted =
    epoch?.instructions ?? toldFiles(files.filter((file) => epoch?.system.includes(instructionLayer(file))));
  const known = new Map<string, string | null>([
    ...noted.map(({ path, digest }) => [path, digest] as const),
    ...told,
  ]);
  const there = new Set(files.map(({ path }) => path));
  return [
    ...files.flatMap((file): readonly ChangedFile[] => {
      const digest = digestOf(file);
      return (known.get(file.path) ?? null) === digest ? [] : [{ path: file.path, digest, text: file.text }];
    }),
    ...[...known].flatMap(([path, digest]): readonly ChangedFile[] =>
      digest === null || there.has(path) ? [] : [{ path, digest: null, text: null }],
    ),
  ];
}

/** What the model is told of one. */
export function changeNotice({ path, text }: ChangedFile): string {
  return text === null
    ? `The instructions from ${printable(path)} are not there any more. What they said holds no longer.`
    : `Instructions changed. These take the place of what this file said before.\n${instructionLayer({ path, text })}`;
}

function digestOf({ text }: PromptFile): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
