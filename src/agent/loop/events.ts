import type { Activator } from "../../core/activation/activation-ledger.ts";
import type { ModelFailure } from "../model/model-error.ts";
import type { Usage } from "../model/model-port.ts";
import type { Judgement } from "../permission/judgement.ts";
import type { PermitRequest, TodoItem, ToolOutcome } from "../tools/tool.ts";

/** A question that only the user can answer. */
export interface Question {
  readonly id: string;
  readonly request: PermitRequest;
  readonly judgement: Judgement;
}

export type Answer =
  | { readonly kind: "once" | "always" }
  /** `word`: what the model is told; without it the turn ends. */
  | { readonly kind: "reject"; readonly word: string | null };

export type TurnEnd =
  | { readonly reason: "done" | "cancelled" | "refused" | "limit" }
  /** "incomplete": an answer came, and it is not whole. */
  | {
      readonly reason: "failed" | "incomplete";
      readonly failure: Pick<ModelFailure, "code" | "message" | "hint">;
    };

/** Everything that a shell shows or prints, in the order in which it happens. */
export type AgentEvent =
  | { readonly type: "user"; readonly text: string; readonly files: readonly string[] }
  | { readonly type: "notice"; readonly text: string; readonly tone: "info" | "warning" }
  | {
      readonly type: "skill-loaded";
      readonly name: string;
      readonly by: Activator | "search" | "compaction";
      readonly why: string;
    }
  | { readonly type: "request" }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  | { readonly type: "tool-start"; readonly name: string }
  /** All text of one answer; what came as pieces is this. */
  | { readonly type: "answer"; readonly text: string }
  /** The pieces so far do not count. */
  | {
      readonly type: "retry";
      readonly attempt: number;
      readonly wait: number;
      readonly failure: ModelFailure;
    }
  | {
      readonly type: "tool-call";
      readonly id: string;
      readonly name: string;
      readonly about: string;
      readonly input: unknown;
    }
  | { readonly type: "tool-progress"; readonly id: string; readonly text: string }
  | {
      readonly type: "tool-result";
      readonly id: string;
      readonly name: string;
      readonly about: string;
      readonly outcome: ToolOutcome;
    }
  | { readonly type: "question"; readonly question: Question }
  | {
      readonly type: "answered";
      readonly question: Question;
      readonly outcome: "once" | "always" | "rejected" | "nobody";
    }
  | { readonly type: "todo"; readonly items: readonly TodoItem[] }
  | { readonly type: "usage"; readonly usage: Usage; readonly contextTokens: number }
  | { readonly type: "epoch"; readonly agent: string; readonly model: string }
  | { readonly type: "compacting" }
  | {
      readonly type: "compacted";
      readonly before: number;
      readonly after: number;
      readonly restored: readonly string[];
    }
  | { readonly type: "turn-end"; readonly end: TurnEnd };
