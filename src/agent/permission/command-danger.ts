import { hasOption, operandsOf, programName } from "./command-options.ts";
import { gitKind } from "./git-command.ts";
import { innerCommands } from "./inner-commands.ts";
import { runsText } from "./runs-text.ts";
import type { ShellCommand } from "./shell-words.ts";

/** Said of everything whose effect does not follow from the words. */
export const cannotBeTold = "what it runs cannot be told from its text";

const set = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** Programs that no answer or rule allows for good. */
const alwaysHarmful = set(
  "sudo doas su runuser pkexec dd shred fdisk parted wipefs mount umount shutdown reboot halt poweroff init kill pkill killall " +
    "crontab at batch systemctl systemd-run service launchctl iptables ufw useradd userdel usermod passwd visudo chroot ssh scp " +
    "sftp truncate unlink srm rmdir nc ncat socat telnet",
);

/** Words of the shell that run text or change what later words mean. */
const shellWords = set(
  "eval source . trap alias hash enable builtin declare typeset local readonly let unset read mapfile readarray compgen complete bind set shopt pushd popd dirs fc getopts",
);

type Check = (words: readonly string[]) => boolean;
const has = (words: readonly string[], ...wanted: readonly string[]): boolean =>
  words.some((word) => wanted.includes(word));

/** Programs that are harmful with some of their arguments; `words` are those behind the name. */
const harmfulWith: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["rm", () => true],
  ["mv", (words) => hasOption(words, { short: "f", long: ["force"] })],
  ["ln", (words) => hasOption(words, { short: "f", long: ["force"] })],
  ["chmod", (words) => hasOption(words, { short: "R", long: ["recursive"] }) || has(words, "777", "a+rwx")],
  ["chown", () => true],
  ["chgrp", () => true],
  [
    "rsync",
    (words) =>
      hasOption(words, { short: "e", long: ["delete", "remove-source-files", "rsh", "rsync-path"] }) ||
      words.some((word) => word.startsWith("--delete") || /^[\w.@-]+:/.test(word)),
  ],
  [
    "npm",
    (words) =>
      has(
        words,
        "publish",
        "unpublish",
        "deprecate",
        "adduser",
        "login",
        "token",
        "dist-tag",
        "owner",
        "access",
      ),
  ],
  ["pnpm", (words) => has(words, "publish")],
  ["yarn", (words) => has(words, "publish")],
  ["cargo", (words) => has(words, "publish", "yank", "owner", "login")],
  ["twine", () => true],
  ["gh", (words) => has(words, "delete", "merge", "release", "secret", "auth", "api", "close", "create")],
  ["docker", (words) => has(words, "rm", "rmi", "prune", "kill", "push", "run", "exec", "down")],
  ["podman", (words) => has(words, "rm", "rmi", "prune", "kill", "push", "run", "exec", "down")],
  [
    "kubectl",
    (words) => has(words, "delete", "apply", "drain", "exec", "replace", "scale", "patch", "edit", "create"),
  ],
  ["helm", (words) => has(words, "install", "upgrade", "uninstall", "delete", "rollback")],
  ["terraform", (words) => has(words, "apply", "destroy", "import", "state")],
  [
    "curl",
    (words) =>
      hasOption(words, {
        short: "TFdoOKXJ",
        long: [
          "data",
          "form",
          "upload-file",
          "output",
          "remote-name",
          "request",
          "json",
          "config",
          "data-raw",
          "data-binary",
          "data-urlencode",
          "url-query",
        ],
      }) || words.some((word) => /^file:|^(?:-H)?@|=@/i.test(word)),
  ],
  [
    "wget",
    (words) =>
      hasOption(words, {
        short: "iePO",
        long: [
          "post-data",
          "post-file",
          "method",
          "body-data",
          "body-file",
          "header",
          "input-file",
          "execute",
          "use-askpass",
          "config",
          "output-document",
        ],
      }),
  ],
]);

/** Why a command must be asked for each time, whatever rules and earlier answers say; null when nothing about it does. */
export function dangerOf(command: Pick<ShellCommand, "words" | "assignments">): string | null {
  for (const words of [command.words, ...innerCommands(command.words)]) {
    const found = dangerOfWords(words);
    if (found !== null) return found;
  }
  const set = command.words[0] === "export" ? command.words.slice(1) : [];
  return [...command.assignments, ...set].some((one) => steering.test(one))
    ? "it changes how programs are found or loaded"
    : null;
}

