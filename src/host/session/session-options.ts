import { checkOptions, type OptionKinds } from "../../core/check-options.ts";
import { SkilletError } from "../../core/error.ts";
import type { Session, SessionLoadOptions, SessionOptions } from "./session.ts";

const session: OptionKinds<SessionOptions> = {
  limits: "object",
  commands: ["off", "ask", "allow"],
  allowCommands: "function",
  commandTimeout: "time",
  resume: "anything",
};

const load: OptionKinds<SessionLoadOptions> = {
  arguments: "text",
  by: ["model", "user"],
  approved: "flag",
  again: "flag",
  signal: "object",
};

const note: OptionKinds<Parameters<Session["note"]>[1]> = {
  by: ["model", "user", "attachment", "preload"],
  text: "text",
  arguments: "text",
};

/** Throws `SkilletError` "usage" for what `openSession` does not take. */
export function checkSession(options: SessionOptions): void {
  checkOptions("openSession", options, session);
  checkOptions("openSession's limits", options.limits ?? undefined, {
    skillTokens: "number",
    totalTokens: "number",
  });
}

/** The same for `session.load`. */
export function checkLoad(options: SessionLoadOptions): void {
  checkOptions("session.load", options, load);
}

/** The same for `session.note`, which needs to know who and what. */
export function checkNote(given: Parameters<Session["note"]>[1]): void {
  checkOptions("session.note", given, note);
  for (const name of ["by", "text"] as const)
    if (given?.[name] === undefined || given[name] === null)
      throw new SkilletError("usage", `session.note needs the option "${name}".`);
}
