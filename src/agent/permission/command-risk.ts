import type { ShellCommand } from "./shell-words.ts";

/** Words in front of a command that run it as it stands behind them. */
const wrappers: ReadonlySet<string> = new Set(
  "sudo doas env nice nohup time timeout command exec xargs stdbuf ionice chroot setsid busybox watch".split(
    " ",
  ),
);

/** Programs that no answer or rule allows for good. */
const alwaysDangerous: ReadonlySet<string> = new Set(
  (
    "sudo doas su dd shred mkfs fdisk parted wipefs mount umount shutdown reboot halt poweroff init kill pkill killall " +
    "crontab at systemctl service launchctl iptables ufw useradd userdel usermod passwd visudo chroot ssh scp sftp eval source . " +
    "truncate unlink srm rmdir"
  ).split(" "),
);

type Check = (words: readonly string[]) => boolean;

const flag = (words: readonly string[], short: string, long: string): boolean =>
  words.some((word) => word === long || (/^-[A-Za-z]+$/.test(word) && word.includes(short)));
const has = (words: readonly string[], ...wanted: readonly string[]): boolean =>
  words.some((word) => wanted.includes(word));

/** Programs that are dangerous with some of their arguments; `words` are those behind the name. */
const dangerousWith: Readonly<Record<string, Check>> = {
  rm: () => true,
  mv: (words) => flag(words, "f", "--force"),
  chmod: (words) => flag(words, "R", "--recursive") || has(words, "777", "a+rwx"),
  chown: (words) => flag(words, "R", "--recursive"),
  find: (words) => has(words, "-delete", "-exec", "-execdir", "-ok", "-okdir", "-fprint", "-fprintf", "-fls"),
  rsync: (words) => words.some((word) => word.startsWith("--delete")),
  git: (words) => {
    const [verb = "", ...rest] = words.filter((word, index) => !(index === 0 && word.startsWith("-")));
    if (
      has(words, "-c", "--exec-path") ||
      words.some((word) => /^--(?:git-dir|work-tree|exec-path)/.test(word))
    )
      return true;
    switch (verb) {
      case "push":
      case "clean":
      case "filter-branch":
      case "filter-repo":
      case "gc":
      case "update-ref":
        return true;
      case "reset":
        return has(rest, "--hard", "--merge", "--keep");
      case "checkout":
        return has(rest, "--", ".", "-f", "--force");
      case "restore":
      case "rebase":
        return true;
      case "branch":
        return has(rest, "-D", "-d", "--delete", "-M");
      case "stash":
        return has(rest, "drop", "clear");
      case "config":
        return (
          has(rest, "--global", "--system") || rest.some((word) => /^(?:alias|core\.|credential)/.test(word))
        );
      default:
        return false;
    }
  },
  npm: (words) => has(words, "publish", "unpublish", "deprecate", "adduser", "login", "token"),
  pnpm: (words) => has(words, "publish"),
  yarn: (words) => has(words, "publish"),
  cargo: (words) => has(words, "publish", "yank"),
  twine: () => true,
  gh: (words) => has(words, "delete", "merge", "release", "secret", "auth"),
  docker: (words) => has(words, "rm", "rmi", "prune", "kill", "push", "run", "exec"),
  podman: (words) => has(words, "rm", "rmi", "prune", "kill", "push", "run", "exec"),
  kubectl: (words) => has(words, "delete", "apply", "drain", "exec", "replace", "scale"),
  helm: (words) => has(words, "install", "upgrade", "uninstall", "delete"),
  terraform: (words) => has(words, "apply", "destroy"),
  curl: (words) =>
    words.some((word) =>
      /^(?:-[A-Za-z]*[TFdoO]|--(?:data|form|upload|output|request|json).*|-X.*)$/.test(word),
    ),
  wget: (words) => words.some((word) => /^--post|^--method|^--body/.test(word)),
};

/** Reading from the network into one of these runs what was read. */
const interpreters = /^(?:ba|z|da|k|fi)?sh$|^(?:python|node|perl|ruby|php|deno|bun)[\d.]*$/;

/**
 * Why a command must be asked for each time, whatever rules and earlier answers say; null when nothing about it does.
 * `before`: the command whose output it reads through a pipe or that ran in front of it.
 */
export function dangerOf(command: ShellCommand, before: ShellCommand | null = null): string | null {
  const words = command.words;
  for (let at = 0; at < words.length; at++) {
    const name = nameOf(words[at] ?? "");
    if (alwaysDangerous.has(name)) return `\`${name}\` can do lasting harm`;
    const own = Object.hasOwn(dangerousWith, name) ? dangerousWith[name] : undefined;
    if (own?.(words.slice(at + 1)) === true)
      return `\`${[name, ...words.slice(at + 1, at + 2)].join(" ")}\` can do lasting harm`;
    if (/^mkfs\./.test(name)) return `\`${name}\` can do lasting harm`;
    if (
      interpreters.test(name) &&
      before !== null &&
      ["curl", "wget"].includes(nameOf(before.words[0] ?? ""))
    )
      return "it runs what was just downloaded";
    if (!wrappers.has(name)) break;
    // Behind a wrapper the next word that is neither an option nor a setting is the command.
    while (at + 1 < words.length && /^-|^[A-Za-z_]\w*=|^\d+[smhd]?$/.test(words[at + 1] ?? "")) at++;
  }
  if (
    command.assignments.some((one) =>
      /^(?:PATH|LD_[A-Z_]+|DYLD_[A-Z_]+|NODE_OPTIONS|BASH_ENV|ENV|IFS|PYTHONPATH|PYTHONSTARTUP|GIT_[A-Z_]+)\+?=/.test(
        one,
      ),
    )
  )
    return "it changes how programs are found or loaded";
  return null;
}

