import type { TopicalNote, VisibleSkill } from "../profile.ts";
import type { CandidateTrail } from "../snapshot.ts";
import type { Verdict } from "./explanation.ts";

/** Those of a profile's notes that say something about a name: none for one that is nowhere. */
export function relevantNotes(
  notes: readonly (string | TopicalNote)[],
  found: {
    readonly verdict: Verdict;
    readonly entry: VisibleSkill | undefined;
    readonly trails: readonly CandidateTrail[];
  },
): readonly string[] {
  if (found.verdict === "absent") return [];
  const { entry, trails } = found;
  const reasons = trails.flatMap(({ decisions }) => decisions.map(({ reason }) => reason));
  const applies: Readonly<Record<TopicalNote["about"], boolean>> = {
    copies: trails.length > 1,
    links:
      (entry !== undefined && entry.skill.realPath !== entry.skill.location) ||
      reasons.some((reason) => reason.includes("link") || reason === "same-file"),
    script: reasons.includes("frontmatter/unsupported-language"),
  };
  return notes.flatMap((note) =>
    typeof note === "string" ? [note] : applies[note.about] ? [note.text] : [],
  );
}
