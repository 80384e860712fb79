import { contains } from "../core/path.ts";
import { dataFolder } from "../core/places.ts";
import { withoutTrust, withTrust } from "../core/visibility/stored-state.ts";
import { approvalOf } from "./approval.ts";
import { createFileSystem, nodeCodec } from "./node-file-system.ts";
import type { Skills } from "./skills.ts";
import { updateState } from "./state.ts";

export interface TrustChange {
  readonly folder: string;
  /** "content": the skills as they are now, a change asks again (row H11); "folder": whatever is or comes into it; "none". */
  readonly to: "content" | "folder" | "none";
}

/** Stores the user's decision about a project's skills. The folder is kept by its real path. Throws as `updateState` does. */
export function trustWorkspace(skills: Skills, { folder, to }: TrustChange): void {
  const fileSystem = createFileSystem();
  const resolved = fileSystem.realPath(folder);
  const path = resolved.kind === "path" ? resolved.path : folder;
  const approved: Record<string, string> | null = to === "content" ? Object.create(null) : null;
  if (approved !== null) {
    const parts = { fileSystem, codec: nodeCodec };
    const losers = skills.shadowed.map(({ skill }) => skill);
    for (const skill of [...skills.entries.map((entry) => entry.skill), ...losers]) {
      if (!skill.root.needsTrust || skill.directory === null || !contains(folder, skill.directory)) continue;
      Object.assign(approved, approvalOf(skill, folder, parts));
    }
  }
  updateState(dataFolder(skills.environment), (state) =>
    to === "none" ? withoutTrust(state, path) : withTrust(state, path, approved),
  );
}
