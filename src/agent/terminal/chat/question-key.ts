import type { Answer, Question } from "../../loop/events.ts";
import { emptyEditor } from "../input/editor.ts";
import type { Key } from "../input/key.ts";
import { alwaysText } from "./always-text.ts";
import type { ChatDesk } from "./chat.ts";
import { editKey } from "./edit-key.ts";

export interface QuestionChoice {
  readonly key: string;
  readonly label: string;
  readonly answer: "once" | "always" | "word" | "reject";
}

/** What can be answered: "always" only where it may be stored. */
export function questionChoices({ judgement }: Question): readonly QuestionChoice[] {
  return [
    { key: "y", label: "yes, this time", answer: "once" },
    ...(judgement.always.length === 0
      ? []
      : [
          {
            key: "a",
            label: `always in this project: ${alwaysText(judgement)}`,
            answer: "always",
          } as const,
        ]),
    { key: "w", label: "no, and say what to do instead", answer: "word" },
    { key: "n", label: "no, stop", answer: "reject" },
  ];
}

/** A key while a question stands. */
export function questionKey(desk: ChatDesk, key: Key, settle: (answer: Answer) => void): void {
  const open = desk.state().question;
  if (open === null) return;
  if (open.word !== null) {
    if (key.name === "escape") desk.set({ question: { ...open, word: null } });
    else if (key.name === "enter") settle({ kind: "reject", word: open.word.text.trim() });
    else {
      const word = editKey(open.word, key);
      if (word !== null) desk.set({ question: { ...open, word } });
    }
    return;
  }
  const choices = questionChoices(open.question);
  const choose = (answer: QuestionChoice["answer"]): void => {
    if (answer === "word") desk.set({ question: { ...open, word: emptyEditor() } });
    else settle(answer === "reject" ? { kind: "reject", word: null } : { kind: answer });
  };
  if (key.name === "up" || key.name === "down" || key.name === "tab") {
    const step = key.name === "up" ? choices.length - 1 : 1;
    desk.set({ question: { ...open, selected: (open.selected + step) % choices.length } });
  } else if (key.name === "enter") choose(choices[open.selected]?.answer ?? "reject");
  else if (key.name === "escape") choose("reject");
  else if (key.name === "text" && !key.ctrl && !key.meta) {
    const found = choices.find(
      (choice, index) => choice.key === key.input.toLowerCase() || String(index + 1) === key.input,
    );
    if (found !== undefined) choose(found.answer);
  }
}
