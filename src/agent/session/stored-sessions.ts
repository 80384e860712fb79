import { findRepository } from "../../core/discovery/repository.ts";
import { approvalFolder } from "../../host/approve-always.ts";
import { createFileSystem } from "../../host/node-file-system.ts";
import { openSkills } from "../../host/open-skills.ts";
import type { OpenOptions } from "../../host/skills.ts";
import { listSessions, type SessionSummary, sessionFolder } from "./session-store.ts";

/** Sessions of a working folder, the one that was used last first, and where they lie. */
export function storedSessions(open: OpenOptions): {
  readonly folder: string;
  readonly sessions: readonly SessionSummary[];
} {
  const skills = openSkills(open);
  try {
    const { environment } = skills;
    const root = approvalFolder(findRepository(createFileSystem(), environment.cwd), environment);
    const folder = sessionFolder(environment, root);
    return { folder, sessions: listSessions(folder) };
  } finally {
    skills.close();
  }
}
