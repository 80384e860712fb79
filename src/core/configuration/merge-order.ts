import { defaultPrecedence } from "../configuration.ts";
import type { Scope } from "../discovery/root.ts";
import { note, type Settings } from "./read-settings.ts";

/**
 * The whole order of scopes from the ones that a file names: they swap places among the places that they have in the
 * default order, so that what is not named stays where it is. "project" is the workspace.
 */
export function precedenceFrom(words: readonly string[]): readonly Scope[] {
  const named = [...new Set(words.map((word) => (word === "project" ? "workspace" : word)))].filter(isScope);
  const places = defaultPrecedence.flatMap((scope, index) => (named.includes(scope) ? [index] : []));
  const order = [...defaultPrecedence];
  for (const [index, place] of places.entries()) order[place] = named[index] ?? order[place] ?? "builtin";
  return order;
}

function isScope(word: string): word is Scope {
  return (defaultPrecedence as readonly string[]).includes(word);
}

/** Words of `precedence` without "managed", which only the administrator's own file may move. */
export function withoutManaged(settings: Settings, words: readonly string[]): readonly string[] {
  if (!words.includes("managed") || settings.file.layer.name === "managed") return words;
  if (words[0] !== "managed")
    note(settings, "config/not-for-project", {
      path: ["precedence"],
      message: "The scope managed always comes first; only the administrator can move it.",
      hint: "Leave managed out.",
    });
  return words.filter((word) => word !== "managed");
}

/**
 * Whether a project may use this order: its own skills give way, nothing else changes places, and the user has not
 * chosen an order (row H03: a project cannot put itself above what the user put above it).
 */
export function projectMayOrder(order: readonly Scope[], current: readonly Scope[]): boolean {
  const others = (scopes: readonly Scope[]) => scopes.filter((scope) => scope !== "workspace").join();
  return others(order) === others(current) && order.indexOf("workspace") >= current.indexOf("workspace");
}
