import { replace } from "../input/editor.ts";
import type { Key } from "../input/key.ts";
import type { KeyDesk } from "./chat-key.ts";
import { readCommand } from "./commands.ts";

/** A key while a list of completions is open; false = it was not for the list. `enter`: sends the message. */
export function completionKey(desk: KeyDesk, key: Key, enter: () => void): boolean {
  const { completion, editor } = desk.state();
  if (completion === null) return false;
  if (key.name === "up" || key.name === "down") {
    const count = completion.items.length;
    const step = key.name === "down" ? 1 : count - 1;
    desk.set({ completion: { ...completion, selected: (completion.selected + step) % count } });
    return true;
  }
  if (key.name === "tab") return complete(desk);
  if (key.name === "escape") {
    desk.set({ completion: null });
    return true;
  }
  if (key.name !== "enter") return false;
  // A word that is whole already is sent with the message.
  const item = completion.items[completion.selected];
  const typed = editor.text.slice(completion.from, completion.to);
  if (item === undefined || typed === item.insert) return false;
  complete(desk);
  const command = item.tag === "" && item.insert.startsWith("/") && readCommand(item.insert)?.command;
  if (command && command.argument === "" && desk.state().editor.text.trim() === item.insert) enter();
  return true;
}

function complete(desk: KeyDesk): boolean {
  const { completion, editor } = desk.state();
  const item = completion?.items[completion.selected];
  if (completion === null || item === undefined) return false;
  const folder = item.insert.endsWith("/");
  const whole = editor.text.slice(completion.from, completion.to) === item.insert;
  const next = replace(editor, completion, folder ? item.insert : `${item.insert} `);
  if (folder && !whole) desk.edited(next);
  else desk.set({ editor: next, completion: null });
  return true;
}
