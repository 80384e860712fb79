import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../../core/environment.ts";
import { gitAccess, gitEnvironment } from "./git-environment.ts";
import { type GitResult, type GitRun, runGit } from "./run-git.ts";

export interface GitLimits {
  /** Bytes of one file; larger ones are not even fetched where the server can leave them out. */
  readonly fileBytes: number;
  /** Bytes that a fetch may put on disk. */
  readonly fetchBytes: number;
  /** Files and folders of a tree. */
  readonly entries: number;
  /** Milliseconds for one command. */
  readonly timeout: number;
}

export const gitLimits: GitLimits = {
  fileBytes: 10 * 1024 * 1024,
  fetchBytes: 512 * 1024 * 1024,
  entries: 200_000,
  timeout: 300_000,
};

export interface GitTreeEntry {
  readonly path: string;
  readonly kind: "file" | "link" | "submodule";
  readonly executable: boolean;
  readonly id: string;
  readonly size: number;
}

export interface GitRepository {
  /** Names of branches and tags with their commits; `HEAD` too. */
  refs(): Promise<GitAnswer<ReadonlyMap<string, string>>>;
  /** Fetches one commit without its history and gives its id. `what`: a full ref name, a commit, or `HEAD`. */
  fetch(what: string): Promise<GitAnswer<string>>;
  /** Every file, link and submodule of a fetched commit. */
  tree(commit: string): Promise<GitAnswer<readonly GitTreeEntry[]>>;
  /** Contents by id. Ids that were too large to come are missing. */
  blobs(ids: readonly string[]): Promise<GitAnswer<ReadonlyMap<string, Uint8Array>>>;
  /** Removes everything that was fetched. */
  close(): void;
}

export type GitAnswer<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "failed"; readonly message: string };

/**
 * A repository that is read without ever being checked out: fetched into an empty one of ours, listed and read object
 * by object. So no hook, filter, attribute, submodule or link of it can act (rows F01 to F06). `url` was understood by
 * `parseSource`; it can't be an option.
 */
