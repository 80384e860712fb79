import { judgeCommand } from "./judge-command.ts";
import { judgeFile } from "./judge-file.ts";
import { type JudgeFacts, type Judgement, ruled, storable } from "./judgement.ts";

/** What a tool is about to do. */
export type Action =
  | { readonly kind: "read" | "edit"; readonly path: string }
  | { readonly kind: "bash"; readonly command: string }
  | { readonly kind: "fetch"; readonly url: string }
  | { readonly kind: "skill"; readonly name: string }
  | { readonly kind: "other"; readonly permission: string };

/** Decides about one action; pure but for links that are resolved. A `deny` stands above everything. */
export function judge(action: Action, facts: JudgeFacts): Judgement {
  switch (action.kind) {
    case "read":
    case "edit":
      return judgeFile(action.kind, action.path, facts);
    case "bash":
      return judgeCommand(action.command, facts);
    case "fetch":
      return judgeFetch(action.url, facts);
    case "skill":
      return judgePlain("skill", action.name, { facts, always: [action.name] });
    case "other":
      return judgePlain(action.permission, "*", { facts, always: [] });
  }
}

function judgePlain(
  permission: string,
  pattern: string,
  { facts, always }: { readonly facts: JudgeFacts; readonly always: readonly string[] },
): Judgement {
  const { action } = ruled(permission, pattern, facts);
  const lifted =
    action === "ask" && facts.saved.some((one) => one.permission === permission && one.pattern === pattern);
  return {
    action: lifted ? "allow" : action,
    permission,
    patterns: [pattern],
    always: storable(always),
    reason: null,
  };
}

function judgeFetch(url: string, facts: JudgeFacts): Judgement {
  const origin = originOf(url);
  const { action } = ruled("fetch", url, facts);
  const lifted =
    action === "ask" && facts.saved.some((one) => one.permission === "fetch" && one.pattern === origin);
  return {
    action: lifted ? "allow" : action,
    permission: "fetch",
    patterns: [url],
    always: storable(origin === "" ? [] : [origin]),
    reason: null,
  };
}

function originOf(url: string): string {
  try {
    return new URL(url).origin;
  } catch {
    return "";
  }
}
