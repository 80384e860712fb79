import { hasOption, type Options, operandsOf, possiblePaths } from "./command-options.ts";
import { gitKind } from "./git-command.ts";
import { isHarmlessAwk, isHarmlessSed } from "./harmless-script.ts";
import type { ShellCommand } from "./shell-words.ts";

interface Looking extends Options {
  /** Most operands; with more it writes. */
  readonly most?: number;
  /** Options whose value is the next word. */
  readonly valued?: readonly string[];
  /** What else must hold. */
  readonly fits?: (words: readonly string[]) => boolean;
}

const only: Looking = {};
/** Only where the word runs nothing of the project: `cargo`, `go`, `yarn` and the like begin with what a project names. */
const version = (pattern: RegExp): Looking => ({
  fits: (words) => words.length === 1 && pattern.test(words[0] ?? ""),
});

/** Programs that only look; the options are those with which they do more, or follow links out of the folder. */
const programs: ReadonlyMap<string, Looking> = new Map<string, Looking>([
  ...(
    "pwd cat head wc nl tac cut tr comm cmp stat df which echo basename dirname realpath readlink md5sum sha1sum " +
    "sha256sum sha512sum b2sum cksum true false : sleep uname whoami id cd seq nproc uptime groups od hexdump strings fold " +
    "expand rev paste join column type"
  )
    .split(" ")
    .map((name): [string, Looking] => [name, only]),
  ["ls", { long: ["dereference"] }],
  ["base64", { short: "o", long: ["output"] }],
  ["tail", { short: "fF", long: ["follow", "retry"] }],
  ["sort", { short: "oT", long: ["output", "compress-program", "temporary-directory", "files0-from"] }],
  ["uniq", { most: 1, valued: ["-f", "-s", "-w"] }],
  ["diff", { short: "r", long: ["recursive"] }],
  ["file", { short: "mCfzZS", long: ["magic-file", "compile", "files-from", "uncompress", "no-sandbox"] }],
  ["du", { short: "LD", long: ["dereference", "dereference-args", "files0-from"] }],
  ["tree", { short: "oRl", long: ["output", "fromfile"] }],
  ["find", { fits: isLookingFind }],
  ["grep", { short: "R", long: ["dereference-recursive"] }],
  ["egrep", { short: "R", long: ["dereference-recursive"] }],
  ["fgrep", { short: "R", long: ["dereference-recursive"] }],
  ["rg", { short: "zL", long: ["pre", "search-zip", "hostname-bin", "follow"] }],
  ["printf", { short: "v" }],
  [
    "date",
    {
      short: "sf",
      long: ["set", "file"],
      fits: (words) => operandsOf(words, ["-d", "-r"]).every((word) => word.startsWith("+")),
    },
  ],
  [
    "jq",
    {
      short: "Lf",
      long: ["library-path", "from-file"],
      fits: (words) => !words.some((word) => /env|import|include|input_filename/i.test(word)),
    },
  ],
  ["xxd", { most: 1, short: "r", long: ["revert"], valued: ["-l", "-s", "-c", "-g", "-o"] }],
  ["test", { fits: isLookingTest }],
  ["[", { fits: (words) => words.at(-1) === "]" && isLookingTest(words) }],
  ["command", { fits: (words) => /^-[vV]$/.test(words[0] ?? "") }],
  ["sed", { fits: isLookingSed }],
  ["awk", { fits: isLookingAwk }],
  ["git", { fits: (words) => gitKind(words).kind === "looks" }],
  ["npm", { fits: (words) => /^(?:-v|--version)$/.test(words.join(" ")) || isListing(words) }],
  ["node", version(/^(?:-v|--version)$/)],
  ["php", version(/^(?:-v|--version)$/)],
  ...["python", "python3"].map((name): [string, Looking] => [name, version(/^(?:-V|--version)$/)]),
  ...["deno", "bun", "java", "gcc", "clang", "make", "cmake"].map((name): [string, Looking] => [
    name,
    version(/^--version$/),
  ]),
]);

/**
 * Whether a command, without its redirections, provably only looks. Only the programs above under their bare names; a
 * variable that is set in front of it may change what any program does.
 */