export function openGitRepository(
  url: string,
  options: {
    readonly environment: Environment;
    readonly limits?: Partial<GitLimits>;
    readonly signal?: AbortSignal | undefined;
    /** The policy allows this host without encryption. */
    readonly plainHttp?: boolean;
  },
): GitRepository {
  const limits = { ...gitLimits, ...options.limits };
  const folder = mkdtempSync(join(tmpdir(), "skillet-git-"));
  const environment = gitEnvironment(
    options.environment,
    gitAccess(url, options.environment, options.plainHttp),
  );
  const base: GitRun = {
    environment,
    folder,
    signal: options.signal,
    timeout: limits.timeout,
    most: 64 * 1024 * 1024,
  };
  const git = (args: readonly string[], run: Partial<GitRun> = {}) => runGit(args, { ...base, ...run });
  let ready: Promise<GitResult> | null = null;
  const prepared = async (): Promise<GitResult> => {
    ready ??= git(["init", "--quiet", "--bare", "--template=", "--", "."]).then(async (made) =>
      made.kind === "failed" ? made : git(["remote", "add", "--", "origin", url]),
    );
    return ready;
  };
  const fetchOnce = async (what: string, depth: readonly string[]): Promise<GitResult> =>
    git(
      [
        "fetch",
        "--quiet",
        "--no-tags",
        "--no-recurse-submodules",
        ...depth,
        `--filter=blob:limit=${limits.fileBytes}`,
        "--",
        "origin",
        what,
      ],
      {
        watch: () =>
          sizeOf(folder) > limits.fetchBytes ? `it is larger than ${limits.fetchBytes} bytes` : null,
      },
    );
  return {
    async refs() {
      const ready = await prepared();
      if (ready.kind === "failed") return ready;
      const listed = await git(["ls-remote", "--quiet", "--", "origin"], { timeout: 60_000 });
      return listed.kind === "failed" ? listed : { kind: "done", value: parseRefs(listed.output) };
    },
    async fetch(what) {
      const ready = await prepared();
      if (ready.kind === "failed") return ready;
      let fetched = await fetchOnce(what, ["--depth=1"]);
      // Some servers give a commit only by way of a branch.
      if (fetched.kind === "failed" && /^[0-9a-f]{40,64}$/.test(what)) {
        const all = await fetchOnce("+refs/heads/*:refs/heads/*", []);
        const there = all.kind === "done" ? await git(["cat-file", "-e", `${what}^{commit}`]) : all;
        if (there.kind === "done") return { kind: "done", value: what };
        fetched = all.kind === "failed" ? fetched : { kind: "failed", message: `the commit ${what} is gone` };
      }
      if (fetched.kind === "failed") return fetched;
      // What was left out for its size must not be fetched later, one by one, whenever something looks at it.
      for (const key of ["extensions.partialClone", "remote.origin.promisor"]) {
        await git(["config", "--unset-all", key]);
      }
      const found = await git(["rev-parse", "--verify", "--quiet", "FETCH_HEAD^{commit}"]);
      return found.kind === "failed"
        ? { kind: "failed", message: "it names no commit" }
        : { kind: "done", value: found.output.toString("latin1").trim() };
    },
    async tree(commit) {
      const listed = await git(["ls-tree", "-r", "-z", "-l", "--full-tree", commit]);
      if (listed.kind === "failed") return listed;
      const entries = parseTree(listed.output);
      return entries.length > limits.entries
        ? { kind: "failed", message: `it has more than ${limits.entries} files` }
        : { kind: "done", value: entries };
    },
    async blobs(ids) {
      const unique = [...new Set(ids)];
      const read = await git(["cat-file", "--batch"], {
        input: `${unique.join("\n")}\n`,
        most: 256 * 1024 * 1024,
      });
      return read.kind === "failed" ? read : { kind: "done", value: parseBatch(read.output) };
    },
    close: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

function parseRefs(output: Buffer): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of output.toString("utf8").split("\n")) {
    const parts = /^([0-9a-f]{40,64})\t(\S+)$/.exec(line);
    if (parts === null) continue;
    const [, id = "", name = ""] = parts;
    // What an annotated tag points to counts, not the tag itself.
    if (name.endsWith("^{}")) found.set(name.slice(0, -3), id);
    else if (!found.has(name)) found.set(name, id);
  }
  return found;
}

/** A name that is no UTF-8 gets replacement characters, which no path rule lets pass. */
function parseTree(output: Buffer): readonly GitTreeEntry[] {
  return output
    .toString("utf8")
    .split("\0")
    .flatMap((line): readonly GitTreeEntry[] => {
      const parts = /^([0-7]{6}) (\w+) ([0-9a-f]{40,64}) +(\d+|-|BAD)\t([\s\S]+)$/.exec(line);
      if (parts === null) return [];
      const [, mode, , id = "", size, path = ""] = parts;
      const kind = mode === "120000" ? "link" : mode === "160000" ? "submodule" : "file";
      return [{ path, kind, executable: mode === "100755", id, size: Number.parseInt(size ?? "", 10) || 0 }];
    });
}

function parseBatch(output: Buffer): ReadonlyMap<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0x0a, at);
    if (end < 0) break;
    const header = /^([0-9a-f]{40,64}) (?:(blob) (\d+)|missing)$/.exec(output.toString("latin1", at, end));
    if (header === null) break;
    at = end + 1;
    if (header[2] === undefined) continue;
    const size = Number(header[3]);
    found.set(header[1] as string, output.subarray(at, at + size));
    at += size + 1;
  }
  return found;
}

function sizeOf(folder: string): number {
  let size = 0;
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
      if (entry.isFile())
        size += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
    }
  } catch {
    // Git moves its files around meanwhile.
  }
  return size;
}
