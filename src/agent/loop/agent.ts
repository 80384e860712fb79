import { systemReminder } from "../../core/activation/expand.ts";
import { findRepository, projectFolders } from "../../core/discovery/repository.ts";
import type { Environment } from "../../core/environment.ts";
import { dataFolder } from "../../core/places.ts";
import type { PermissionRule } from "../../core/visibility/permission.ts";
import { approvedRules } from "../../core/visibility/stored-state.ts";
import { approvalFolder, approveAlways, revokeApproval } from "../../host/approve-always.ts";
import { createFileSystem } from "../../host/node-file-system.ts";
import type { Skills } from "../../host/skills.ts";
import { readState } from "../../host/state.ts";
import { type ModelChoice, modelName } from "../model/model-choice.ts";
import type { ModelPort, ToolForm, Usage } from "../model/model-port.ts";
import { agentKind } from "../permission/agents.ts";
import { type Workspace, workspaceOf } from "../permission/workspace.ts";
import { type Conversation, conversationOf } from "../session/conversation-of.ts";
import type { SessionFile } from "../session/session-file.ts";
import { createFileMemory } from "../tools/file-memory.ts";
import type { TodoItem } from "../tools/tool.ts";
import { compactSession } from "./compact-session.ts";
import { describeChange } from "./describe-change.ts";
import type { AgentEvent, Answer, Question, TurnEnd } from "./events.ts";
import { createPermissionDesk } from "./permission-desk.ts";
import { createSkillDesk } from "./skill-desk.ts";
import { roughTokens } from "./summarize.ts";
import { takeTurn } from "./turn.ts";
import { turnBoundary } from "./turn-boundary.ts";
import { userMessage } from "./user-message.ts";

export interface AgentOptions {
  /** Opens the skills as one agent sees them. `touched` grows while files are used. */
  openSkills(agent: string, touched: readonly string[]): Skills;
  readonly file: SessionFile;
  readonly agent: string;
  readonly model: ModelChoice;
  connect(choice: ModelChoice): ModelPort;
  /** Null: nobody can be asked. */
  readonly ask: ((question: Question) => Promise<Answer>) | null;
  readonly assumeYes: boolean;
  /** JSON Schema of the last answer; null = none. */
  readonly schema: unknown;
  /** Variables that commands must not get: keys of models. */
  readonly secretVariables: readonly string[];
  now(): Date;
  /** Looks at the skills' folders all the time and tells of changes. */
  readonly watch: boolean;
}

export interface AgentStatus {
  readonly agent: string;
  readonly model: ModelChoice;
  /** Tokens that the next request takes in, about. */
  readonly contextTokens: number;
  readonly usage: Usage;
  readonly todo: readonly TodoItem[];
  /** Skills whose text the conversation holds. */
  readonly skills: readonly string[];
  readonly busy: boolean;
}

/** One conversation with one model at a time. Everything that happens is told by events. */
export interface Agent {
  readonly skills: Skills;
  readonly workspace: Workspace;
  readonly status: AgentStatus;
  /** Sends a message and works until the turn ends. Never rejects but for defects and a disk that refuses. */
  submit(text: string, options?: SubmitOptions): Promise<TurnEnd>;
  /** Stops the turn that runs. */
  cancel(): void;
  /** From the next message on; an agent switch begins a new epoch. */
  switchTo(to: { readonly agent?: string; readonly model?: ModelChoice }): void;
  compact(): Promise<TurnEnd>;
  /** Does something that changes the skills, and looks at them again; what the user did by itself is not announced. */
  quietly<T>(work: () => T): T;
  /** Answers "always" of this project. */
  approvals(): readonly PermissionRule[];
  /** Takes one of them back. */
  revoke(approval: PermissionRule): void;
  on(listener: (event: AgentEvent) => void): () => void;
  close(): void;
}

export interface SubmitOptions {
  /** Files that go with it, besides those that it names with `@`. */
  readonly files?: readonly string[];
  /** False: an `@` in the text names no file, because nobody typed it. */
  readonly mentions?: boolean;
  /** Text that goes along as it is; it names no files and no skills. */
  readonly piped?: string;
  readonly preload?: readonly string[];
}

/** What the parts of a turn share. */
export interface Workbench {
  readonly options: AgentOptions;
  readonly workspace: Workspace;
  readonly repository: string | null;
  readonly environment: Environment;
  readonly levels: readonly string[];
  readonly files: ReturnType<typeof createFileMemory>;
  readonly desk: ReturnType<typeof createSkillDesk>;
  readonly permissions: ReturnType<typeof createPermissionDesk>;
  readonly touched: string[];
  /** What was said already in this process of changed files. */
  readonly announced: Set<string>;
  skills(): Skills;
  agent(): string;
  model(): ModelChoice;
  port(): ModelPort;
  conversation(): Conversation;
  emit(event: AgentEvent): void;
}

/** A request's unchanging beginning. */
export interface Prefix {
  readonly system: string;
  readonly forms: readonly ToolForm[];
}

