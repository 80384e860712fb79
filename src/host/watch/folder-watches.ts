import { basename, join } from "../../core/path.ts";
import { type Interest, type Interests, nameKey } from "./watch-plan.ts";
import { codeOf, type FolderHandle, type WatchSystem } from "./watch-system.ts";

export interface FolderWatchesOptions {
  readonly system: WatchSystem;
  /** Handles at most. */
  readonly limit: number;
  readonly persistent: boolean;
  /** Something that matters changed; null = the system did not say what. */
  readonly onChange: (path: string | null) => void;
  /** Any report at all, also one that does not matter. */
  readonly onReport: () => void;
}

export interface Armed {
  /** Folders without a handle. */
  readonly rest: Interests;
  /** Handles that were opened just now: what happened before is only known by looking again. */
  readonly opened: number;
  /** The system's code when it has no more handles to give; else null. */
  readonly failure: string | null;
}

interface Watch {
  readonly handle: FolderHandle;
  /** By path: a folder may be reached by several. */
  interests: Map<string, Interest>;
  /** The folder itself was removed or moved, or the system gave the watch up. */
  stale: boolean;
}

/** No handles left (in the process, in the system), or nothing of the kind is there. */
const exhausted = new Set([
  ...["EMFILE", "ENFILE", "ENOSPC", "ENOMEM"],
  ...["ENOSYS", "EOPNOTSUPP", "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM"],
]);

/** Handles on folders, one a real folder however many paths lead to it. */
export class FolderWatches {
  readonly #options: FolderWatchesOptions;
  #watches = new Map<string, Watch>();
  #failure: string | null = null;

  constructor(options: FolderWatchesOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#watches.size;
  }

  /** Watches exactly these folders from now on: closes what is left over, keeps what still fits, opens the rest. */
  arm(wanted: Interests): Armed {
    const { system, limit } = this.#options;
    const byFolder = new Map<string, Map<string, Interest>>();
    for (const [path, interest] of wanted) {
      const stamp = system.stamp(path, { follow: true });
      if (stamp === null || !stamp.folder) continue;
      const paths = byFolder.get(stamp.identity);
      if (paths === undefined) byFolder.set(stamp.identity, new Map([[path, interest]]));
      else paths.set(path, interest);
    }
    for (const [identity, watch] of this.#watches) {
      const interests = byFolder.get(identity);
      if (interests === undefined || watch.stale) this.#drop(identity, watch);
      else watch.interests = interests;
    }
    const rest = new Map<string, Interest>();
    let opened = 0;
    for (const [identity, interests] of byFolder) {
      if (this.#watches.has(identity)) continue;
      const [path = ""] = interests.keys();
      if (this.#watches.size < limit && this.#failure === null && this.#open(path, identity, interests))
        opened += 1;
      else for (const [one, interest] of interests) rest.set(one, interest);
    }
    return { rest, opened, failure: this.#failure };
  }

  close(): void {
    for (const [identity, watch] of this.#watches) this.#drop(identity, watch);
  }

  #open(path: string, identity: string, interests: Map<string, Interest>): boolean {
    const { system, persistent } = this.#options;
    try {
      const listener = {
        event: (name: string | null) => this.#report(identity, watch, { path, name }),
        error: (code: string) => {
          if (exhausted.has(code)) this.#failure = code;
          this.#lose(identity, watch, path);
        },
      };
      const watch: Watch = { handle: system.watch(path, { persistent }, listener), interests, stale: false };
      this.#watches.set(identity, watch);
      return true;
    } catch (error) {
      const code = codeOf(error);
      if (exhausted.has(code)) this.#failure = code;
      return false;
    }
  }

  #report(
    identity: string,
    watch: Watch,
    { path, name }: { readonly path: string; readonly name: string | null },
  ): void {
    if (this.#watches.get(identity) !== watch) return;
    this.#options.onReport();
    if (name === null) {
      this.#options.onChange(null);
      return;
    }
    const key = nameKey(name);
    // A folder's end is reported by its own name, and after that nothing more comes.
    const own = key === nameKey(basename(path));
    if (own) watch.stale = true;
    for (const [folder, interest] of watch.interests) {
      if (!interest.all && !interest.names.has(key)) continue;
      this.#options.onChange(join(folder, name));
      return;
    }
    if (own) this.#options.onChange(path);
  }

  #lose(identity: string, watch: Watch, path: string): void {
    if (this.#watches.get(identity) !== watch) return;
    this.#drop(identity, watch);
    this.#options.onChange(path);
  }

  #drop(identity: string, watch: Watch): void {
    this.#watches.delete(identity);
    watch.handle.close();
  }
}
