import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { FileSystem, TextCodec } from "../../core/file-system.ts";
import {
  type PulledRecord,
  readPulledRecord,
  recordPath,
  storedFolder,
} from "../../core/remote/pulled-record.ts";
import type { RemoteSource } from "../../core/remote/remote-source.ts";
import { writeFileAtomic } from "../../host/atomic-write.ts";
import { toNative, toPortable } from "../../host/native-path.ts";
import { ensureOwnFolder } from "../../host/own-folder.ts";

/** Where the records of sources are kept. */
export interface RecordPlace {
  readonly folder: string;
  readonly fileSystem: FileSystem;
  readonly codec: TextCodec;
}

/** What the last pull of a source left; null = nothing usable. */
export function readRecord(
  source: RemoteSource,
  { folder, fileSystem, codec }: RecordPlace,
): PulledRecord | null {
  const record = readPulledRecord(fileSystem, recordPath(folder, source, codec), codec);
  return record === null || record.address !== source.address ? null : record;
}

/** Replaces the record of a source as a whole: the moment in which a pull takes effect. Throws `SkilletError`. */
export function writeRecord(source: RemoteSource, record: PulledRecord, place: RecordPlace): void {
  ensureOwnFolder(place.folder, "keep what was pulled");
  ensureOwnFolder(`${place.folder}/sources`, "keep what was pulled");
  writeFileAtomic(recordPath(place.folder, source, place.codec), `${JSON.stringify(record)}\n`, {
    action: "keep what was pulled",
    mode: 0o600,
  });
}

/** Every record in the cache, also of sources that are no longer configured. */
export function allRecords({ folder, fileSystem, codec }: RecordPlace): readonly PulledRecord[] {
  return recordFiles(folder).flatMap((path) => readPulledRecord(fileSystem, path, codec) ?? []);
}

/** Folders in the store that some record names. */
export function liveFolders(place: RecordPlace): ReadonlySet<string> {
  return new Set(
    allRecords(place).flatMap(({ skills }) => skills.map((skill) => storedFolder(place.folder, skill))),
  );
}

function recordFiles(folder: string): readonly string[] {
  const sources = join(toNative(folder), "sources");
  try {
    return readdirSync(sources)
      .filter((name) => /^[0-9a-f]{32}\.json$/.test(name))
      .sort()
      .map((name) => toPortable(join(sources, name)));
  } catch {
    return [];
  }
}
