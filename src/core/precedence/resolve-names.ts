import type { Decision } from "../decision.ts";
import { type Diagnostic, noDiagnostics } from "../diagnostic.ts";
import { makeDiagnostic } from "../diagnostics/make.ts";
import { type Candidate, diagnosticsOf, placeOf, skillIn, skipOf } from "../discovery/candidate.ts";
import type { Scan } from "../discovery/discover.ts";
import type { Root } from "../discovery/root.ts";
import { type FoundSkill, unplaced } from "../discovery/skill-of.ts";
import type { TextCodec } from "../file-system.ts";
import { basename } from "../path.ts";
import type { Contest, EmbeddedSkill, Preparation, Profile } from "../profile.ts";
import { plainDocument } from "../skill/plain-document.ts";
import type { CandidateTrail, ShadowedSkill, Skill, SkippedPath, Snapshot } from "../snapshot.ts";
import { createNameGroups } from "./name-groups.ts";

const foundAndRead: readonly Decision[] = Object.freeze([
  { stage: "scan", outcome: "found", reason: "found", path: null, message: "Found." },
  { stage: "read", outcome: "read", reason: "read", path: null, message: "Read without a problem." },
]);

const onlyCopy: Decision = Object.freeze({
  stage: "precedence",
  outcome: "won",
  reason: "only-copy",
  path: null,
  message: "The only skill of this name.",
});

const uncontested: readonly Decision[] = Object.freeze([...foundAndRead, onlyCopy]);

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

function nameOf(candidate: Candidate): readonly string[] {
  const skill = skillIn(candidate);
  return skill === null
    ? [basename(placeOf(candidate).directory)]
    : bothNames(skill.name, skill.directory, skill.flat);
}

/** The declared name, and the folder's where it is another: people look for either. */
function bothNames(name: string, directory: string | null, flat: boolean): readonly string[] {
  if (directory === null || flat || isFolderOf(name, directory)) return [name];
  return [name, basename(directory)];
}

/** `basename(directory) === name` without a new string. */
function isFolderOf(name: string, directory: string): boolean {
  return directory.endsWith(name) && directory.lastIndexOf("/") === directory.length - name.length - 1;
}

function withRead(
  known: ReadonlyMap<Skill, readonly Decision[]>,
  skill: Skill,
  verdict: Decision,
): readonly Decision[] {
  return [...(known.get(skill) ?? foundAndRead), verdict];
}

function trail(skill: Skill, decisions: readonly Decision[]): CandidateTrail {
  const names = bothNames(skill.name, skill.directory, skill.flat);
  return { location: skill.location, names, root: skill.root, decisions };
}

function foundAndRepaired(diagnostics: readonly Diagnostic[]): readonly Decision[] {
  return [
    ...foundAndRead.slice(0, 1),
    ...diagnostics.map(
      (found): Decision => ({
        stage: "read",
        outcome: found.severity === "info" ? "read" : "repaired",
        reason: found.code,
        path: found.path,
        message: found.range === undefined ? found.message : `Line ${found.range.line}: ${found.message}`,
      }),
    ),
  ];
}

function skippedCandidate(
  candidate: Candidate,
  skip: { readonly code: string; readonly message: string; readonly name: string | null },
): SkippedPath {
  const { location, directory, root, flat } = placeOf(candidate);
  const folder = flat ? basename(location).slice(0, -".md".length) : basename(directory);
  return {
    path: location,
    root,
    reason: skip.code,
    message: skip.message,
    names: skip.name === null || skip.name === folder ? [folder] : [skip.name, folder],
  };
}

function skippedTrail(path: SkippedPath): CandidateTrail {
  return {
    location: path.path,
    names: path.names,
    root: path.root,
    decisions: [
      { stage: "read", outcome: "skipped", reason: path.reason, path: path.path, message: path.message },
    ],
  };
}

/**
 * A file that could not be read would have replaced a skill of its folder's name: say which copy stays (case
 * iso-one-bad). Whether it would have is asked of the profile's own contest.
 */
function brokenOverrides(
  skipped: readonly SkippedPath[],
  winners: readonly Skill[],
  { profile, preparation }: { readonly profile: Profile; readonly preparation: Preparation },
): readonly Diagnostic[] {
  if (skipped.length === 0) return noDiagnostics;
  const order = new Map(preparation.roots.map((root, index) => [root.id, index]));
  order.set(weakRoot.id, preparation.roots.length);
  const outranks = (path: string, root: Root, stays: Skill): boolean => {
    const broken: Skill = { ...stays, root, location: path, digest: "", embedded: null };
    const [own, other] = [order.get(root.id) ?? -1, order.get(stays.root.id) ?? -1];
    const first = own === other ? path < stays.location : own < other;
    return profile.contest(first ? [broken, stays] : [stays, broken]).winner === broken;
  };
  const byName = new Map<string, Skill>();
  for (const skill of winners) {
    if (skill.directory !== null) byName.set(basename(skill.directory), skill);
  }
  for (const skill of winners) byName.set(skill.name, skill);
  const found: Diagnostic[] = [];
  for (const path of skipped) {
    if (path.reason === "same-file" || path.root === null) continue;
    const name = path.names.find((known) => byName.has(known));
    const stays = name === undefined ? undefined : byName.get(name);
    if (stays === undefined || !outranks(path.path, path.root, stays)) continue;
    found.push(
      makeDiagnostic("precedence/broken-override", {
        path: path.path,
        message: `This copy of "${stays.name}" cannot be used (${path.message}) The copy at ${stays.location} stays in effect.`,
        hint: "Mend this file, or remove it",
      }),
    );
  }
  return found;
}

function embeddedSkill(embedded: EmbeddedSkill, index: number, codec: TextCodec): Skill {
  return {
    ...(embedded.document ?? plainDocument(embedded.name, embedded.description)),
    location: embedded.location,
    directory: null,
    realPath: embedded.location,
    root: embedded.root ?? (embedded.place === "last" ? weakRoot : embeddedRoot),
    digest: embedded.digest ?? codec.digest(new TextEncoder().encode(embedded.body ?? "")),
    identity: null,
    flat: false,
    embedded: embedded.body,
    index,
  };
}

const embeddedRoot: Root = Object.freeze({
  id: "builtin:embedded",
  path: "<built-in>",
  scope: "builtin",
  source: "builtin",
  brand: null,
  level: null,
  priority: null,
  needsTrust: false,
  boundary: null,
  bundled: true,
  note: null,
  expected: false,
  scan: Object.freeze({
    depth: 0,
    rootIsSkill: false,
    nested: "stop",
    hidden: false,
    ignore: new Set<string>(),
    flat: "none",
    order: "names",
    fileName: "exact",
    visit: "real-path",
    links: Object.freeze({ root: "never", folderInside: "refuse", folderOutside: "refuse", file: "refuse" }),
  }),
});

/** Of skills in memory that stand behind everything on disk. */
const weakRoot: Root = Object.freeze({ ...embeddedRoot, id: "builtin:memory" });

function fingerprint(
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
