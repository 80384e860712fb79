import type { Answer } from "../../loop/events.ts";
import { type Editor, emptyEditor, messageOf, remembered, replace } from "../input/editor.ts";
import type { Key } from "../input/key.ts";
import type { ChatDesk } from "./chat.ts";
import { completionKey } from "./completion-key.ts";
import { editKey } from "./edit-key.ts";
import { textBlock, toolBlock } from "./event-blocks.ts";
import { panelKey } from "./panel-key.ts";
import { historyPanel } from "./panels.ts";
import { questionKey } from "./question-key.ts";
import type { ShownCall } from "./show-event.ts";
import type { ChatState } from "./state.ts";

/** What keys may do to the chat besides what commands may. */
export interface KeyDesk extends ChatDesk {
  /** Takes another text that is being typed, and looks for what may complete it. */
  edited(editor: Editor): void;
  /** Answers the question that stands. */
  answer(answer: Answer): void;
  /** The call that was made last, for showing it in full. */
  lastCall(): ShownCall | null;
}

/**
 * Terminals send the same for Esc and then a letter as for Alt and the letter. While the agent works, Esc is meant,
 * unless the letter is one that does something to a text that is there.
 */
export function escapeFirst({ activity, editor }: ChatState, key: Key): readonly Key[] {
  if (activity === null || key.name !== "text" || !key.meta || key.ctrl) return [key];
  if (editor.text !== "" && /^[bfd<>]$/.test(key.input)) return [key];
  return [
    { name: "escape", input: "", ctrl: false, meta: false },
    { ...key, meta: false },
  ];
}

/** A key in the chat: for the question, the panel or the list that is open, else for the text being typed. */
export function chatKey(desk: KeyDesk, pressed: Key): void {
  const state = desk.state();
  if (state.over) return;
  if (pressed.ctrl && pressed.input === "c") {
    if (state.panel !== null) desk.set({ panel: null });
    stopOrLeave(desk);
    return;
  }
  if (pressed.ctrl && pressed.input === "o") {
    const asked = state.question?.question.request;
    const last = desk.lastCall();
    if (asked !== undefined) desk.print(textBlock("The agent wants to", asked.title.split("\n")));
    else if (last !== null) desk.print(toolBlock(last, true));
    return;
  }
  if (state.question !== null && !isTypedAhead(desk, pressed)) {
    questionKey(desk, pressed, (answer) => desk.answer(answer));
    return;
  }
  if (state.panel !== null && state.question === null) {
    panelKey(desk, pressed);
    return;
  }
  if (state.question === null && completionKey(desk, pressed, () => enter(desk))) return;
  editorKey(desk, pressed);
}

/**
 * Whether a key was not meant for the question: it comes while somebody is typing. It goes to the text being typed, and
 * nothing is sent with it; a pause makes the question take answers.
 */
function isTypedAhead(desk: KeyDesk, { name, ctrl, meta }: Key): boolean {
  const { question } = desk.state();
  if (question === null || question.word !== null) return false;
  const { calm, now } = desk.options;
  const time = now();
  if (time - question.quiet >= calm) return false;
  desk.set({ question: { ...question, quiet: time } });
  return ctrl || meta || name !== "escape";
}

function editorKey(desk: KeyDesk, pressed: Key): void {
  const state = desk.state();
  const asked = state.question !== null;
  if (pressed.name === "escape") {
    if (state.activity !== null) desk.agent.cancel();
    else if (state.editor.text !== "") clearOnSecond(desk);
    return;
  }
  if (pressed.name === "enter") {
    if (!asked) enter(desk);
    return;
  }
  if (pressed.name === "shift-tab") {
    if (!asked) desk.submit(`/agent ${state.status.agent === "plan" ? "build" : "plan"}`);
    return;
  }
  if (pressed.ctrl && pressed.input === "r") {
    if (!asked && state.editor.history.length > 0) desk.openPanel(historyPanel(state.editor.history));
    return;
  }
  if (pressed.ctrl && pressed.input === "d" && state.editor.text === "") {
    if (state.activity === null) desk.end({ exitCode: 0, next: null });
    return;
  }
  const editor = editKey(state.editor, pressed);
  if (editor !== null) desk.edited(editor);
}

/** Milliseconds between two presses of Esc that clear the text. */
const twice = 1_000;
const escapes = new WeakMap<Editor, number>();

function clearOnSecond(desk: KeyDesk): void {
  const { editor } = desk.state();
  const before = escapes.get(editor);
  const now = desk.options.now();
  if (before !== undefined && now - before <= twice) clear(desk);
  else escapes.set(editor, now);
}

/** What was typed can be put back. */
function clear(desk: KeyDesk): void {
  const { editor } = desk.state();
  const empty = { ...emptyEditor(editor.history), removed: editor.text, pastes: editor.pastes };
  desk.set({ editor: empty, completion: null });
}

function stopOrLeave(desk: KeyDesk): void {
  const { activity, editor, leaving } = desk.state();
  if (activity !== null) desk.agent.cancel();
  else if (editor.text !== "") clear(desk);
  else if (leaving) desk.end({ exitCode: 0, next: null });
  else desk.set({ leaving: true });
}

function enter(desk: KeyDesk): void {
  const { editor } = desk.state();
  // A backslash at the end of a line asks for another one.
  if (editor.text.slice(0, editor.cursor).endsWith("\\")) {
    desk.edited(replace(editor, { from: editor.cursor - 1, to: editor.cursor }, "\n"));
    return;
  }
  const message = messageOf(editor).trim();
  if (message === "") return;
  desk.options.remember(message);
  desk.set({ editor: remembered(editor, message), completion: null, leaving: false });
  desk.submit(message);
}
