import { join } from "../../core/path.ts";
import type { Interests } from "./watch-plan.ts";
import type { WatchSystem } from "./watch-system.ts";

export interface FolderPollOptions {
  readonly system: WatchSystem;
  /** Milliseconds between two looks, when looking costs next to nothing. */
  readonly every: number;
  readonly persistent: boolean;
  readonly onChange: (path: string) => void;
}

/** A look may take a twentieth of the time at most, however many paths there are. */
const restAfterWork = 20;

/** Looks at paths from time to time and says which ones are not what they were. */
export class FolderPoll {
  readonly #options: FolderPollOptions;
  #states = new Map<string, string>();
  #paths = new Map<string, boolean>();
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(options: FolderPollOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#paths.size;
  }

  /** Looks after exactly these from now on. Returns how many are new: what happened to them before is not known. */
  set(interests: Interests): number {
    const paths = new Map<string, boolean>();
    for (const [folder, { all, names }] of interests) {
      // Entries that come and go change the folder's own time.
      paths.set(folder, all || paths.get(folder) === true);
      for (const name of names.values()) {
        const path = join(folder, name);
        if (!paths.has(path)) paths.set(path, false);
      }
    }
    let fresh = 0;
    const states = new Map<string, string>();
    for (const [path, listed] of paths) {
      const known = this.#paths.get(path) === listed ? this.#states.get(path) : undefined;
      if (known === undefined) fresh += 1;
      states.set(path, known ?? this.#look(path, listed));
    }
    this.#paths = paths;
    this.#states = states;
    if (paths.size > 0) this.#wait(0);
    else this.#stop();
    return fresh;
  }

  close(): void {
    this.#closed = true;
    this.#stop();
  }

  #wait(lastTook: number): void {
    if (this.#timer !== null || this.#closed) return;
    const { every, persistent } = this.#options;
    this.#timer = setTimeout(() => this.#tick(), Math.max(every, lastTook * restAfterWork));
    if (!persistent) this.#timer.unref();
  }

  #tick(): void {
    this.#timer = null;
    const { system, onChange } = this.#options;
    const began = system.now();
    const changed: string[] = [];
    for (const [path, listed] of this.#paths) {
      const state = this.#look(path, listed);
      if (state === this.#states.get(path)) continue;
      this.#states.set(path, state);
      changed.push(path);
    }
    this.#wait(system.now() - began);
    for (const path of changed) onChange(path);
  }

  #look(path: string, listed: boolean): string {
    const stamp = this.#options.system.stamp(path, { follow: listed });
    if (stamp === null) return "";
    // A folder that only leads somewhere counts by being there, not by what happens in it.
    return stamp.folder && !listed ? stamp.identity : stamp.state;
  }

  #stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
