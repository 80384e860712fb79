import { SkilletError } from "../../../core/error.ts";
import type { Price } from "../../model/model-choice.ts";
import { modelName } from "../../model/model-choice.ts";
import type { Usage } from "../../model/model-port.ts";
import { findSession, listSessions } from "../../session/session-store.ts";
import type { ChatDesk } from "./chat.ts";
import { type ChatCommand, chatCommands, initMessage } from "./commands.ts";
import { textBlock } from "./event-blocks.ts";
import { switchAgent, switchModel } from "./panel-key.ts";
import { agentsPanel, modelsPanel, permissionsPanel, sessionsPanel } from "./panels.ts";
import { skillsPanelOf } from "./skills-panel.ts";

/** Commands that change what a turn works with, and so wait for its end. */
const waiting: ReadonlySet<string> = new Set(["init", "model", "agent", "compact", "resume", "new", "trust"]);

export function runCommand(
  desk: ChatDesk,
  { command, argument }: { readonly command: ChatCommand; readonly argument: string },
): void {
  if (waiting.has(command.name) && desk.agent.status.busy) {
    desk.notice(`/${command.name} waits until the agent is done; esc stops it.`, "warning");
    return;
  }
  switch (command.name) {
    case "help":
      desk.print(textBlock("Commands", helpRows()), textBlock("Keys", keyRows));
      return;
    case "skills":
      desk.openPanel(skillsPanelOf(desk.agent.skills, { filter: argument, agent: desk.agent.status.agent }));
      return;
    case "init":
      startInit(desk, argument);
      return;
    case "model":
      if (argument !== "") switchModel(desk, argument);
      else desk.openPanel(modelsPanel(desk.options.models(), modelName(desk.agent.status.model)));
      return;
    case "agent":
      if (argument !== "") switchAgent(desk, argument);
      else desk.openPanel(agentsPanel(desk.agent.status.agent, desk.options.configuredAgents));
      return;
    case "compact":
      desk.work(() => desk.agent.compact());
      return;
    case "resume":
      resume(desk, argument);
      return;
    case "new":
      desk.end({ exitCode: 0, next: { resume: null } });
      return;
    case "cost":
      desk.print(textBlock("This session", costRows(desk.agent.status.usage, desk.agent.status.model.price)));
      return;
    case "permissions": {
      const approvals = desk.agent.approvals();
      if (approvals.length > 0) desk.openPanel(permissionsPanel(approvals));
      else desk.notice("Nothing is always allowed in this project; `a` at a question allows it.");
      return;
    }
    case "trust":
      desk.notice(desk.agent.quietly(() => desk.options.trust()));
      desk.refreshStatus();
      return;
    case "exit":
      desk.end({ exitCode: 0, next: null });
      return;
  }
}

/** The skill `init` says how, where it is there; else our own text does. */
function startInit(desk: ChatDesk, argument: string): void {
  const known = desk.agent.skills.commands().some(({ name }) => name === "init");
  const message = known
    ? `/init ${argument}`.trim()
    : `${initMessage}${argument === "" ? "" : `\n\n${argument}`}`;
  desk.work(() => desk.agent.submit(message));
}

function resume(desk: ChatDesk, argument: string): void {
  const { folder, file } = desk.options.started;
  const others = listSessions(folder).filter(({ id }) => id !== file.head.id);
  if (argument === "") {
    if (others.length === 0) desk.notice("There is no other session of this project.");
    else desk.openPanel(sessionsPanel(others, desk.options.now()));
    return;
  }
  try {
    desk.end({ exitCode: 0, next: { resume: findSession(folder, argument).id } });
  } catch (error) {
    const hint = error instanceof SkilletError && error.hint !== null ? ` ${error.hint}` : "";
    desk.notice(`${error instanceof Error ? error.message : String(error)}${hint}`, "error");
  }
}

function helpRows(): readonly string[] {
  const wide = Math.max(...chatCommands.map(({ name, argument }) => name.length + argument.length + 2));
  return [
    ...chatCommands.map(
      ({ name, argument, summary }) => `${`/${name} ${argument}`.padEnd(wide + 1)} ${summary}`,
    ),
    `${"/NAME".padEnd(wide + 1)} a skill, anywhere in a message, also several`,
    `${"@FILE".padEnd(wide + 1)} a file that goes along`,
  ];
}

const keyRows: readonly string[] = [
  "enter sends · \\ enter, alt-enter or ctrl-j begins a new line · ↑↓ earlier messages",
  "tab completes · esc or ctrl-c stops the agent · ctrl-c twice or ctrl-d leaves",
  "shift-tab switches between plan and build · ctrl-o shows the last call in full",
  "ctrl-r finds an earlier message · esc esc or ctrl-c clears what is typed · ctrl-y puts back what was cut",
  "ctrl-z puts the chat aside, fg brings it back",
];

function costRows(usage: Usage, price: Price | null): readonly string[] {
  const count = (tokens: number): string => tokens.toLocaleString("en");
  const fresh = Math.max(0, usage.input - usage.cacheRead - usage.cacheWrite);
  const money =
    price === null
      ? "No price is known: providers.NAME.models.ID.price in your settings says it."
      : `about ${(
          (fresh * price.input +
            usage.cacheRead * (price.cacheRead ?? price.input) +
            usage.cacheWrite * (price.cacheWrite ?? price.input) +
            usage.output * price.output) /
            1_000_000
        ).toFixed(4)} in the currency of your price`;
  return [
    `in ${count(usage.input)} tokens, of these ${count(usage.cacheRead)} from the provider's cache`,
    `out ${count(usage.output)} tokens`,
    money,
  ];
}
