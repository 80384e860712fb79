import type { PermissionRule } from "../../core/visibility/permission.ts";
import { defaultRules } from "../permission/agents.ts";
import { judge } from "../permission/judge.ts";
import type { JudgeFacts } from "../permission/judgement.ts";
import type { Permit, PermitRequest } from "../tools/tool.ts";
import type { Answer, Question } from "./events.ts";

export interface DeskParts {
  readonly facts: () => Omit<JudgeFacts, "rules" | "defaults"> & {
    /** The user's rules, without our defaults. */
    readonly own: readonly PermissionRule[];
  };
  /** Null: nobody can be asked, so what would be asked is refused. */
  readonly ask: ((question: Question) => Promise<Answer>) | null;
  /** Stores an answer "always". */
  readonly remember: (permission: string, patterns: readonly string[]) => void;
  /** In a run without a user: what would be asked by a rule is allowed; what always asks is still refused. */
  readonly assumeYes: boolean;
  readonly tell: (event: {
    readonly type: "answered";
    readonly question: Question;
    readonly outcome: "once" | "always" | "rejected" | "nobody";
  }) => void;
}

/** Answers every question of a tool, by rule or by asking. One question at a time. */
export interface PermissionDesk {
  /** `refused`: the user said no without a word; the turn ends. */
  permit(request: PermitRequest, signal: AbortSignal): Promise<Permit & { readonly refused?: boolean }>;
}

export function createPermissionDesk(parts: DeskParts): PermissionDesk {
  let queue: Promise<unknown> = Promise.resolve();
  let count = 0;
  const decide = async (
    request: PermitRequest,
    signal: AbortSignal,
  ): Promise<Permit & { readonly refused?: boolean }> => {
    if (signal.aborted) return { allowed: false, refusal: "[Cancelled by the user.]" };
    const { own, ...facts } = parts.facts();
    const judgement = judge(request.action, {
      ...facts,
      rules: [...defaultRules, ...own],
      defaults: defaultRules.length,
    });
    if (judgement.action === "allow") return { allowed: true };
    if (judgement.action === "deny")
      return {
        allowed: false,
        refusal:
          judgement.reason === null
            ? "A permission rule forbids this. Do not try it in another way; go on without it, or tell the user."
            : `Refused: ${judgement.reason}.`,
      };
    count += 1;
    const question: Question = { id: `q${count}`, request, judgement };
    if (parts.assumeYes && judgement.reason === null) return { allowed: true };
    if (parts.ask === null) {
      parts.tell({ type: "answered", question, outcome: "nobody" });
      const why = judgement.reason === null ? "" : ` (${judgement.reason})`;
      return {
        allowed: false,
        refusal: `The user would have to be asked for this${why}, and nobody can be asked in this run. Go on without it, and say in your answer that it was left out.`,
      };
    }
    const answer = await Promise.race([parts.ask(question), aborted(signal)]);
    if (signal.aborted) return { allowed: false, refusal: "[Cancelled by the user.]" };
    if (answer.kind === "reject") {
      parts.tell({ type: "answered", question, outcome: "rejected" });
      const word = answer.word?.trim() ?? "";
      if (word === "") return { allowed: false, refused: true, refusal: "The user refused this." };
      return { allowed: false, refusal: `The user refused this and says: ${word}` };
    }
    if (answer.kind === "always" && judgement.always.length > 0)
      parts.remember(judgement.permission, judgement.always);
    parts.tell({ type: "answered", question, outcome: answer.kind });
    return { allowed: true };
  };
  return {
    permit(request, signal) {
      const next = queue.then(() => decide(request, signal));
      queue = next.catch(() => undefined);
      return next;
    },
  };
}

/** Settles the question of a turn that is cancelled. */
function aborted(signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve) => {
    const done = (): void => resolve({ kind: "reject", word: null });
    if (signal.aborted) done();
    else signal.addEventListener("abort", done, { once: true });
  });
}
