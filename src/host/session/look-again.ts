import type { Ledger } from "../../core/activation/activation-ledger.ts";
import type { Skill } from "../../core/snapshot.ts";
import { createFileSystem, nodeCodec } from "../node-file-system.ts";
import type { Skills } from "../skills.ts";

/**
 * Before a conversation is told that it has a text already, the files say whether that is still so: of the named skills and
 * of those that it holds. Where one is another by now, the set looks at the disk. A set that is watched mostly knows first.
 */
export function lookAgain(
  skills: Skills,
  { names, held }: { readonly names: readonly string[]; readonly held: Ledger },
): void {
  const given = new Set(held.filter(({ inContext }) => inContext).map(({ location }) => location));
  for (const name of names) {
    const found = skills.find(name);
    if (found.kind === "found") given.add(found.entry.skill.location);
  }
  const changed = skills.entries
    .filter(({ skill }) => given.has(skill.location) && isChanged(skill, skills))
    .map(({ skill }) => skill.realPath);
  if (changed.length > 0) skills.edited(changed);
}

/** Skills that lie in no file of this machine never are. */
function isChanged(skill: Skill, { profile }: Skills): boolean {
  if (skill.embedded !== null || skill.root.scope === "mcp") return false;
  const read = createFileSystem().readFile(skill.realPath, {
    limit: profile.fileLimit,
    follow: false,
    real: skill.realPath,
  });
  return read.kind !== "file" || nodeCodec.digest(read.bytes) !== skill.digest;
}
