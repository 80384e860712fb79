import { findRepository } from "../core/discovery/repository.ts";
import { dataFolder } from "../core/places.ts";
import { type TrustedFolder, trustOf } from "../core/visibility/stored-state.ts";
import { createFileSystem } from "../host/node-file-system.ts";
import type { Skills } from "../host/skills.ts";
import { readState } from "../host/state.ts";

/** The stored record by which a project is trusted, as it is on the disk now; null when there is none. */
export function trustRecord({ environment }: Skills, folder: string): TrustedFolder | null {
  const fileSystem = createFileSystem();
  const { value: state } = readState(dataFolder(environment), fileSystem);
  return trustOf(folder, state, { repository: findRepository(fileSystem, environment.cwd), fileSystem });
}

/** Whether two records say the same, whatever the order of what they approve. */
export function sameRecord(one: TrustedFolder | null, other: TrustedFolder | null): boolean {
  return recordText(one) === recordText(other);
}

function recordText(record: TrustedFolder | null): string {
  if (record === null) return "";
  const approved = record.approved === null ? null : Object.entries(record.approved).sort();
  return JSON.stringify([record.path, approved]);
}