const rawDanger =
  /(?:^|[\s;&|`("'])(?:sudo|doas|su|rm|dd|shred|mkfs\S*|shutdown|reboot|kill|pkill|killall|eval|source|ssh|scp|crontab|systemctl|truncate|rmdir|unlink)(?=$|[\s;&|`)"'])|\bgit\s+(?:push|clean|reset\s+--hard)|\b(?:curl|wget)\b[^\n]*\|\s*\S*sh\b|:\(\)\s*\{/;

/** The same for a text that could not be taken apart: any dangerous word in it counts. */
export function dangerInText(text: string): string | null {
  const found = rawDanger.exec(text);
  return found === null
    ? null
    : `\`${found[0].trim().replace(/^[;&|`("']+\s*/, "")}\` in it can do lasting harm`;
}

/** Programs that only look, with the options that make them do more. */
const looking: Readonly<Record<string, RegExp | null>> = {
  ls: null,
  pwd: null,
  cat: null,
  head: null,
  tail: /^(?:-f|-F|--follow.*|--retry)$/,
  wc: null,
  nl: null,
  tac: null,
  cut: null,
  tr: null,
  sort: /^(?:-o|--output.*|--compress-program.*|-T.*)$/,
  uniq: null,
  comm: null,
  diff: null,
  cmp: null,
  file: /^-[a-zA-Z]*[mC]/,
  stat: null,
  du: null,
  df: null,
  tree: /^-[a-zA-Z]*[oR]/,
  find: /^-(?:delete|exec|execdir|ok|okdir|fprint|fprint0|fprintf|fls)$/,
  grep: null,
  egrep: null,
  fgrep: null,
  rg: /^(?:--pre.*|-z|--search-zip|--hostname-bin.*)$/,
  which: null,
  type: null,
  echo: null,
  printf: /^-v$/,
  date: /^(?:-s|--set.*)$/,
  basename: null,
  dirname: null,
  realpath: null,
  readlink: null,
  md5sum: null,
  sha256sum: null,
  jq: null,
  true: null,
  false: null,
  test: null,
  sleep: null,
  uname: null,
  whoami: null,
  id: null,
  cd: null,
};

/** Verbs of git that only look, with the options that make them do more. */
const lookingGit: ReadonlyMap<string, RegExp | null> = new Map([
  ["status", null],
  ["diff", /^(?:--output.*|--ext-diff|--textconv)$/],
  ["log", /^(?:--output.*|--ext-diff|--textconv)$/],
  ["show", /^(?:--output.*|--ext-diff|--textconv)$/],
  ["blame", null],
  ["ls-files", null],
  ["rev-parse", null],
  ["describe", null],
  ["shortlog", null],
]);

/** Whether a command only looks at things. Unknown programs and options do not. */
export function onlyLooks({ words, writes, assignments }: ShellCommand): boolean {
  if (writes.length > 0 || assignments.length > 0) return false;
  const [name = "", ...rest] = words;
  if (name === "git") {
    const [verb = "", ...others] = rest;
    const more = lookingGit.get(verb);
    return more !== undefined && !others.some((word) => more?.test(word) === true);
  }
  if (!Object.hasOwn(looking, name)) return false;
  const more = looking[name];
  return !rest.some((word) => more?.test(word) === true);
}

/** Programs whose second word says what is done; an "always" then covers both. */
const withVerb: ReadonlySet<string> = new Set(
  "git npm npx pnpm yarn bun cargo go docker podman kubectl make just uv pip pip3 poetry gh dotnet mvn gradle deno rustup brew apt".split(
    " ",
  ),
);

/**
 * What an answer "always" to this command covers: its first words, so that other arguments are covered too; for programs
 * that run any text (`bash`, `node`, …) and commands with wildcards only the very same command, marked by `= `.
 */
export function rememberedCommand({ words }: ShellCommand): string {
  const [name = "", verb = ""] = words;
  const whole = `= ${words.join(" ")}`;
  if (interpreters.test(nameOf(name)) || wrappers.has(name) || name.includes("/")) return whole;
  if (!withVerb.has(name)) return name;
  if (name === "npx" || verb === "" || verb.startsWith("-") || verb === "exec" || verb === "x") return whole;
  // `npm run` alone would cover every script.
  if (verb === "run") return words[2] === undefined ? whole : `${name} ${verb} ${words[2]}`;
  return `${name} ${verb}`;
}

/** Whether a remembered pattern covers a command. */
export function coversCommand(pattern: string, { words }: ShellCommand): boolean {
  const line = words.join(" ");
  return pattern.startsWith("= ")
    ? line === pattern.slice(2)
    : line === pattern || line.startsWith(`${pattern} `);
}

function nameOf(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1);
}
