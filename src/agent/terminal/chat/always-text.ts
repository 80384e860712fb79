import { rememberedText } from "../../permission/command-memory.ts";
import type { Judgement } from "../../permission/judgement.ts";

/** What an answer "always" covers, for people. */
export function alwaysText({ permission, always }: Pick<Judgement, "permission" | "always">): string {
  if (permission === "edit") return "changes inside this folder";
  if (permission === "bash") return always.map(rememberedText).join(", ");
  return `${permission} ${always.join(", ")}`;
}
