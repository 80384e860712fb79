import type { FileSystem } from "../core/file-system.ts";
import { contains, dirname, relativeInside } from "../core/path.ts";
import { dataFolder } from "../core/places.ts";
import { type StoredState, trustOf, withoutTrust, withTrust } from "../core/visibility/stored-state.ts";
import { approvalOf } from "./approval.ts";
import { createFileSystem, nodeCodec } from "./node-file-system.ts";
import type { Skills } from "./skills.ts";
import { readState, updateState } from "./state.ts";

export interface TrustChange {
  readonly folder: string;
  /** "content": the skills as they are now, a change asks again (row H11); "folder": whatever is or comes into it; "none". */
  readonly to: "content" | "folder" | "none";
}

/**
 * Stores the user's decision about a project's skills. The folder is kept by its real path. Skills that a linked
 * worktree sees in its main checkout are decided with it, by their content. Throws as `updateState` does.
 */
export function trustWorkspace(skills: Skills, { folder, to }: TrustChange): void {
  const parts = { fileSystem: createFileSystem(), codec: nodeCodec };
  const path = realFolder(folder, parts.fileSystem);
  const approved: Record<string, string> | null = to === "content" ? Object.create(null) : null;
  const losers = skills.shadowed.map(({ skill }) => skill);
  for (const skill of [...skills.entries.map((entry) => entry.skill), ...losers]) {
    if (approved === null || !skill.root.needsTrust || skill.directory === null) continue;
    if (contains(folder, skill.directory)) Object.assign(approved, approvalOf(skill, folder, parts));
  }
  const elsewhere = skills.entries
    .map(({ skill }) => skill)
    .filter(({ root, directory }) => root.needsTrust && directory !== null && !contains(folder, directory))
    .flatMap((skill): readonly Elsewhere[] => {
      const { boundary } = skill.root;
      if (boundary === null || skill.directory === null) return [];
      const below = `${relativeInside(boundary, skill.directory) ?? ""}/`;
      return [
        { path: realFolder(boundary, parts.fileSystem), below, approved: approvalOf(skill, boundary, parts) },
      ];
    });
  updateState(dataFolder(skills.environment), (state) =>
    elsewhere.reduce(
      (changed, one) => decideElsewhere(changed, one, to !== "none"),
      to === "none" ? withoutTrust(state, path) : withTrust(state, path, approved),
    ),
  );
}

/** A skill of another folder than the one that is decided about. */
interface Elsewhere {
  /** Real path of the folder whose trust decides. */
  readonly path: string;
  /** What the keys of its files begin with. */
  readonly below: string;
  readonly approved: Readonly<Record<string, string>>;
}

/** Only this skill's files change in the record of its folder; a folder that is trusted with whatever it holds stays so. */
function decideElsewhere(state: StoredState, { path, below, approved }: Elsewhere, to: boolean): StoredState {
  const now = state.trusted.find((folder) => folder.path === path);
  if (now?.approved === null || (now === undefined && !to)) return state;
  const others = Object.entries(now?.approved ?? {}).filter(([key]) => !key.startsWith(below));
  const kept: Record<string, string> = Object.assign(Object.create(null), Object.fromEntries(others));
  if (to) Object.assign(kept, approved);
  return Object.keys(kept).length === 0 ? withoutTrust(state, path) : withTrust(state, path, kept);
}

function realFolder(folder: string, fileSystem: FileSystem): string {
  const resolved = fileSystem.realPath(folder);
  return resolved.kind === "path" ? resolved.path : folder;
}

/**
 * Adds skills whose text the user agreed to just now, in these folders, to what is approved of a project. Skills that are
 * there and not named keep their state. Nothing happens where the project is not trusted, or is with whatever it holds;
 * else the disk is looked at again. Throws as `updateState` does.
 */
export function approveAlso(skills: Skills, directories: readonly string[]): void {
  const folder = skills.workspace?.folder;
  if (folder === undefined || directories.length === 0) return;
  const fileSystem = createFileSystem();
  const data = dataFolder(skills.environment);
  const { value: stored } = readState(data, fileSystem);
  const record = trustOf(folder, stored, { repository: null, fileSystem });
  const real = fileSystem.realPath(folder);
  if (record === null || record.approved === null || real.kind !== "path" || real.path !== record.path)
    return;
  skills.reload();
  const named = [
    ...skills.entries.map(({ skill }) => skill),
    ...skills.shadowed.map(({ skill }) => skill),
  ].filter(
    ({ root, directory, realPath }) =>
      root.needsTrust &&
      directory !== null &&
      (directories.includes(directory) || directories.includes(dirname(realPath))),
  );
  const more: Record<string, string> = Object.create(null);
  for (const skill of named) Object.assign(more, approvalOf(skill, folder, { fileSystem, codec: nodeCodec }));
  const replaced = named.map(({ directory }) => `${relativeInside(folder, directory ?? "") ?? ""}/`);
  updateState(data, (state) => {
    const now = state.trusted.find(({ path }) => path === record.path);
    if (now === undefined || now.approved === null) return state;
    const kept = Object.entries(now.approved).filter(
      ([key]) => !replaced.some((prefix) => key.startsWith(prefix)),
    );
    return withTrust(state, record.path, Object.assign(Object.create(null), Object.fromEntries(kept), more));
  });
}
