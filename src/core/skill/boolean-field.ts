import type { DiagnosticCode } from "../diagnostics/table.ts";
import { editDistance } from "../text/closest-names.ts";
import { printable } from "../text/printable.ts";
import type { ValueNode } from "./frontmatter-node.ts";

export interface BooleanRead {
  readonly value: boolean;
  /** What to tell, or null for a real YAML boolean. */
  readonly code: DiagnosticCode | null;
  readonly message: string;
}

const yes = new Set(["true", "yes", "on", "1", "y", "t", "enabled", "ja", "oui", "si", "是"]);
const no = new Set(["false", "no", "off", "0", "n", "f", "disabled", "none", "nein", "non", "否"]);

/**
 * A flag in any spelling (case p-flag-booleans; field.md B4). What is no boolean fails closed: `closed` is the side on
 * which nothing unwanted runs. For `disable-model-invocation` that is always true. For `user-invocable`, a key that is
 * only ever written to hide a skill, a misspelt true or false counts as the word it resembles and anything else as
 * false.
 */
export function booleanField(node: ValueNode, key: string, closed: boolean): BooleanRead {
  const text = node.kind === "scalar" ? node.text.trim() : "";
  const word = text.toLowerCase();
  if (node.kind === "scalar" && node.style === "plain") {
    if (text === "true" || text === "True" || text === "TRUE")
      return { value: true, code: null, message: "" };
    if (text === "false" || text === "False" || text === "FALSE")
      return { value: false, code: null, message: "" };
  }
  const value = yes.has(word) ? true : no.has(word) ? false : null;
  if (value !== null) {
    const message = `${key} is a boolean given as text (${printable(text)}); it counts as ${value}`;
    return { value, code: "frontmatter/boolean-text", message };
  }
  const shown =
    node.kind === "scalar"
      ? text === ""
        ? "it is empty"
        : `"${printable(text).slice(0, 40)}"`
      : `a ${node.kind}`;
  if (key === "disable-model-invocation") {
    const message = `${key} is not a boolean (${shown}); treated as true, because the flag protects against unwanted runs`;
    return { value: closed, code: "frontmatter/boolean-unclear", message };
  }
  const near =
    word !== "" &&
    editDistance(word, "true", 2) <= 2 &&
    editDistance(word, "true", 2) < editDistance(word, "false", 2);
  const result = near ? true : closed;
  return {
    value: result,
    code: "frontmatter/boolean-unclear",
    message: `${key} is not a boolean (${shown}); treated as ${result}`,
  };
}
