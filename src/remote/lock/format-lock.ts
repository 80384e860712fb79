import type { LockData, LockedFile, LockedSkill } from "./lock-data.ts";

/**
 * The text of `skillet.lock`: JSON with two blanks, skills and paths in code-unit order, one file a line, no times, a
 * line feed at the end. Equal data gives equal bytes on every machine, and changes of two branches to different skills
 * merge by themselves.
 */
export function formatLock(lock: LockData): string {
  const skills = sorted(lock.skills).map(([name, skill]) => [name, skillJson(skill)]);
  return `${JSON.stringify({ version: 1, ...lock.extra, skills: Object.fromEntries(skills) }, null, 2)}\n`;
}

function skillJson(skill: LockedSkill): object {
  const { source, kind, url, ref, path, revision, digest, agents, copies, links } = skill;
  const files = sorted(skill.files).map(([name, file]) => [name, fileText(file)]);
  const edits = sorted(skill.edits).map(([name, file]) => [name, file === null ? "removed" : fileText(file)]);
  return {
    source,
    kind,
    ...present({ url, ref, path, revision, digest }),
    agents: agents.toSorted(),
    ...(copies.length === 0 ? {} : { copies: copies.toSorted() }),
    ...(links.size === 0 ? {} : { links: Object.fromEntries(sorted(links)) }),
    ...skill.extra,
    ...(edits.length === 0 ? {} : { edits: Object.fromEntries(edits) }),
    ...(files.length === 0 ? {} : { files: Object.fromEntries(files) }),
  };
}

function fileText({ executable, digest }: LockedFile): string {
  return `${executable ? "755" : "644"} ${digest}`;
}

function present(values: Readonly<Record<string, string | null>>): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

function sorted<T>(map: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}
