import type { Decision } from "../decision.ts";
import { type Diagnostic, noDiagnostics } from "../diagnostic.ts";
import { type Candidate, diagnosticsOf, placeOf, skillIn, skipOf } from "../discovery/candidate.ts";
import type { Scan } from "../discovery/discover.ts";
import { type FoundSkill, unplaced } from "../discovery/skill-of.ts";
import type { TextCodec } from "../file-system.ts";
import type { Contest, Preparation, Profile } from "../profile.ts";
import type { CandidateTrail, ShadowedSkill, Skill, SkippedPath, Snapshot } from "../snapshot.ts";
import { brokenOverrides } from "./broken-overrides.ts";
import { embeddedSkill } from "./embedded-skill.ts";
import { fingerprint } from "./fingerprint.ts";
import { createNameGroups } from "./name-groups.ts";
import {
  foundAndRead,
  foundAndRepaired,
  nameOf,
  onlyCopy,
  skippedCandidate,
  skippedTrail,
  trail,
  uncontested,
} from "./trails.ts";

/**
 * Groups what was read by name, lets the profile's contest choose each winner and records every step at the moment it
 * is taken. Candidates come in scan order. `aside` names copies that lose to any other copy of their name (a setting of
 * ours; null = none). Features O7, M6, X2.
 */
export function resolveNames(
  profile: Profile,
  preparation: Preparation,
  scan: Scan,
  { codec, aside }: { readonly codec: TextCodec; readonly aside: ((skill: Skill) => boolean) | null },
): Snapshot {
  const diagnostics: Diagnostic[] = [...preparation.diagnostics, ...scan.diagnostics];
  const skipped: SkippedPath[] = [...scan.skipped];
  const unusable: CandidateTrail[] = scan.skipped.map(skippedTrail);
  /** Trails of each contested name, by its winner. */
  const contested = new Map<Skill, readonly CandidateTrail[]>();
  const groups = createNameGroups(profile.nameKey);
  const readDecisions = new Map<Skill, readonly Decision[]>();

  preparation.embedded.forEach((embedded, index) => {
    if (embedded.place !== "last") groups.add(embeddedSkill(embedded, index, codec));
  });
  // Plain loops over what there may be ten thousand of: in a young process each call costs more than what it does.
  for (let position = 0; position < scan.candidates.length; position++) {
    const candidate = scan.candidates[position] as Candidate;
    const read = skillIn(candidate);
    const said = diagnosticsOf(candidate);
    if (said.length > 0) diagnostics.push(...said);
    if (read === null) {
      const skip = skipOf(candidate);
      if (skip === null) continue;
      const path = skippedCandidate(candidate, skip);
      skipped.push(path);
      unusable.push(skippedTrail(path));
      continue;
    }
    const skill = placed(read, preparation.embedded.length + position);
    if (said.length > 0) readDecisions.set(skill, foundAndRepaired(said));
    groups.add(skill);
  }
  const onDisk = preparation.embedded.length + scan.candidates.length;
  preparation.embedded.forEach((embedded, index) => {
    if (embedded.place === "last") groups.add(embeddedSkill(embedded, onDisk + index, codec));
  });

  const shadowed: ShadowedSkill[] = [];
  const winners = groups.winners((group) => {
    const contest = aside === null ? profile.contest(group) : contestWithout(group, aside, profile);
    for (const found of contest.diagnostics) diagnostics.push(found);
    const trailsOfName = [
      trail(
        contest.winner,
        withRead(readDecisions, contest.winner, {
          stage: "precedence",
          outcome: "won",
          reason: "strongest",
          path: contest.winner.location,
          message: `Wins over ${contest.losers.length} other ${contest.losers.length === 1 ? "copy" : "copies"}.`,
        }),
      ),
    ];
    for (const { skill, reason, message } of contest.losers) {
      shadowed.push({ skill, winner: contest.winner, reason, message });
      trailsOfName.push(
        trail(
          skill,
          withRead(readDecisions, skill, {
            stage: "precedence",
            outcome: "shadowed",
            reason,
            path: skill.location,
            message,
          }),
        ),
      );
    }
    contested.set(contest.winner, trailsOfName);
    return contest.winner;
  });

  const again: CandidateTrail[] = [];
  for (const { path, root, first } of scan.samePlaces) {
    const message = `The same file as ${placeOf(first).location}, which is listed once.`;
    const same: SkippedPath = { path, root, reason: "same-file", message, names: nameOf(first) };
    skipped.push(same);
    again.push(skippedTrail(same));
  }
  for (const found of brokenOverrides(skipped, winners, { profile, preparation })) diagnostics.push(found);
  for (const found of profile.review?.(winners) ?? noDiagnostics) diagnostics.push(found);

  const alone = (skill: Skill): readonly Decision[] => {
    const read = readDecisions.get(skill);
    return read === undefined ? uncontested : [...read, onlyCopy];
  };
  const listed = profile.listOrder(winners);
  const skills = Object.freeze(listed === winners ? winners : [...listed]);
  const roots = Object.freeze([...scan.roots]);
  let version: string | null = null;
  let written: readonly CandidateTrail[] | null = null;
  return Object.freeze({
    profile: profile.version === null ? profile.id : `${profile.id}@${profile.version}`,
    skills,
    shadowed: Object.freeze(shadowed),
    skipped: Object.freeze(skipped),
    diagnostics: Object.freeze(diagnostics),
    roots,
    get trails(): readonly CandidateTrail[] {
      written ??= Object.freeze([
        ...unusable,
        ...winners.flatMap((winner) => contested.get(winner) ?? trail(winner, alone(winner))),
        ...again,
      ]);
      return written;
    },
    get version(): string {
      version ??= fingerprint(skills, shadowed, skipped, codec);
      return version;
    },
  });
}

/** What an earlier search found has its place, and a snapshot may hold it. */
function placed(skill: FoundSkill, index: number): Skill {
  if (skill.index === index) return skill;
  if (skill.index !== unplaced) return { ...skill, index };
  skill.index = index;
  return skill;
}

/** Copies that step aside lose to every other one; when all do, none does. */
function contestWithout(
  group: readonly Skill[],
  aside: (skill: Skill) => boolean,
  profile: Profile,
): Contest {
  const standing = group.filter((skill) => !aside(skill));
  const [first] = standing;
  if (first === undefined || standing.length === group.length) return profile.contest(group);
  const contest: Contest =
    standing.length === 1
      ? { winner: first, losers: [], diagnostics: noDiagnostics }
      : profile.contest(standing);
  const message =
    "It is switched off, and the setting `skills.disabledRevealsShadowed` lets the next copy step in.";
  const off = group.filter(aside).map((skill) => ({ skill, reason: "disabled", message }));
  return { ...contest, losers: [...off, ...contest.losers] };
}

function withRead(
  known: ReadonlyMap<Skill, readonly Decision[]>,
  skill: Skill,
  verdict: Decision,
): readonly Decision[] {
  return [...(known.get(skill) ?? foundAndRead), verdict];
}
