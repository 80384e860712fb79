import type { FileSystem } from "../../core/file-system.ts";

/** Which places a look at the disk depended on, in the order of the first question. */
export interface Reads {
  /** Folders whose entries were listed. */
  readonly listed: ReadonlySet<string>;
  /** Everything else that was asked for, there or not. */
  readonly asked: ReadonlySet<string>;
  /** Paths that lead through a link, whole or broken. */
  readonly linked: ReadonlySet<string>;
}

/**
 * The same file system, noting every question. What a profile reads is what it depends on, so watching needs no list
 * of folders of its own: settings, stored decisions, roots and skills of every profile are covered by construction.
 */
export function recordReads(fileSystem: FileSystem): {
  readonly fileSystem: FileSystem;
  readonly reads: Reads;
} {
  const listed = new Set<string>();
  const asked = new Set<string>();
  const linked = new Set<string>();
  return {
    reads: { listed, asked, linked },
    fileSystem: {
      readFile(path, options) {
        asked.add(path);
        return fileSystem.readFile(path, options);
      },
      readDirectory(path, options) {
        listed.add(path);
        return fileSystem.readDirectory(path, options);
      },
      realPath(path) {
        asked.add(path);
        const real = fileSystem.realPath(path);
        if (real.kind === "failure" || real.path !== path) linked.add(path);
        return real;
      },
      status(path, options) {
        asked.add(path);
        const status = fileSystem.status(path, options);
        if (status.kind === "link") linked.add(path);
        return status;
      },
      readJson(path) {
        asked.add(path);
        return fileSystem.readJson(path);
      },
    },
  };
}
