import type { Activation } from "../../core/activation/activation-ledger.ts";
import type { PartOrigin } from "../../core/activation/expand.ts";
import type { AssistantPart, ImagePart } from "../conversation/message.ts";
import type { Usage } from "../model/model-port.ts";
import type { TodoItem, ToolView } from "../tools/tool.ts";

/** The first line of a session's file. */
export interface SessionHead {
  readonly type: "session";
  readonly version: 1;
  readonly id: string;
  /** ISO 8601. */
  readonly created: string;
  readonly cwd: string;
  readonly root: string;
  readonly profile: string;
}

export interface StoredPart {
  readonly text: string;
  /** "piped": what came on stdin with the message. */
  readonly origin: PartOrigin | "notice" | "piped";
}

/** An instruction file as the model knows it; null = it knows that the file says nothing any more. */
export interface ToldFile {
  readonly path: string;
  readonly digest: string | null;
}

/**
 * One line of a session's file. A line is written when it is true and never changed; the conversation is what follows
 * from all of them (`conversationOf`).
 */
export type SessionRecord =
  | SessionHead
  /** From here on this agent and model, with this system prompt. */
  | {
      readonly type: "epoch";
      readonly agent: string;
      readonly model: string;
      readonly key: string;
      readonly system: string;
      /** What the skills' section was made from; see `GuidanceState`. */
      readonly guidance: unknown;
      /** Instruction files in the prompt; absent in sessions of earlier versions. */
      readonly instructions?: readonly ToldFile[];
    }
  /** What the model was told of the skills since, without a new prompt. */
  | { readonly type: "guidance"; readonly state: unknown }
  | {
      readonly type: "user";
      readonly at: string;
      /** As typed. */
      readonly text: string;
      readonly parts: readonly StoredPart[];
      readonly images: readonly ImagePart[];
      /** Files that came along, as named. */
      readonly files: readonly string[];
      /** Instruction files whose change stands among the parts. */
      readonly told?: readonly ToldFile[];
    }
  /** A piece of an answer on its way; what an `assistant` record holds stands above it. */
  | { readonly type: "delta"; readonly text: string }
  /** The pieces so far do not count: the request is made again. */
  | { readonly type: "discard" }
  | {
      readonly type: "assistant";
      readonly model: string;
      readonly parts: readonly AssistantPart[];
      readonly usage: Usage;
    }
  | {
      readonly type: "result";
      readonly id: string;
      readonly name: string;
      readonly about: string;
      readonly output: string;
      readonly failed: boolean;
      readonly summary: string;
      readonly view?: ToolView;
    }
  /** A turn ended before its time. */
  | { readonly type: "cut"; readonly why: "cancelled" | "failed"; readonly message: string }
  | { readonly type: "skill"; readonly activation: Activation; readonly why: string }
  | { readonly type: "todo"; readonly items: readonly TodoItem[] }
  /** Everything before is replaced by this text. */
  | {
      readonly type: "compaction";
      readonly summary: string;
      /** The user's last message, word for word with all that went along, where it is not answered yet. */
      readonly last?: { readonly parts: readonly StoredPart[]; readonly images: readonly ImagePart[] };
      /** Texts of skills that are given again, "" for none. */
      readonly restored: string;
      readonly usage: Usage;
      /** Skills of the ledger that are in the text again. */
      readonly kept: readonly Activation[];
    };
