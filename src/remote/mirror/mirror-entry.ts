import { randomUUID } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import type { MirrorCache } from "../../core/remote/remote-source.ts";
import { flushFolder, writeFileAtomic } from "../../host/atomic-write.ts";
import { toPortable } from "../../host/native-path.ts";
import { eachLimited } from "../index/each-limited.ts";
import type { MirrorEntry } from "./mirror-index.ts";

/** Files of one entry that are fetched at once, as with the agents. */
const filesAtOnce = 8;
const left = /\.(?:tmp|old)-[0-9a-f-]{36}$/;
const grace = 24 * 60 * 60 * 1000;

export interface MirrorEntryOptions {
  readonly cache: MirrorCache;
  /** Bytes of an address, or why there are none. */
  readonly fetch: (url: string) => Promise<Uint8Array | Diagnostic>;
}

export interface MirrorEntryResult {
  /** The agent would offer its folder. */
  readonly offered: boolean;
  readonly action: "added" | "updated" | "unchanged" | "failed";
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Brings one entry into the agent's cache by the agent's rules: without a version, or with the one that is there, only
 * missing files come; with another one everything comes anew and replaces the folder as a whole (golden `version_*`). A
 * replacement that was cut off is finished or taken back first. Throws `SkilletError` when the disk refuses.
 */
export async function pullMirrorEntry(
  entry: MirrorEntry,
  options: MirrorEntryOptions,
): Promise<MirrorEntryResult> {
  const { cache } = options;
  restore(entry.root);
  const before = existing(entry.root);
  if (before === "other") {
    const path = toPortable(entry.root);
    const message = `${entry.name}: something else stands in its place: ${path}.`;
    return {
      offered: false,
      action: "failed",
      diagnostics: [makeDiagnostic("remote/entry", { path, message })],
    };
  }
  const { versionFile } = cache;
  const known =
    versionFile === null || entry.version === null ? null : readVersion(join(entry.root, versionFile));
  const fresh = versionFile !== null && entry.version !== null && known !== entry.version;
  const diagnostics: Diagnostic[] = [];
  let changed = false;
  if (fresh) {
    changed = await replaceAll(entry, { ...options, versionFile, diagnostics });
  } else {
    const results = await eachLimited(entry.files, filesAtOnce, ({ path, url }) =>
      fetchInto(entry.root, { path, url, fetch: options.fetch, diagnostics }),
    );
    changed = results.includes("new");
  }
  const main = cache.mainFile === "SKILL.md" ? ["SKILL.md"] : ["SKILL.md", `${entry.name}.md`];
  const offered = main.some((file) => existing(join(entry.root, file)) !== "absent");
  const action = changed
    ? before === "absent"
      ? "added"
      : "updated"
    : diagnostics.length > 0
      ? "failed"
      : "unchanged";
  return { offered, action, diagnostics };
}

async function replaceAll(
  entry: MirrorEntry,
  options: MirrorEntryOptions & { readonly versionFile: string; readonly diagnostics: Diagnostic[] },
): Promise<boolean> {
  const token = randomUUID();
  const staging = `${entry.root}.tmp-${token}`;
  const backup = `${entry.root}.old-${token}`;
  try {
    const results = await eachLimited(entry.files, filesAtOnce, ({ path, url }) =>
      fetchInto(staging, { path, url, fetch: options.fetch, diagnostics: options.diagnostics }),
    );
    if (results.includes("failed")) return false;
    write(join(staging, options.versionFile), entry.version ?? "");
    const held = existing(entry.root) !== "absent";
    if (held) renameSync(entry.root, backup);
    try {
      renameSync(staging, entry.root);
    } catch (error) {
      if (held) renameSync(backup, entry.root);
      throw error;
    }
    flushFolder(dirname(entry.root));
    return true;
  } finally {
    rmSync(staging, { recursive: true, force: true });
    if (existing(entry.root) !== "absent") rmSync(backup, { recursive: true, force: true });
  }
}

async function fetchInto(
  root: string,
  at: {
    readonly path: string;
    readonly url: string;
    readonly fetch: MirrorEntryOptions["fetch"];
    readonly diagnostics: Diagnostic[];
  },
): Promise<"new" | "there" | "failed"> {
  const target = join(root, ...at.path.split("/"));
  const problem = wayProblem(root, target);
  if (problem !== null) {
    const message = `${problem} stands in the way of a file; nothing is written through it.`;
    at.diagnostics.push(makeDiagnostic("remote/entry", { path: problem, message }));
    return "failed";
  }
  if (existing(target) !== "absent") return "there";
  const bytes = await at.fetch(at.url);
  if (!(bytes instanceof Uint8Array)) {
    at.diagnostics.push(bytes);
    return "failed";
  }
  // Another start may have been quicker; what is there stays.
  if (existing(target) !== "absent") return "there";
  write(target, bytes);
  return "new";
}

function write(path: string, data: string | Uint8Array): void {
  writeFileAtomic(toPortable(path), data, { action: "keep a pulled skill" });
}

/** The first thing on the way from `root` to the file's folder that is no folder of its own (a link, a file), or null. */
function wayProblem(root: string, target: string): string | null {
  for (let at = dirname(target); at.length >= root.length; at = dirname(at)) {
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isDirectory()) return toPortable(at);
  }
  return null;
}

function existing(path: string): "absent" | "folder" | "other" {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined ? "absent" : stats.isDirectory() ? "folder" : "other";
}

function readVersion(path: string): string | null {
  try {
    return lstatSync(path).isFile() ? readFileSync(path, "utf8") : null;
  } catch {
    return null;
  }
}

/** After a kill between two renames the old folder comes back; left-overs that nobody can be working on go. */
function restore(root: string): void {
  const folder = dirname(root);
  const prefix = `${basename(root)}.`;
  let names: readonly string[];
  try {
    names = readdirSync(folder)
      .filter((name) => name.startsWith(prefix) && left.test(name))
      .sort();
  } catch {
    return;
  }
  for (const name of names) {
    const path = join(folder, name);
    if (!name.slice(prefix.length).startsWith("old-")) {
      removeOld(path);
      continue;
    }
    if (existing(root) === "absent") renameSync(path, root);
    else removeOld(path);
  }
}

function removeOld(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && Math.abs(Date.now() - stats.mtimeMs) > grace)
    rmSync(path, { recursive: true, force: true });
}
