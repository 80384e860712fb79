import { hasOption, operandsOf, programName } from "./command-options.ts";

/** What a command does to files, as far as its program is known: null = any of its operands may be written. */
export interface EditedFiles {
  readonly edits: readonly string[];
  /** Writes names that do not stand in its words: a tree that is copied, an archive that is unpacked. */
  readonly more: boolean;
}

type Edited = (words: readonly string[]) => EditedFiles;

const these = (edits: readonly string[]): EditedFiles => ({ edits, more: false });
const all: Edited = (words) => these(operandsOf(words));
const none: Edited = () => these([]);

/** Copies, moves, links: the last operand, or the folder behind `-t`, and what comes to lie in it. */
const toLast =
  (moves: boolean): Edited =>
  (words) => {
    const target = words.findIndex((word) => /^(?:-t|--target-directory)$/.test(word));
    const glued = words.find((word) => /^(?:-t.|--t[\w-]*=)/.test(word));
    const operands = operandsOf(words, ["-t", "--target-directory", "-m", "-o", "-g", "-S"]);
    const folder =
      target >= 0
        ? words[target + 1]
        : glued === undefined
          ? undefined
          : glued.replace(/^-t|^--t[\w-]*=/, "");
    const to = folder ?? operands.at(-1);
    if (to === undefined) return these([]);
    const from = folder === undefined ? operands.slice(0, -1) : operands;
    return {
      edits: [
        to,
        ...from.map((one) => `${to}/${programName(one.replace(/\/+$/, ""))}`),
        ...(moves ? from : []),
      ],
      // `cp -r dir/. .` puts in whatever stands there, also folders that say what runs.
      more:
        from.some((one) => /(?:^|\/)\.{0,2}\/*$/.test(one)) &&
        hasOption(words, { short: "rRa", long: ["recursive", "archive"] }),
    };
  };

const known: ReadonlyMap<string, Edited> = new Map<string, Edited>([
  ["tee", all],
  ["touch", all],
  ["mkdir", all],
  ["rm", all],
  ["rmdir", all],
  ["unlink", all],
  ["truncate", all],
  ["shred", all],
  ["chmod", (words) => these(operandsOf(words).slice(1))],
  ["cp", toLast(false)],
  ["install", toLast(false)],
  ["ln", toLast(false)],
  ["mv", toLast(true)],
  ["rsync", (words) => ({ edits: operandsOf(words).slice(-1), more: true })],
  ["sort", (words) => these(words.flatMap((word, index) => outputOf(word, words[index + 1])))],
  ["uniq", (words) => these(operandsOf(words, ["-f", "-s", "-w"]).slice(1))],
  ["xxd", (words) => these(operandsOf(words, ["-l", "-s", "-c", "-g", "-o"]).slice(1))],
  [
    "sed",
    (words) =>
      these(editsInPlace(words) ? operandsOf(words).filter((one) => !/^\d*[sp]?[/|]/.test(one)) : []),
  ],
  ["awk", none],
  ["tar", (words) => ({ edits: [], more: unpacks(words) })],
  ["unzip", () => ({ edits: [], more: true })],
  ["7z", () => ({ edits: [], more: true })],
  ["cpio", () => ({ edits: [], more: true })],
  ["patch", () => ({ edits: [], more: true })],
]);

/** Which files a command writes besides its redirections; null where its program is not known. */
export function editedFiles(words: readonly string[]): EditedFiles | null {
  const [name = "", ...rest] = words;
  return known.get(programName(name))?.(rest) ?? null;
}

function outputOf(word: string, next: string | undefined): readonly string[] {
  if (/^-\w*o$/.test(word) || /^--o\w*$/.test(word)) return next === undefined ? [] : [next];
  const glued = /^-[a-zA-Z]*?o(.+)$|^--o\w*=(.+)$/.exec(word);
  return glued === null ? [] : [glued[1] ?? glued[2] ?? ""];
}

function editsInPlace(words: readonly string[]): boolean {
  return words.some((word) => /^-[nErsuz]*i|^--i/.test(word));
}

function unpacks(words: readonly string[]): boolean {
  return words.some(
    (word, index) => (index === 0 || word.startsWith("-")) && /^-?[A-Za-z]*x|^--(?:extract|get)/.test(word),
  );
}
