/** One flag of the command line. A name means the same in every command, so there is one table. */
export interface Flag {
  readonly name: string;
  readonly short?: string;
  /** What it takes, as the help names it; absent for a switch. */
  readonly value?: string;
  readonly repeatable?: boolean;
  readonly choices?: readonly string[];
  /** The value is a whole number, at least this. */
  readonly minimum?: number;
  /** Understood by every command. */
  readonly global?: boolean;
  readonly summary: string;
}

/** Every flag there is, in the order of the help. */
export const flags: readonly Flag[] = [
  { name: "all", short: "a", summary: "also what is shadowed, hidden or skipped, with reasons" },
  { name: "watch", summary: "keep running and print every change with its cause" },
  { name: "file", value: "PATH", summary: "print one file of the skill instead" },
  { name: "for", value: "REQUEST", summary: "also say where search ranks it for this request" },
  { name: "window", value: "N", minimum: 1, summary: "context window in tokens" },
  { name: "budget", value: "N", minimum: 0, summary: "tokens the catalog may take" },
  { name: "report", summary: "per skill: full, shortened or omitted, and its tokens" },
  { name: "raw", summary: "no newline added at the end" },
  { name: "before", value: "FILE", summary: "what the model was told until now, a file of --after" },
  { name: "after", value: "FILE", summary: "where to keep what the model was told, for the next turn" },
  { name: "limit", value: "N", minimum: 1, summary: "how many results" },
  { name: "explain", summary: "which words counted, where they stand, and what meaning added" },
  {
    name: "against",
    value: "PROFILE",
    summary: "measure this profile's search too, and compare pair by pair",
  },
  {
    name: "min",
    value: "MEASURE=N",
    repeatable: true,
    summary: "fail below this share, e.g. hit1=0.9; max-negatives=N fails above (repeatable)",
  },
  { name: "by", value: "WHO", choices: ["model", "user"], summary: "who asks for the skill: model or user" },
  {
    name: "attach",
    value: "FILE[:MIME]",
    repeatable: true,
    summary: "a file that comes with the message (repeatable)",
  },
  {
    name: "preload",
    value: "NAME",
    repeatable: true,
    summary: "give this skill's full text first (repeatable)",
  },
  { name: "strict", summary: "hold to the published standard, or to the lock, letter by letter" },
  {
    name: "format",
    value: "FORMAT",
    choices: ["pretty", "json", "github", "sarif"],
    summary: "pretty, json, github or sarif",
  },
  { name: "fix", summary: "repair what can be repaired safely" },
  { name: "max-warnings", value: "N", minimum: 0, summary: "fail when there are more warnings" },
  { name: "dry-run", summary: "show what would be done, change nothing" },
  {
    name: "to",
    value: "WHERE",
    repeatable: true,
    summary: "where skills are put: agents, or a scope (repeatable)",
  },
  {
    name: "http",
    value: "PORT",
    minimum: 0,
    summary: "HTTP on this machine instead of stdin and stdout; 0 = any free port",
  },
  { name: "undo", summary: "take back what was put there" },
  { name: "copy", summary: "copies instead of links" },
  { name: "link", summary: "links where the system makes them" },
  { name: "user", summary: "in your home folder instead of this project" },
  { name: "folder", summary: "whatever is in the folder, also what comes later" },
  { name: "origin", summary: "where each setting comes from" },
  { name: "model", value: "PROVIDER/ID", summary: "model to talk to, e.g. anthropic/claude-sonnet-4-5" },
  { name: "command", value: "NAME", summary: "slash command or skill that the message goes to" },
  { name: "schema", value: "FILE", summary: "JSON Schema that the answer has to fit" },
  { name: "continue", short: "c", summary: "go on with the last session of this folder" },
  { name: "resume", value: "ID", summary: "go on with this session" },
  { name: "sessions", summary: "list the sessions of this folder" },
  { name: "out", value: "DIR", summary: "folder that is written" },
  { name: "port", value: "N", minimum: 0, summary: "port on this machine; 0 = any free one" },
  { name: "agents", value: "A,B", summary: "agents whose folders get it, e.g. claude,codex" },
  {
    name: "take",
    value: "WHOSE[=FILE]",
    repeatable: true,
    summary: "who wins where both changed the same: mine or new; source drops your edits (repeatable)",
  },
  { name: "accept-older", summary: "take a lower version than was pulled before" },
  { name: "frozen", summary: "fail when the lock would change" },
  { name: "yes", short: "y", summary: "answer yes to every question" },

  {
    name: "as",
    value: "PROFILE",
    global: true,
    summary: "look with another agent's eyes: opencode, opencode-v2, …",
  },
  { name: "cwd", value: "DIR", global: true, summary: "folder to look from" },
  { name: "home", value: "DIR", global: true, summary: "takes the place of the home folder" },
  { name: "data", value: "DIR", global: true, summary: "the profile's data folder" },
  { name: "config", value: "FILE", global: true, summary: "takes the place of your configuration file" },
  {
    name: "env",
    value: "NAME=VALUE",
    repeatable: true,
    global: true,
    summary: "set a variable for this run (repeatable)",
  },
  { name: "agent", value: "NAME", global: true, summary: "agent whose permission rules apply" },
  { name: "tools", value: "A,B", global: true, summary: "tools the agent has" },
  { name: "features", value: "A,B", global: true, summary: "features the agent has" },
  { name: "host", value: "KIND", choices: ["cli", "desktop"], global: true, summary: "cli or desktop" },
  { name: "region", value: "R", global: true, summary: "region, for gates" },
  { name: "mcp-servers", value: "A,B", global: true, summary: "MCP servers the agent has" },
  { name: "touched", value: "FILE", repeatable: true, global: true, summary: "file in play (repeatable)" },
  { name: "pack", value: "DIR", global: true, summary: "built-in skills from this folder" },
  { name: "lang", value: "TAG", global: true, summary: "language, e.g. zh-CN" },
  { name: "trust", global: true, summary: "trust this project for this one run" },
  { name: "json", global: true, summary: "data as JSON on stdout" },
  { name: "color", global: true, summary: "colours, also where there is no terminal" },
  { name: "no-color", global: true, summary: "no colours" },
  { name: "quiet", short: "q", global: true, summary: "no notes on stderr" },
  { name: "verbose", short: "v", global: true, summary: "more detail" },
  { name: "help", short: "h", global: true, summary: "this help" },
  { name: "version", short: "V", global: true, summary: "this version" },
];

const byName: ReadonlyMap<string, Flag> = new Map(flags.map((flag) => [flag.name, flag]));

export function flagNamed(name: string): Flag | undefined {
  return byName.get(name);
}

/** Read access to the flags of one command line. */
export interface FlagValues {
  on(name: string): boolean;
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  /** Checked when the line was parsed. */
  number(name: string): number | undefined;
  /** A value of the form `a,b`, blanks and empty parts dropped; undefined when the flag is not there. */
  list(name: string): readonly string[] | undefined;
}

/** `given`: every flag that was named, with its values in order (none for a switch). */
export function flagValues(given: ReadonlyMap<string, readonly string[]>): FlagValues {
  const text = (name: string) => given.get(name)?.at(-1);
  return {
    on: (name) => given.has(name),
    text,
    texts: (name) => given.get(name) ?? [],
    number: (name) => (text(name) === undefined ? undefined : Number(text(name))),
    list: (name) =>
      text(name)
        ?.split(",")
        .map((part) => part.trim())
        .filter((part) => part !== ""),
  };
}
