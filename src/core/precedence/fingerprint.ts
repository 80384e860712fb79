import type { TextCodec } from "../file-system.ts";
import type { ShadowedSkill, Skill, SkippedPath } from "../snapshot.ts";

/** `Snapshot.version`: the digest of all names, places, digests and reasons. */
export function fingerprint(
  skills: readonly Skill[],
  shadowed: readonly ShadowedSkill[],
  skipped: readonly SkippedPath[],
  codec: TextCodec,
): string {
  const lines = [
    ...skills.map((skill) => `+${skill.name}\0${skill.location}\0${skill.digest}`),
    ...shadowed.map(
      ({ skill, winner, reason }) =>
        `-${skill.name}\0${skill.location}\0${skill.digest}\0${winner.location}\0${reason}`,
    ),
    ...skipped.map((path) => `!${path.path}\0${path.reason}`),
  ];
  return codec.digest(new TextEncoder().encode(lines.join("\n")));
}
