import type { Snapshot } from "../../core/snapshot.ts";
import { createDebounce, type Debounce } from "./debounce.ts";
import { FolderPoll } from "./folder-poll.ts";
import { FolderWatches } from "./folder-watches.ts";
import type { Reads } from "./record-reads.ts";
import { type Interest, type Interests, planWatches } from "./watch-plan.ts";
import { nodeWatchSystem, type WatchSystem } from "./watch-system.ts";

/** One look at the disk and what it depended on. */
export interface Look {
  readonly reads: Reads;
  readonly snapshot: Snapshot;
  /** Files that look as if somebody were still writing them. */
  readonly unfinished: readonly string[];
}

/** What a watcher needs of the set of skills that it serves. */
export interface Watched<L extends Look> {
  look(): L;
  /** The look takes the place of the current state. `cause`: paths that were reported, sorted. */
  publish(look: L, cause: readonly string[]): void;
  /** The look is not used. */
  discard(look: L): void;
  /** Every place that leads through links; see `linkTrails`. */
  trails(): (path: string) => readonly string[];
  /** Handles ran out, with the system's code; said once. */
  polling(code: string): void;
  /** A look threw. */
  failed(error: unknown): void;
}

export interface WatchTimes {
  /** Milliseconds without a report before the disk is looked at; default 200. */
  readonly quiet?: number;
  /** Milliseconds after the first report when it is looked at in any case; default 1,000. */
  readonly most?: number;
  /** Milliseconds between two looks where polling takes the place of watching; default 1,500. */
  readonly poll?: number;
  /** Milliseconds that a half-written file is waited for; default 1,500. */
  readonly patience?: number;
}

export interface WatchOptions extends WatchTimes {
  /** Never ask the system for handles: network disks and some containers report nothing. Default false. */
  readonly polling?: boolean;
  /** Keeps the process alive until `close`. Default false. */
  readonly persistent?: boolean;
  /** Handles at most; folders beyond are polled. Default 4,096. */
  readonly handles?: number;
  /** Takes the place of the system's own watching. */
  readonly system?: WatchSystem;
}

/** Causes that are named; a burst of thousands is told by its first ones. */
const namedCauses = 100;

/** So many reports in one go can have pushed others out of the system's queue: then everything is looked at. */
const manyReports = 4_096;

/** Looks that follow one another because the looking itself opened new handles. */
const mostRounds = 4;

/**
 * Keeps a set of skills up to date: waits for reports, looks again, and hands on what it saw. The state before stays in
 * use until the new one is whole. Order at every look: first look, then watch what the look depended on, then look
 * again if handles were opened, so that nothing falls between. Feature X7; rows I01–I08.
 */
export class SkillsWatcher<L extends Look> {
  readonly #watched: Watched<L>;
  readonly #patience: number;
  readonly #watches: FolderWatches | null;
  readonly #poll: FolderPoll;
  readonly #debounce: Debounce;
  readonly #system: WatchSystem;
  #causes = new Set<string>();
  #reports = 0;
  #unfinishedSince: number | null = null;
  #told = false;
  #closed = false;
  #refreshes = 0;

  constructor(watched: Watched<L>, options: WatchOptions = {}) {
    const { system = nodeWatchSystem, persistent = false, quiet = 200 } = options;
    this.#watched = watched;
    this.#system = system;
    this.#patience = options.patience ?? 1_500;
    this.#debounce = createDebounce({
      quiet,
      most: options.most ?? 1_000,
      persistent,
      now: system.now,
      work: () => this.#refresh(),
    });
    const onChange = (path: string | null): void => this.#changed(path);
    this.#watches =
      options.polling === true
        ? null
        : new FolderWatches({
            system,
            limit: options.handles ?? 4_096,
            persistent,
            onChange,
            onReport: () => this.#reported(),
          });
    this.#poll = new FolderPoll({ system, every: options.poll ?? 1_500, persistent, onChange });
  }

  /** Open handles, polled paths, and looks so far. */
  get counts(): { readonly handles: number; readonly polled: number; readonly refreshes: number } {
    return { handles: this.#watches?.size ?? 0, polled: this.#poll.size, refreshes: this.#refreshes };
  }

  /** Looks, watches, and publishes what happened since the state that is in use. */
  start(): void {
    if (!this.#closed) this.#refresh();
  }

  /** A look by hand: everything is taken as it is, without waiting for files that are being written. */
  now<T>(publish: (look: L, cause: readonly string[]) => T): T {
    const look = this.#watched.look();
    this.#unfinishedSince = null;
    if (!this.#closed && this.#arm(look) > 0) this.#debounce.call();
    return publish(look, this.#takeCauses());
  }

  close(): void {
    this.#closed = true;
    this.#debounce.cancel();
    this.#watches?.close();
    this.#poll.close();
    this.#causes.clear();
  }

  #takeCauses(): readonly string[] {
    const causes = [...this.#causes].sort();
    this.#causes = new Set();
    return causes;
  }

  #changed(path: string | null): void {
    if (this.#closed) return;
    if (path !== null && this.#causes.size < namedCauses) this.#causes.add(path);
    this.#debounce.call();
  }

  #reported(): void {
    this.#reports += 1;
    if (this.#reports === manyReports) this.#changed(null);
  }

  #refresh(): void {
    if (this.#closed) return;
    this.#reports = 0;
    let look: L | null = null;
    try {
      for (let round = 0; round < mostRounds; round += 1) {
        if (look !== null) this.#watched.discard(look);
        look = null;
        this.#refreshes += 1;
        look = this.#watched.look();
        if (this.#arm(look) === 0) break;
      }
    } catch (error) {
      this.#watched.failed(error);
      return;
    }
    if (look === null) return;
    if (this.#waitsFor(look)) {
      this.#watched.discard(look);
      this.#debounce.call();
      return;
    }
    this.#unfinishedSince = null;
    this.#watched.publish(look, this.#takeCauses());
  }

  /** A file that somebody is writing gets a moment before it counts as broken (row I02). */
  #waitsFor(look: L): boolean {
    if (look.unfinished.length === 0) return false;
    this.#unfinishedSince ??= this.#system.now();
    return this.#system.now() - this.#unfinishedSince < this.#patience;
  }

  /** Returns how many places are watched that were not before. */
  #arm(look: L): number {
    const plan = planWatches(look.reads, look.snapshot, this.#watched.trails());
    if (this.#watches === null) return this.#poll.set(both(plan.watched, plan.polled));
    const { rest, opened, failure } = this.#watches.arm(plan.watched);
    if (failure !== null) this.#tell(failure);
    return opened + this.#poll.set(both(rest, plan.polled));
  }

  #tell(code: string): void {
    if (this.#told) return;
    this.#told = true;
    this.#watched.polling(code);
  }
}

function both(first: Interests, second: Interests): Interests {
  return second.size === 0 ? first : new Map<string, Interest>([...first, ...second]);
}
