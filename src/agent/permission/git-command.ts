import { hasOption, type Options, operandsOf } from "./command-options.ts";

/** What a git command is: only looking, ordinary work, or (a text: which part) something that cannot be taken back. */
export type GitKind = { readonly kind: "looks" | "works" } | { readonly kind: "harm"; readonly part: string };

const looks: GitKind = { kind: "looks" };
const works: GitKind = { kind: "works" };

/** Options in front of the verb that take a value of their own, and those that change nothing about looking. */
const valued: ReadonlySet<string> = new Set([
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--super-prefix",
  "--config-env",
  "--exec-path",
  "--attr-source",
]);
const plainOptions: ReadonlySet<string> = new Set([
  "-P",
  "--no-pager",
  "--no-optional-locks",
  "--literal-pathspecs",
  "--glob-pathspecs",
]);

/** Verbs that only look, with the options that run programs or write files. */
const looking: ReadonlyMap<string, Options> = new Map(
  Object.entries({
    status: {},
    diff: { long: ["output", "ext-diff", "textconv"], short: "O" },
    log: { long: ["output", "ext-diff", "textconv"] },
    show: { long: ["output", "ext-diff", "textconv"] },
    whatchanged: { long: ["output", "ext-diff", "textconv"] },
    "diff-tree": { long: ["output", "ext-diff", "textconv"] },
    blame: { long: ["contents"] },
    "ls-files": {},
    "ls-tree": {},
    "rev-parse": {},
    "rev-list": {},
    describe: {},
    shortlog: { long: ["output"] },
    "merge-base": {},
    "name-rev": {},
    "show-ref": { long: ["exclude-existing"] },
    "for-each-ref": {},
    "check-ignore": {},
    "count-objects": {},
    grep: { short: "O", long: ["open-files-in-pager", "ext-grep", "textconv"] },
    "cat-file": { long: ["textconv", "filters", "batch-command"] },
    version: {},
  } satisfies Record<string, Options>),
);

/** Verbs of everyday work, which a rule or an answer may allow. All others are asked for every time. */
const working: ReadonlySet<string> = new Set(
  "add commit mv fetch pull merge cherry-pick revert tag branch switch init clone apply am reset remote config worktree notes stash reflog grep".split(
    " ",
  ),
);

/** Options with which git runs a program that stands in the line. */
const running: Options = { long: ["upload-pack", "receive-pack", "exec"] };

/** Settings that only say who somebody is or how something looks; others may name programs. */
const plainSetting =
  /^(?:user\.(?:name|email)|init\.defaultbranch|color\.[\w.]+|push\.default|pull\.(?:rebase|ff)|advice\.\w+)$/i;

/** `words` are those behind `git`. */
export function gitKind(words: readonly string[]): GitKind {
  let at = 0;
  let plain = true;
  for (; at < words.length && words[at]?.startsWith("-"); at++) {
    const option = words[at] ?? "";
    const [name = ""] = option.split("=");
    if (option === "--version") return looks;
    if (["-c", "--config-env", "--exec-path", "--git-dir", "--work-tree"].includes(name))
      return { kind: "harm", part: name };
    if (!plainOptions.has(option)) plain = false;
    if (valued.has(option)) at += 1;
  }
  const [verb = "", ...rest] = words.slice(at);
  const kind = verbKind(verb, rest);
  return kind.kind === "looks" && !plain ? works : kind;
}

function verbKind(verb: string, rest: readonly string[]): GitKind {
  const harm = (part = verb): GitKind => ({ kind: "harm", part });
  const look = looking.get(verb);
  if (look !== undefined && !hasOption(rest, look)) return looks;
  if (!working.has(verb)) return harm();
  if (hasOption(rest, running)) return harm();
  const operands = operandsOf(rest);
  const [first = ""] = operands;
  switch (verb) {
    case "grep":
      return harm();
    case "stash":
      return first === "list" || first === "show" ? looks : first === "apply" ? works : harm();
    case "reset":
      return hasOption(rest, { long: ["hard", "merge", "keep"] }) ? harm() : works;
    case "switch":
      return hasOption(rest, { short: "fC", long: ["force", "discard-changes", "force-create"] })
        ? harm()
        : works;
    case "branch":
      if (hasOption(rest, { short: "dDMCf", long: ["delete", "force"] })) return harm();
      return rest.every((word) => /^(?:-[avrl]+|--(?:list|all|remotes|show-current|verbose))$/.test(word))
        ? looks
        : works;
    case "tag":
      if (hasOption(rest, { short: "df", long: ["delete", "force"] })) return harm();
      return rest.length === 0 || /^(?:-l|--list)$/.test(rest[0] ?? "") ? looks : works;
    case "remote":
      if (rest.every((word) => /^(?:-v|--verbose)$/.test(word)) || first === "get-url") return looks;
      return harm();
    case "worktree":
      return first === "list" ? looks : first === "add" ? works : harm();
    case "reflog":
      return ["expire", "delete", "drop", "write"].includes(first) ? harm() : looks;
    case "config": {
      if (hasOption(rest, { short: "f", long: ["global", "system", "file", "blob", "edit"] })) return harm();
      if (/^--get(?:-all)?$/.test(rest[0] ?? "") || first === "get") return looks;
      const name = first === "set" ? operands[1] : first;
      return plainSetting.test(name ?? "") ? works : harm();
    }
    case "clone":
    case "fetch":
    case "pull":
      return hasOption(rest, { short: "uc", long: ["config", "template"] }) || /^ext::/.test(first)
        ? harm()
        : works;
    case "apply":
      return hasOption(rest, { long: ["unsafe-paths", "directory"] }) ? harm() : works;
    case "init":
      return hasOption(rest, { long: ["template"] }) ? harm() : works;
    default:
      return works;
  }
}