/** Opens an agent over a session, new or resumed. Nothing is sent before the first message. */
export function openAgent(options: AgentOptions): Agent {
  const { file } = options;
  const listeners = new Set<(event: AgentEvent) => void>();
  const emit = (event: AgentEvent): void => {
    for (const listener of [...listeners]) listener(event);
  };
  const fileSystem = createFileSystem();
  const touched: string[] = [];
  let agent = options.agent;
  let model = options.model;
  let port = options.connect(model);
  let skills = options.openSkills(agent, touched);
  let controller: AbortController | null = null;
  let unwatch: (() => void) | null = null;
  let quiet = false;
  const watch = (): void => {
    unwatch?.();
    unwatch = options.watch
      ? skills.on("change", (change) => {
          if (quiet) return;
          for (const text of describeChange(change)) emit({ type: "notice", text, tone: "info" });
        })
      : null;
  };
  watch();
  const { environment } = skills;
  const repository = findRepository(fileSystem, environment.cwd);
  const folder = approvalFolder(repository, environment);
  const workspace = workspaceOf(environment, folder, fileSystem);
  const conversation = (): Conversation => conversationOf(file.records, modelName(model));

  const approvals = (): readonly PermissionRule[] =>
    approvedRules(readState(dataFolder(environment)).value, skills.profile.id, folder);
  const permissions = createPermissionDesk({
    facts: () => ({
      workspace,
      own: skills.preparation.permission,
      limits: agentKind(agent).limits,
      onlyLooks: agentKind(agent).onlyLooks,
      shell: environment.platform !== "win32",
      saved: approvals(),
      readable: skills.entries.flatMap(({ skill, hidden, permission }) =>
        skill.directory === null || hidden !== null || permission === "deny"
          ? []
          : [workspace.real(skill.directory)],
      ),
    }),
    ask:
      options.ask === null
        ? null
        : (question) => {
            emit({ type: "question", question });
            return options.ask?.(question) ?? Promise.resolve({ kind: "reject", word: null });
          },
    assumeYes: options.assumeYes,
    remember: (permission, always) => {
      approveAlways(environment, { profile: skills.profile.id, folder, permission, always });
      if (permission === "skill") skills.reload();
    },
    tell: emit,
  });
  const desk = createSkillDesk({
    skills: () => skills,
    ledger: () => conversation().ledger,
    record(activation, why) {
      file.append({ type: "skill", activation, why });
      if (activation.given === "text")
        emit({ type: "skill-loaded", name: activation.name, by: activation.by, why });
    },
    allow: async (name) => {
      const signal = controller?.signal ?? new AbortController().signal;
      const title = `load the skill ${name}`;
      return (await permissions.permit({ action: { kind: "skill", name }, title }, signal)).allowed;
    },
  });
  const bench: Workbench = {
    options,
    workspace,
    repository: repository?.root ?? null,
    environment,
    levels: repository === null ? [environment.cwd] : projectFolders(environment, repository),
    files: createFileMemory(),
    desk,
    permissions,
    touched,
    announced: new Set(),
    skills: () => skills,
    agent: () => agent,
    model: () => model,
    port: () => port,
    conversation,
    emit,
  };

  const during = async (work: (signal: AbortSignal) => Promise<TurnEnd>): Promise<TurnEnd> => {
    if (controller !== null) throw new Error("The agent is at work already.");
    controller = new AbortController();
    try {
      const end = await work(controller.signal);
      emit({ type: "turn-end", end });
      return end;
    } finally {
      controller = null;
    }
  };

  return {
    get skills() {
      return skills;
    },
    workspace,
    get status() {
      const now = conversation();
      return {
        agent,
        model,
        // Nothing is counted yet behind a compaction.
        contextTokens: now.contextTokens > 0 ? now.contextTokens : roughTokens(now.messages),
        usage: now.usage,
        todo: now.todo,
        skills: desk.given().map(({ name }) => name),
        busy: controller !== null,
      };
    },
    submit: (text, submitted = {}) =>
      during(async (signal) => {
        const prefix = turnBoundary(bench);
        const message = await userMessage(bench, text, {
          ...submitted,
          notices: prefix.notices.map(systemReminder),
          told: prefix.told,
        });
        file.append(message.record);
        emit({ type: "user", text, files: message.record.files });
        for (const problem of message.problems) emit({ type: "notice", text: problem, tone: "warning" });
        desk.expanded(message.expansion);
        return takeTurn(bench, prefix, signal);
      }),
    cancel: () => controller?.abort(),
    switchTo(to) {
      if (to.model !== undefined) {
        model = to.model;
        port = options.connect(model);
      }
      if (to.agent !== undefined && to.agent !== agent) {
        const next = options.openSkills(to.agent, touched);
        skills.close();
        skills = next;
        agent = to.agent;
        watch();
      }
    },
    compact: () =>
      during(async (signal) => {
        if (conversation().messages.length === 0) return { reason: "done" };
        return compactSession(bench, turnBoundary(bench), { signal, keepLast: false });
      }),
    quietly(work) {
      quiet = true;
      try {
        return work();
      } finally {
        quiet = false;
      }
    },
    approvals,
    revoke({ permission, pattern }) {
      revokeApproval(environment, { profile: skills.profile.id, folder, permission, pattern });
      if (permission === "skill") skills.reload();
    },
    on(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      controller?.abort();
      unwatch?.();
      listeners.clear();
      skills.close();
      file.close();
    },
  };
}
