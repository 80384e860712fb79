/** One simple command of a line: its words without quotes, and where it writes to. */
export interface ShellCommand {
  readonly words: readonly string[];
  /** Words whose stars, question marks and brackets the shell replaces by names of files. */
  readonly globs: readonly string[];
  /** Variables set in front of it. */
  readonly assignments: readonly string[];
  /** Targets of `>` and `>>`, without streams and `/dev/null`. */
  readonly writes: readonly string[];
  /** Sources of `<`. */
  readonly reads: readonly string[];
  /** Every redirection as it stands, streams too. */
  readonly redirections: readonly string[];
}

/** A command line taken apart; `plain` is false where what runs cannot be told from the text. */
export interface ShellLine {
  readonly commands: readonly ShellCommand[];
  readonly plain: boolean;
}

interface Draft {
  words: string[];
  globs: string[];
  assignments: string[];
  writes: string[];
  reads: string[];
  redirections: string[];
}

/** Words that begin what the reader below does not understand. */
const compound: ReadonlySet<string> = new Set(
  "if then else elif fi for while until do done case esac select function { } ! [[ ]] coproc time".split(" "),
);

const empty = (): Draft => ({
  words: [],
  globs: [],
  assignments: [],
  writes: [],
  reads: [],
  redirections: [],
});

/** What a redirection may lead to without touching a file; behind `>&` a stream's number, or `-` to close it. */
const devices = /^\/dev\/(?:null|stdout|stderr)$/;
const stream = /^(?:\d+|-)$/;

/**
 * Splits a shell line at `&&`, `||`, `;`, `|`, `&` and line breaks. Careful rather than complete: substitutions, variables,
 * here-documents, groups, functions and unclosed quotes make the line not plain, and then nobody may judge it by its
 * words. Linear, never throws.
 */
export function readShellLine(text: string): ShellLine {
  const commands: ShellCommand[] = [];
  let plain = true;
  let draft = empty();
  let word: string | null = null;
  let quoted = false;
  let glob = false;
  let redirect: "writes" | "reads" | null = null;
  let operator = "";

  const endWord = (): void => {
    if (word === null) return;
    if (glob && word !== "[") draft.globs.push(word);
    glob = false;
    if (redirect !== null) {
      // What `>` leads to is one file: a pattern there cannot be judged.
      if (draft.globs.includes(word)) plain = false;
      if (!devices.test(word) && !(/[<>]&$/.test(operator) && stream.test(word))) draft[redirect].push(word);
      draft.redirections.push(`${operator} ${word}`);
      redirect = null;
    } else if (draft.words.length === 0 && !quoted && /^[A-Za-z_]\w*\+?=/.test(word))
      draft.assignments.push(word);
    else {
      if (!quoted && draft.words.length === 0 && compound.has(word)) plain = false;
      // An element of a list: the shell computes what stands in the brackets.
      if (draft.words.length === 0 && /^[A-Za-z_]\w*\[/.test(word)) plain = false;
      draft.words.push(word);
    }
    word = null;
    quoted = false;
  };
  const endCommand = (): void => {
    endWord();
    if (redirect !== null) plain = false;
    redirect = null;
    if (draft.words.length + draft.writes.length + draft.reads.length + draft.assignments.length > 0)
      commands.push(draft);
    draft = empty();
  };
  const add = (piece: string): void => {
    word = (word ?? "") + piece;
  };

  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    const next = text[at + 1] ?? "";
    if (character === "'") {
      const end = text.indexOf("'", at + 1);
      if (end < 0) plain = false;
      add(text.slice(at + 1, end < 0 ? text.length : end));
      quoted = true;
      at = end < 0 ? text.length : end;
    } else if (character === '"') {
      quoted = true;
      add("");
      let closed = false;
      for (at++; at < text.length; at++) {
        const inner = text[at] ?? "";
        if (inner === '"') {
          closed = true;
          break;
        }
        if (inner === "`" || inner === "$") plain = false;
        if (inner === "\\" && /["\\$`\n]/.test(text[at + 1] ?? "")) {
          at++;
          add(text[at] === "\n" ? "" : (text[at] ?? ""));
        } else add(inner);
      }
      if (!closed) plain = false;
    } else if (character === "\\") {
      if (next === "\n") at++;
      else {
        add(next);
        quoted = true;
        at++;
      }
    } else if (character === "$" || character === "`" || character === "(" || character === ")") {
      plain = false;
      add(character);
    } else if (character === " " || character === "\t") endWord();
    else if (character === "\n" || character === ";") endCommand();
    else if (character === "&" || character === "|") {
      if (character === "&" && next === ">") {
        endWord();
        operator = text[at + 2] === ">" ? "&>>" : "&>";
        at += operator.length - 1;
        redirect = "writes";
        continue;
      }
      endCommand();
      if (next === character || (character === "|" && next === "&")) at++;
    } else if (character === ">" || character === "<") {
      // The number in front of a redirection belongs to it.
      let number = "";
      if (word !== null && !quoted && /^\d+$/.test(word)) {
        number = word;
        word = null;
      }
      endWord();
      if (redirect !== null) plain = false;
      if (character === "<" && next === "<") plain = false;
      if (next === "(") plain = false;
      // `<>` opens for both.
      redirect = character === ">" || next === ">" ? "writes" : "reads";
      operator = `${number}${character}${/[>|]/.test(next) ? next : ""}`;
      if (next === ">" || next === "|") at++;
      else if (next === "&") {
        at++;
        operator += "&";
      }
    } else if (character === "#" && word === null) {
      const end = text.indexOf("\n", at);
      at = (end < 0 ? text.length : end) - 1;
    } else {
      // Braces become several words, or name a stream; only one name alone between them stays what it is.
      if (character === "{" && !/^\{[\w-]*\}(?![<>])/.test(text.slice(at, at + 40))) plain = false;
      if (character < " " || character === "\u007f") plain = false;
      if (/[*?[]/.test(character)) glob = true;
      add(character);
    }
  }
  endCommand();
  return { commands, plain };
}
