import type { AgentEvent, TurnEnd } from "../../loop/events.ts";
import type { ToolOutcome } from "../../tools/tool.ts";
import type { Line } from "../text/span.ts";
import { alwaysText } from "./always-text.ts";
import { noticeBlock, skillBlock, toolBlock, userBlock } from "./event-blocks.ts";
import type { ChatState } from "./state.ts";

/** A call that was made, for showing it once more in full. */
export interface ShownCall {
  readonly name: string;
  readonly about: string;
  readonly outcome: ToolOutcome;
}

/** What events may do to the chat. */
export interface EventDesk {
  state(): ChatState;
  set(change: Partial<ChatState>): void;
  print(...blocks: readonly ((columns: number) => readonly Line[])[]): void;
  /** Prints what of the answer will not change any more, or all of it. */
  settle(all: boolean): void;
  /** What the agent is at. */
  busy(label: string): void;
  refreshStatus(): void;
  called(call: ShownCall): void;
}

/** What an event of the agent changes on the screen. */
export function showEvent(desk: EventDesk, event: AgentEvent): void {
  switch (event.type) {
    case "user":
      desk.print(userBlock(event.text, event.files));
      return;
    case "notice":
      desk.settle(true);
      desk.print(noticeBlock(event.text, event.tone));
      return;
    case "skill-loaded":
      desk.settle(true);
      desk.print(skillBlock(event));
      desk.refreshStatus();
      return;
    case "request":
      desk.busy("thinking");
      return;
    case "reasoning":
      desk.busy("thinking");
      return;
    case "text":
      desk.set({ live: desk.state().live + event.text });
      desk.busy("answering");
      desk.settle(false);
      return;
    case "tool-start":
      desk.busy(`preparing ${event.name}`);
      return;
    case "answer":
      desk.settle(true);
      return;
    case "retry":
      desk.set({ live: "", answering: false });
      desk.print(
        noticeBlock(
          `${event.failure.message} Next attempt in ${Math.max(1, Math.round(event.wait / 1000))} s.`,
          "warning",
        ),
      );
      desk.busy("waiting");
      return;
    case "tool-call":
      desk.settle(true);
      desk.set({ running: { id: event.id, name: event.name, about: event.about, tail: "" } });
      desk.busy(event.name);
      return;
    case "tool-progress":
      showProgress(desk, event);
      return;
    case "tool-result": {
      const call = { name: event.name, about: event.about, outcome: event.outcome };
      desk.called(call);
      desk.set({ running: null });
      desk.print(toolBlock(call));
      return;
    }
    case "todo":
      desk.set({ todo: event.items });
      return;
    case "usage":
      desk.refreshStatus();
      return;
    case "epoch":
      desk.refreshStatus();
      return;
    case "compacting":
      desk.settle(true);
      desk.busy("shortening the conversation");
      return;
    case "compacted":
      desk.print(
        noticeBlock(
          `The conversation was shortened from about ${event.before} to about ${event.after} tokens.`,
          "info",
        ),
      );
      desk.refreshStatus();
      return;
    case "answered":
      if (event.outcome === "rejected")
        desk.print(noticeBlock(`refused: ${event.question.request.title}`, "info"));
      else if (event.outcome === "always")
        desk.print(noticeBlock(`always allowed here: ${alwaysText(event.question.judgement)}`, "info"));
      return;
    case "question":
    case "turn-end":
      return;
  }
}

/** Characters of a running command's output that are kept to show its last rows. */
const tailLength = 2_000;

function showProgress(desk: EventDesk, event: Extract<AgentEvent, { type: "tool-progress" }>): void {
  const { running } = desk.state();
  if (running?.id !== event.id) return;
  desk.set({ running: { ...running, tail: (running.tail + event.text).slice(-tailLength) } });
}

/** How a turn ended, where that is not plain. */
export function showEnd(desk: EventDesk, end: TurnEnd): void {
  desk.settle(true);
  if (end.reason === "failed" || end.reason === "incomplete")
    desk.print(noticeBlock(`${end.failure.message}\n${end.failure.hint}`.trim(), "error"));
  if (end.reason === "cancelled") desk.print(noticeBlock("Stopped.", "warning"));
  if (end.reason === "refused")
    desk.print(noticeBlock("Stopped, since you refused. Say what to do instead.", "info"));
}
