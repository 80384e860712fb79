import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import {
  differenceBetween,
  isSame,
  type RemovedSkill,
  type SkillsDifference,
  type SkillsView,
} from "../../core/discovery/difference.ts";
import { halfWritten } from "../../core/discovery/half-written.ts";
import type { FileSystem } from "../../core/file-system.ts";
import type { Reads } from "./record-reads.ts";
import type { SkillsWatcher, WatchOptions } from "./skills-watcher.ts";

/** What changed, and the paths whose change led to it (sorted, at most 100; empty for a reload by hand). */
export interface SkillsChange extends SkillsDifference {
  readonly cause: readonly string[];
}

export type ChangeListener = (change: SkillsChange) => void;

/** What a living set of skills is made of. */
export interface LiveParts<S extends SkillsView> {
  readonly fileSystem: FileSystem;
  readonly first: S;
  /** How to watch where the caller does not say. */
  readonly options: WatchOptions;
  /** Looks at the disk through the given file system. */
  survey(fileSystem: FileSystem): S;
  /** Uses this state from now on; true when it differs in anything that answers depend on. */
  adopt(state: S): boolean;
  /** Lets go of a state that is not used. */
  release(state: S): void;
}

export interface LiveState {
  on(listener: ChangeListener): () => void;
  watch(options?: WatchOptions): Promise<void>;
  reload(): boolean;
  /** What became of a name that was there before and is not now; null = it was never there, or is back. */
  departed(name: string): RemovedSkill | null;
  /** What there is to say about watching itself. */
  readonly notices: readonly Diagnostic[];
  close(): void;
}

interface StateLook<S> {
  readonly state: S;
  readonly snapshot: SkillsView["snapshot"];
  readonly reads: Reads;
  readonly unfinished: readonly string[];
}

/** Names that are remembered after they went; the oldest are forgotten first. */
const mostDeparted = 1_000;

/**
 * The moving part of an open set of skills: replaces one state by the next, tells listeners what differs, watches when
 * asked to. A look by hand works the same way with or without a watcher (case w-reload). Feature X7.
 */
export function createLiveState<S extends SkillsView>(parts: LiveParts<S>): LiveState {
  const listeners = new Set<ChangeListener>();
  const departed = new Map<string, RemovedSkill>();
  let watcher: SkillsWatcher<StateLook<S>> | null = null;
  let starting: Promise<void> | null = null;
  let closed = false;
  let notices: readonly Diagnostic[] = [];
  let view: SkillsView = parts.first;

  const publish = (state: S, cause: readonly string[]): boolean => {
    const before = view;
    const changed = parts.adopt(state);
    const { snapshot, entries, diagnostics } = state;
    view = { snapshot, entries, diagnostics: [...diagnostics, ...notices] };
    const difference = differenceBetween(before, view);
    remember(departed, difference);
    if (!isSame(difference)) tell(listeners, { ...difference, cause });
    return changed;
  };
  const notice = (diagnostic: Diagnostic): void => {
    notices = [...notices.filter(({ code }) => code !== diagnostic.code), diagnostic];
  };

  const start = async (options: WatchOptions): Promise<void> => {
    const [{ SkillsWatcher }, { recordReads }, { linkTrails }] = await Promise.all([
      import("./skills-watcher.ts"),
      import("./record-reads.ts"),
      import("./link-trail.ts"),
    ]);
    if (closed) return;
    watcher = new SkillsWatcher<StateLook<S>>(
      {
        look() {
          const { fileSystem, reads } = recordReads(parts.fileSystem);
          const state = parts.survey(fileSystem);
          return { state, snapshot: state.snapshot, reads, unfinished: halfWritten(view, state) };
        },
        publish({ state }, cause) {
          notices = notices.filter(({ code }) => code !== "watch/refresh-failed");
          publish(state, cause);
        },
        discard: ({ state }) => parts.release(state),
        trails: () => linkTrails(parts.fileSystem),
        polling(code) {
          const message = `The system has no watch handles left (${code}); some folders are looked at every few seconds instead.`;
          notice(makeDiagnostic("watch/polling", { path: null, message }));
        },
        failed(error) {
          const reason = error instanceof Error ? error.message : String(error);
          const message = `The skills could not be read again: ${reason}`;
          const diagnostic = makeDiagnostic("watch/refresh-failed", { path: null, message });
          if (notices.some((known) => known.message === message)) return;
          notice(diagnostic);
          view = { ...view, diagnostics: [...view.diagnostics, diagnostic] };
          tell(listeners, { ...nothing, diagnosticsAdded: [diagnostic], cause: [] });
        },
      },
      { ...parts.options, ...options },
    );
    watcher.start();
  };
  const watch = (options: WatchOptions = {}): Promise<void> => {
    if (closed) return Promise.resolve();
    starting ??= start(options);
    return starting;
  };

  return {
    on(listener) {
      // A listener that is given twice is told twice, and each is taken back alone.
      const own: ChangeListener = (change) => listener(change);
      listeners.add(own);
      void watch();
      return () => void listeners.delete(own);
    },
    watch,
    reload() {
      if (watcher === null) return publish(parts.survey(parts.fileSystem), []);
      return watcher.now((look, cause) => publish(look.state, cause));
    },
    departed: (name) => departed.get(name) ?? null,
    get notices() {
      return notices;
    },
    close() {
      closed = true;
      listeners.clear();
      watcher?.close();
      watcher = null;
    },
  };
}

const nothing: SkillsDifference = {
  added: [],
  removed: [],
  changed: [],
  winnerChanged: [],
  shadowed: [],
  diagnosticsAdded: [],
  diagnosticsRemoved: [],
};

function remember(departed: Map<string, RemovedSkill>, { added, removed }: SkillsDifference): void {
  for (const { name } of added) departed.delete(name);
  for (const skill of removed) departed.set(skill.name, skill);
  for (const name of departed.keys()) {
    if (departed.size <= mostDeparted) break;
    departed.delete(name);
  }
}

/** A listener that throws costs the others nothing; what it threw is a warning of the process. */
function tell(listeners: ReadonlySet<ChangeListener>, change: SkillsChange): void {
  for (const listener of [...listeners]) {
    if (!listeners.has(listener)) continue;
    try {
      listener(change);
    } catch (error) {
      process.emitWarning(error instanceof Error ? error : String(error));
    }
  }
}