export function onlyLooks({ words, assignments }: Pick<ShellCommand, "words" | "assignments">): boolean {
  const [name = "", ...rest] = words;
  const program = programs.get(name);
  if (program === undefined || assignments.length > 0) return false;
  if (hasOption(rest, program)) return false;
  if (program.most !== undefined && operandsOf(rest, program.valued).length > program.most) return false;
  return program.fits?.(rest) !== false;
}

/** Texts that a looking command takes for paths; more than there are, never fewer. */
export function lookedAt({
  words,
  reads,
  globs,
}: Pick<ShellCommand, "words" | "reads" | "globs">): readonly string[] {
  const [name = "", ...rest] = words;
  if (["echo", "printf", "true", "false", ":", "sleep", "seq", "tr", "which", "type"].includes(name))
    return reads;
  const pattern = patternOf(name, rest);
  const paths = pattern === null || globs.includes(pattern) ? rest : rest.toSpliced(rest.indexOf(pattern), 1);
  return [...possiblePaths(paths), ...reads];
}

/** The operand that is a pattern or a small program and no path; null where options may have brought it. */
function patternOf(name: string, words: readonly string[]): string | null {
  if (!/^(?:[ef]?grep|rg|sed|awk|jq)$/.test(name)) return null;
  if (hasOption(words, { short: "ef", long: ["regexp", "file", "expression", "files", "type-list"] }))
    return null;
  return operandsOf(words, ["-F", "-v", "-A", "-B", "-C", "-m", "-t", "-g"])[0] ?? null;
}

/** Folders that a search goes through, hidden files in them too; empty where it is none. */
export function searchedFolders([name = "", ...rest]: readonly string[]): readonly string[] {
  const searches = /^[ef]?grep$/.test(name)
    ? hasOption(rest, { short: "rR", long: ["recursive"] }) &&
      !rest.some((word) => word.startsWith("--include"))
    : name === "rg" && hasOption(rest, { short: "u.", long: ["hidden", "unrestricted", "no-ignore"] });
  if (!searches) return [];
  const pattern = patternOf(name, rest);
  const operands = operandsOf(rest).filter((word) => word !== pattern);
  return operands.length > 0 ? operands : ["."];
}

function isLookingFind(words: readonly string[]): boolean {
  return !words.some(
    (word, index) =>
      /^-(?:delete|exec|execdir|ok|okdir|fprint|fprint0|fprintf|fls|files0-from|follow|L|H)$/.test(word) ||
      // Single letters may be combined in front of the paths.
      (index < 3 && /^-[HLPDO]*[LH]/.test(word)),
  );
}

/** `-v` and `-R` look at names of variables, and compute what stands in their brackets. */
function isLookingTest(words: readonly string[]): boolean {
  return !words.some((word) => word === "-v" || word === "-R");
}

function isLookingSed(words: readonly string[]): boolean {
  const scripts = sedScripts(words);
  return scripts?.every(isHarmlessSed) === true;
}

/** The scripts of a sed command with everyday options, null when others are among them. */
function sedScripts(words: readonly string[]): readonly string[] | null {
  const given: string[] = [];
  const rest: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (/^-[nErsuz]*e$/.test(word) || word === "--expression") given.push(words[++at] ?? "");
    else if (/^-[nErsuz]+$|^--(?:quiet|silent|regexp-extended|separate|null-data)$/.test(word)) continue;
    else if (word.startsWith("-")) return null;
    else rest.push(word);
  }
  return given.length > 0 ? given : rest.slice(0, 1);
}

function isLookingAwk(words: readonly string[]): boolean {
  let at = 0;
  for (; at < words.length && words[at]?.startsWith("-"); at++) {
    const word = words[at] ?? "";
    if (/^-[Fv]$/.test(word)) at += 1;
    else if (!/^-[Fv].+$/.test(word)) return false;
  }
  const program = words[at];
  return program !== undefined && isHarmlessAwk(program);
}

function isListing([verb = "", ...rest]: readonly string[]): boolean {
  return (
    (verb === "ls" || verb === "list") &&
    rest.every((word) =>
      /^(?:-a|--all|--json|--long|--depth=\d+|--omit=\w+|--prod|[@a-z][\w@./-]*)$/.test(word),
    )
  );
}
