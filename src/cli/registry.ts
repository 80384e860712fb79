import type { CommandEntry } from "./command.ts";

/** Every command of this version, in the order of the help. */
export const commands: readonly CommandEntry[] = [
  { name: "list", group: "Look", load: async () => (await import("./commands/list.ts")).list },
  { name: "show", group: "Look", load: async () => (await import("./commands/show.ts")).show },
  { name: "why", group: "Look", load: async () => (await import("./commands/why.ts")).why },
  { name: "search", group: "Look", load: async () => (await import("./commands/search.ts")).search },
  { name: "load", group: "Look", load: async () => (await import("./commands/load.ts")).load },
  { name: "expand", group: "Look", load: async () => (await import("./commands/expand.ts")).expand },
  { name: "catalog", group: "Look", load: async () => (await import("./commands/catalog.ts")).catalog },
  { name: "guidance", group: "Look", load: async () => (await import("./commands/guidance.ts")).guidance },
  { name: "commands", group: "Look", load: async () => (await import("./commands/commands.ts")).commands },
  { name: "enable", group: "Decide", load: async () => (await import("./commands/enable.ts")).enable },
  { name: "disable", group: "Decide", load: async () => (await import("./commands/disable.ts")).disable },
  { name: "trust", group: "Decide", load: async () => (await import("./commands/trust.ts")).trust },
  { name: "untrust", group: "Decide", load: async () => (await import("./commands/untrust.ts")).untrust },
  { name: "chat", group: "Work", load: async () => (await import("./commands/chat.ts")).chat },
  { name: "run", group: "Work", load: async () => (await import("./commands/run.ts")).run },
  { name: "init", group: "Work", load: async () => (await import("./commands/init.ts")).init },
  { name: "check", group: "Mend", load: async () => (await import("./commands/check.ts")).check },
  { name: "eval", group: "Mend", load: async () => (await import("./commands/eval.ts")).evaluation },
  { name: "doctor", group: "Mend", load: async () => (await import("./commands/doctor.ts")).doctor },
  { name: "new", group: "Mend", load: async () => (await import("./commands/new.ts")).newSkill },
  { name: "mcp", group: "Connect", load: async () => (await import("./commands/mcp.ts")).mcp },
  { name: "sync", group: "Connect", load: async () => (await import("./commands/sync.ts")).sync },
  { name: "add", group: "Install", load: async () => (await import("./commands/add.ts")).add },
  { name: "remove", group: "Install", load: async () => (await import("./commands/remove.ts")).remove },
  { name: "pull", group: "Install", load: async () => (await import("./commands/pull.ts")).pull },
  { name: "update", group: "Install", load: async () => (await import("./commands/update.ts")).update },
  { name: "verify", group: "Install", load: async () => (await import("./commands/verify.ts")).verify },
  { name: "ci", group: "Install", load: async () => (await import("./commands/ci.ts")).ci },
  { name: "publish", group: "Install", load: async () => (await import("./commands/publish.ts")).publish },
  { name: "serve", group: "Install", load: async () => (await import("./commands/serve.ts")).serve },
  { name: "push", group: "Install", load: async () => (await import("./commands/push.ts")).push },
  { name: "config", group: "Set up", load: async () => (await import("./commands/config.ts")).config },
  { name: "paths", group: "Set up", load: async () => (await import("./commands/paths.ts")).paths },
  { name: "profiles", group: "Set up", load: async () => (await import("./commands/profiles.ts")).profiles },
  { name: "reset", group: "Set up", load: async () => (await import("./commands/reset.ts")).reset },
  {
    name: "completion",
    group: "Set up",
    load: async () => (await import("./commands/completion.ts")).completion,
  },
  { name: "help", group: "Set up", load: async () => (await import("./commands/help.ts")).help },
  { name: "version", group: null, load: async () => (await import("./commands/version.ts")).versionCommand },
  { name: "__complete", group: null, load: async () => (await import("./commands/complete.ts")).complete },
];

/** The command's contract names these too; this version doesn't have them and says so. */
export const laterCommands: readonly string[] = ["push", "publish", "serve", "guidance"];

export function commandNamed(name: string): CommandEntry | undefined {
  return commands.find((entry) => entry.name === name);
}
