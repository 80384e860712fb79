import type { Decision } from "../decision.ts";
import type { FileSystem, TextCodec } from "../file-system.ts";
import { join } from "../path.ts";
import { printable } from "../text/printable.ts";
import { baseOf, mirrorFolder, readMirrorNote } from "./mirror-notes.ts";
import { showSource } from "./pulled-roots.ts";
import type { MirrorCache, RemoteSource } from "./remote-source.ts";

export interface MirrorFolders {
  /** Folders to search, in the order of addresses and entries. */
  readonly folders: readonly { readonly path: string; readonly from: string }[];
  readonly decisions: readonly Decision[];
}

/** Names that the agent gives folders while it replaces one. */
const passing = /\.(?:tmp|old)-[0-9a-f-]{36}$/;
const listed = 10_000;

/**
 * What a mirrored agent's cache offers for the configured addresses: the entries of the last pull, and where Skillet never
 * pulled, everything that the agent itself left there. Never asks the network.
 */
export function mirrorFolders(
  cache: MirrorCache,
  sources: readonly RemoteSource[],
  host: { readonly fileSystem: FileSystem; readonly codec: TextCodec },
): MirrorFolders {
  const folders: { path: string; from: string }[] = [];
  const decisions: Decision[] = [];
  const say = (outcome: Decision["outcome"], reason: string, path: string, message: string): void => {
    decisions.push({ stage: "root", outcome, reason, path, message });
  };
  let whole = false;
  for (const source of sources) {
    const base = baseOf(source.address);
    const from = showSource(source);
    const folder = mirrorFolder(cache, base, host.codec);
    const note = readMirrorNote(cache, base, host);
    if (note !== null) {
      for (const name of note.folders) folders.push({ path: join(folder, name), from });
      if (note.failed !== null)
        say(
          "missing",
          "index-failed",
          from,
          `The last pull could not use its index, so the agent offers nothing of it: ${note.failed}`,
        );
      for (const { name, message } of note.refused)
        decisions.push({
          stage: "root",
          outcome: "skipped",
          reason: "not-pulled",
          path: from,
          message: `"${printable(name)}" was not pulled: ${message}`,
          about: name,
        });
      continue;
    }
    if (cache.perSource === "shared" && whole) continue;
    whole = true;
    const read = host.fileSystem.readDirectory(folder, { limit: listed });
    const names =
      read.kind !== "directory"
        ? []
        : read.entries
            .filter(({ name, type }) => type === "directory" && !passing.test(name))
            .map(({ name }) => name);
    for (const name of names) folders.push({ path: join(folder, name), from: folder });
    if (names.length === 0)
      say("missing", "not-pulled", from, "An address of skills; none of them were pulled yet.");
    else
      say(
        "searched",
        "cache-alone",
        from,
        "Not pulled by Skillet yet: what the agent itself left in its cache is offered.",
      );
  }
  return { folders, decisions };
}
