import { lstatSync, type Stats, statSync, watch } from "node:fs";
import { toNative } from "../native-path.ts";

/** A watch on one folder. */
export interface FolderHandle {
  close(): void;
}

export interface FolderListener {
  /** Name of the entry; null when the system does not say. */
  event(name: string | null): void;
  error(code: string): void;
}

/** What an observer needs to know of a path to see that it changed. */
export interface Stamp {
  /** Same folder or file, not only the same name. */
  readonly identity: string;
  /** Identity, size and times. */
  readonly state: string;
  readonly folder: boolean;
}

/** The system's side of watching; tests put another one in its place. */
export interface WatchSystem {
  /** Watches one folder, not what lies below it. Throws the system's error, e.g. ENOSPC. */
  watch(folder: string, options: { readonly persistent: boolean }, listener: FolderListener): FolderHandle;
  /** Null when there is nothing at that path. `follow` = what a link leads to. */
  stamp(path: string, options: { readonly follow: boolean }): Stamp | null;
  /** Milliseconds, only ever compared. */
  now(): number;
}

const ifAny = { throwIfNoEntry: false } as const;

export const nodeWatchSystem: WatchSystem = {
  watch(folder, { persistent }, listener) {
    const watcher = watch(toNative(folder), { persistent, recursive: false, encoding: "utf8" });
    watcher.on("change", (_kind, name) => listener.event(typeof name === "string" ? name : null));
    watcher.on("error", (error) => listener.error(codeOf(error)));
    return { close: () => watcher.close() };
  },
  stamp(path, { follow }) {
    try {
      const stats = follow ? statSync(toNative(path), ifAny) : lstatSync(toNative(path), ifAny);
      return stats === undefined ? null : stampOf(stats);
    } catch {
      return null;
    }
  },
  now: () => performance.now(),
};

/** The system's error code; `EIO` for an error without one. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "EIO";
}

function stampOf(stats: Stats): Stamp {
  const folder = stats.isDirectory();
  // A new folder may get the number of the one that was removed; its birth tells them apart.
  const identity = `${stats.dev}:${stats.ino}${folder ? `:${stats.birthtimeMs}` : ""}`;
  const state = `${identity}:${stats.mtimeMs}${folder ? "" : `:${stats.size}:${stats.ctimeMs}`}`;
  return { identity, state, folder };
}
