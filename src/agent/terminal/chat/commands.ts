/** One command of the chat. */
export interface ChatCommand {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly argument: string;
  readonly summary: string;
}

/** Commands in the order of the help. Skills come besides them. */
export const chatCommands: readonly ChatCommand[] = [
  { name: "help", aliases: ["?"], argument: "", summary: "commands and keys" },
  {
    name: "skills",
    aliases: [],
    argument: "[FILTER]",
    summary: "skills, why they are here or not, on and off",
  },
  { name: "init", aliases: [], argument: "", summary: "write AGENTS.md for this project" },
  { name: "model", aliases: [], argument: "[PROVIDER/ID]", summary: "choose the model" },
  { name: "agent", aliases: [], argument: "[NAME]", summary: "choose the agent: build, plan, compose" },
  { name: "compact", aliases: [], argument: "", summary: "shorten the conversation; loaded skills stay" },
  { name: "resume", aliases: ["sessions"], argument: "[ID]", summary: "go on with an earlier session" },
  { name: "new", aliases: ["clear"], argument: "", summary: "begin a new session" },
  { name: "cost", aliases: ["usage"], argument: "", summary: "tokens and money of this session" },
  {
    name: "permissions",
    aliases: [],
    argument: "",
    summary: "what you always allow here, and take it back",
  },
  { name: "trust", aliases: [], argument: "", summary: "trust this project's skills" },
  { name: "exit", aliases: ["quit"], argument: "", summary: "leave" },
];

/** A message that is a command: its name and what follows; null for every other message. */
export function readCommand(
  text: string,
): { readonly command: ChatCommand; readonly argument: string } | null {
  const [, name = "", argument = ""] = /^\/([\w?-]+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
  const command = chatCommands.find((one) => one.name === name || one.aliases.includes(name));
  return command === undefined ? null : { command, argument: argument.trim() };
}

/** What `/init` asks for where no skill of that name is there (feature X18). */
export const initMessage = `Write AGENTS.md for this project, or improve the one that is there.

Look at the project first: its README, its build files and scripts, its tests and linters, how the code is laid out, and files with rules for other agents. Then write what an agent cannot see at once and needs in order to work well here: the commands to build, to run all tests and to run one of them; the layout in a few lines; the rules that hold everywhere; traps. Nothing that any agent does anyway, nothing that is plain from the code, no guesses. At most about sixty lines. Keep what is right in an AGENTS.md that is there.`;