/** Variables that say which programs run, or with what. */
const steering =
  /^(?:-|PATH|CDPATH|LD_\w+|DYLD_\w+|NODE_\w+|BASH\w*|ENV|IFS|PS4|SHELL|SHELLOPTS|PROMPT_COMMAND|PYTHON\w*|PERL\w*|RUBY\w*|JAVA_\w+|JDK_\w+|_JAVA\w*|GIT_\w+|SSH_\w+|npm_config_\w+|NPM_CONFIG_\w+|EDITOR|VISUAL|PAGER|LESS\w*|MAKEFLAGS|MAKEFILES|CC|CXX|LD|AR|RUSTC\w*|CARGO_\w+|GO\w+|HOME|XDG_\w+|TMPDIR|\w*(?:PROXY|proxy)|\w*OPTS|\w*OPTIONS|\w*_COMMAND|\w*_EXEC)(?:\+?=|$)/;

function dangerOfWords(words: readonly string[]): string | null {
  const [first = "", ...rest] = words;
  const name = programName(first);
  if (alwaysHarmful.has(name) || name.startsWith("mkfs")) return `\`${name}\` can do lasting harm`;
  if (name === "set" && rest.every((word) => /^-[euxo]+$|^pipefail$/.test(word))) return null;
  if (shellWords.has(name)) return `\`${name}\` changes what the line means: ${cannotBeTold}`;
  if (name === "git") {
    const git = gitKind(rest);
    return git.kind === "harm" ? `\`git ${git.part}\` can lose work or run programs` : null;
  }
  if (name === "find") return dangerOfFind(rest);
  if (harmfulWith.get(name)?.(rest) === true)
    return `\`${[name, ...operandsOf(rest).slice(0, 1)].join(" ")}\` can do lasting harm`;
  if (runsText(name, rest)) return cannotBeTold;
  if (running.get(name)?.(rest) === true) return cannotBeTold;
  return null;
}

function dangerOfFind(words: readonly string[]): string | null {
  const part = words.find((word) =>
    /^-(?:delete|exec|execdir|ok|okdir|fprint|fprint0|fprintf|fls)$/.test(word),
  );
  return part === undefined ? null : `\`find … ${part}\` can do lasting harm`;
}

/** What may come behind `xargs`: whatever words it adds, these only look. */
const forAnyWords = set("cat head wc ls stat basename dirname echo md5sum sha256sum grep egrep fgrep");

/** Programs that run others when an option or their input says so. */
const running: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["xargs", (words) => !innerCommands(["xargs", ...words]).some(([name = ""]) => forAnyWords.has(name))],
  // They compute what stands in the brackets of a variable's name.
  ["printf", (words) => hasOption(words, { short: "v" })],
  ["test", (words) => has(words, "-v", "-R")],
  ["[", (words) => has(words, "-v", "-R")],
  ["env", (words) => hasOption(words, { short: "S", long: ["split-string"] })],
  ["npx", (words) => hasOption(words, { short: "c", long: ["call"] })],
  [
    "npm",
    (words) =>
      hasOption(words, {
        short: "c",
        long: ["script-shell", "node-options", "userconfig", "globalconfig", "prefix", "call"],
      }),
  ],
  ["cargo", (words) => hasOption(words, { short: "C", long: ["config", "manifest-path"] })],
  ["go", (words) => words.some((word) => /^--?(?:exec|toolexec|vettool|C)\b/.test(word))],
  ...["script", "flock", "watch", "parallel", "entr", "strace", "unshare", "nsenter"].map(
    (name): [string, Check] => [name, () => true],
  ),
  [
    "tar",
    (words) =>
      hasOption(words, {
        short: "IF",
        long: [
          "to-command",
          "checkpoint-action",
          "use-compress-program",
          "info-script",
          "new-volume-script",
          "rsh-command",
          "rmt-command",
        ],
      }),
  ],
  ["zip", (words) => words.some((word) => /^-\w*T|^--unzip/.test(word))],
  ["sort", (words) => hasOption(words, { long: ["compress-program"] })],
  ["rg", (words) => hasOption(words, { long: ["pre", "hostname-bin"] })],
  [
    "make",
    (words) =>
      words.some((word) => /^(?:SHELL|MAKEFLAGS|\.SHELLFLAGS)[:?+]?=|^--ev|^-f\/dev|^-$|^\/dev\//.test(word)),
  ],
  ["vim", () => true],
  ["vi", () => true],
  ["nvim", () => true],
  ["ex", () => true],
  ["ed", () => true],
  ["emacs", () => true],
  ["gdb", () => true],
  ["expect", () => true],
  ["tmux", () => true],
  ["screen", () => true],
  ["sqlite3", (words) => words.length > 0],
  ["psql", () => true],
  ["mysql", () => true],
  ["man", (words) => hasOption(words, { short: "PH", long: ["pager", "html"] })],
]);
