import type { Environment } from "../../core/environment.ts";
import { SkilletError } from "../../core/error.ts";
import { printable } from "../../core/text/printable.ts";
import type { ArchiveLimits } from "../archive/limits.ts";
import { isJunk } from "../digest/junk.ts";
import {
  type GitAnswer,
  type GitRepository,
  type GitTreeEntry,
  openGitRepository,
} from "../git/git-repository.ts";
import type { Candidate } from "./candidate.ts";
import type { Fetched } from "./fetched-skill.ts";
import { judgeAll } from "./judge-all.ts";
import { inside, skillFolders } from "./skill-folders.ts";
import type { GitSource } from "./source.ts";

export interface FetchGitOptions {
  readonly environment: Environment;
  readonly limits: ArchiveLimits;
  readonly signal?: AbortSignal | undefined;
  readonly plainHttp?: boolean;
  /** This commit instead of what the branch points to now (a lock). */
  readonly revision?: string | null;
}

/** The skills of a repository. Throws `SkilletError` when it cannot be fetched. */
export async function fetchGit(source: GitSource, options: FetchGitOptions): Promise<Fetched> {
  const label = printable(source.text);
  const repository = openGitRepository(source.url, {
    environment: options.environment,
    signal: options.signal,
    plainHttp: options.plainHttp ?? false,
  });
  const done = <T>(answer: GitAnswer<T>): T => {
    if (answer.kind === "done") return answer.value;
    throw fetchError(label, answer.message);
  };
  try {
    const { what, ref, path } = await wanted(source, repository, {
      done,
      revision: options.revision ?? null,
    });
    const commit = done(await repository.fetch(what));
    const entries = done(await repository.tree(commit));
    const candidates = await readCandidates(entries, repository, {
      done,
      path,
      wanted: source.skill,
      limits: options.limits,
      name:
        source.url
          .replace(/\.git$/, "")
          .split(/[/:]/)
          .at(-1) ?? "",
    });
    const judged = judgeAll(candidates, {
      label,
      limits: options.limits,
      links: "resolve",
      wanted: source.skill,
    });
    return { kind: "git", source: source.text, url: source.url, ref, revision: commit, ...judged };
  } finally {
    repository.close();
  }
}

interface Wanted {
  /** For `fetch`. */
  readonly what: string;
  /** For the lock. */
  readonly ref: string | null;
  readonly path: string | null;
}

async function wanted(
  source: GitSource,
  repository: GitRepository,
  { done, revision }: { readonly done: <T>(answer: GitAnswer<T>) => T; readonly revision: string | null },
): Promise<Wanted> {
  const { ref, path, tree } = source;
  if (tree === null) {
    if (revision !== null) return { what: revision, ref, path };
    if (ref === null || /^[0-9a-f]{40}$/.test(ref)) return { what: ref ?? "HEAD", ref, path };
    const refs = done(await repository.refs());
    const full = [`refs/heads/${ref}`, `refs/tags/${ref}`].find((name) => refs.has(name));
    if (full === undefined) throw noRef(source, ref);
    return { what: full, ref, path };
  }
  const refs = done(await repository.refs());
  const segments = tree.split("/");
  // A branch can't be a folder of another branch, so at most one length fits; the longest is looked for first.
  for (let length = segments.length; length > 0; length--) {
    const name = segments.slice(0, length).join("/");
    const full = [`refs/heads/${name}`, `refs/tags/${name}`].find((one) => refs.has(one));
    const commit = length === 1 && /^[0-9a-f]{40}$/.test(name) ? name : undefined;
    const what = full ?? commit;
    if (what === undefined) continue;
    return { what: revision ?? what, ref: name, path: segments.slice(length).join("/") || null };
  }
  throw noRef(source, tree);
}

function noRef(source: GitSource, ref: string): SkilletError {
  return new SkilletError(
    "not-found",
    `${printable(source.text)} has no branch or tag "${printable(ref)}".`,
    {
      hint: "Look at the repository's branches; capitals count.",
    },
  );
}

async function readCandidates(
  entries: readonly GitTreeEntry[],
  repository: GitRepository,
  options: {
    readonly done: <T>(answer: GitAnswer<T>) => T;
    readonly path: string | null;
    readonly wanted: string | null;
    readonly limits: ArchiveLimits;
    readonly name: string;
  },
): Promise<readonly Candidate[]> {
  const below = entries.filter((entry) => inside(options.path ?? "", entry.path) !== null);
  const files = below.filter(({ kind }) => kind === "file").map(({ path }) => path);
  const { outer, inner } = skillFolders(files);
  const named = inner.filter((folder) => folder.split("/").at(-1) === options.wanted);
  const folders = [...outer, ...named];
  const members = new Map<string, GitTreeEntry[]>(folders.map((folder) => [folder, []]));
  for (const entry of below) {
    if (isJunk(entry.path)) continue;
    for (const folder of foldersAbove(entry.path)) members.get(folder)?.push(entry);
  }
  // Only so much is read that a skill within the limits comes whole; the rest is judged by the sizes alone.
  const ids = [...members.values()].flatMap((list) =>
    list.length <= options.limits.entries && total(list) <= options.limits.bytes
      ? list.filter(({ kind }) => kind !== "submodule").map(({ id }) => id)
      : [],
  );
  const blobs = ids.length === 0 ? new Map<string, Uint8Array>() : options.done(await repository.blobs(ids));
  return folders.map((folder) =>
    candidateOf(folder, members.get(folder) ?? [], { blobs, name: options.name }),
  );
}

function candidateOf(
  folder: string,
  entries: readonly GitTreeEntry[],
  { blobs, name }: { readonly blobs: ReadonlyMap<string, Uint8Array>; readonly name: string },
): Candidate {
  const of = (kind: GitTreeEntry["kind"]) => entries.filter((entry) => entry.kind === kind);
  const relative = (path: string) => inside(folder, path) ?? path;
  const content = (id: string) => blobs.get(id) ?? new Uint8Array(0);
  const absent = of("file").find(({ id }) => !blobs.has(id));
  return {
    folder,
    folderName: folder === "" ? name : (folder.split("/").at(-1) ?? ""),
    files: of("file").map(({ path, id, executable }) => ({
      path: relative(path),
      bytes: content(id),
      executable,
    })),
    links: of("link").map(({ path, id }) => ({
      path: relative(path),
      target: Buffer.from(content(id)).toString("utf8"),
    })),
    others: of("submodule").map(({ path }) => relative(path)),
    excess: absent === undefined ? null : `it is too large, or its file ${printable(absent.path)} is`,
  };
}

function total(entries: readonly GitTreeEntry[]): number {
  return entries.reduce((sum, { size }) => sum + size, 0);
}

function foldersAbove(path: string): readonly string[] {
  const found = [""];
  for (let cut = path.indexOf("/"); cut > 0; cut = path.indexOf("/", cut + 1)) found.push(path.slice(0, cut));
  return found;
}

function fetchError(label: string, message: string): SkilletError {
  const reason = printable(message);
  const asks =
    /could not read (?:Username|Password)|Authentication failed|Permission denied|terminal prompts disabled|403|401/i.test(
      reason,
    );
  const moved = /redirect/i.test(reason);
  return new SkilletError("failed", `${label} could not be fetched: ${reason}.`, {
    hint: asks
      ? "If it is private, set GITHUB_TOKEN or git's credential helper (git must work without asking). If not, check the name."
      : moved
        ? "The repository has moved; use its new address."
        : "Check the name and the network.",
  });
}
