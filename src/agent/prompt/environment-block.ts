import { escapeXml } from "../../core/text/escape-xml.ts";
import { printable } from "../../core/text/printable.ts";

export interface PromptFacts {
  /** `provider/id`. */
  readonly model: string;
  readonly cwd: string;
  /** Top of the repository; null = no repository. */
  readonly repository: string | null;
  readonly platform: string;
  /** `2026-05-04`. */
  readonly date: string;
  /** Folders that belong to the task besides the working folder. */
  readonly references: readonly string[];
}

/** The environment layer of the system prompt (feature O21). One line a fact, so that none can pose as another. */
export function environmentBlock(facts: PromptFacts): string {
  const line = (text: string) => escapeXml(printable(text));
  return [
    `You run on the model ${line(facts.model)}.`,
    "<env>",
    `Working folder: ${line(facts.cwd)}`,
    `Worktree: ${line(facts.repository ?? facts.cwd)}`,
    `Git repository: ${facts.repository === null ? "no" : "yes"}`,
    `Platform: ${facts.platform}`,
    `Date: ${facts.date}`,
    "</env>",
    ...(facts.references.length === 0
      ? []
      : ["<references>", ...facts.references.map((path) => `  ${line(path)}`), "</references>"]),
  ].join("\n");
}
