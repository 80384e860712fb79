import type { Configuration } from "../core/configuration.ts";
import type { Diagnostic } from "../core/diagnostic.ts";
import type { Repository } from "../core/discovery/repository.ts";
import type { Root } from "../core/discovery/root.ts";
import type { Environment } from "../core/environment.ts";
import type { FileSystem, TextCodec } from "../core/file-system.ts";
import { contains, relativeInside } from "../core/path.ts";
import { dataFolder } from "../core/places.ts";
import type { Profile, VisibleSkill } from "../core/profile.ts";
import type { Skill, Snapshot } from "../core/snapshot.ts";
import { profileState, type StoredState, storedSwitch, trustOf } from "../core/visibility/stored-state.ts";
import type { TrustVerdict, VisibilityFacts } from "../core/visibility/view.ts";
import { matchWildcard } from "../core/visibility/wildcard.ts";
import { approvalChange } from "./approval.ts";
import { readState } from "./state.ts";

export interface TrustInput {
  readonly environment: Environment;
  readonly configuration: Configuration;
  readonly repository: Repository | null;
  readonly fileSystem: FileSystem;
  readonly codec: TextCodec;
  /** `--trust`. */
  readonly always: boolean;
}

export interface Workspace {
  /** The folder that `trust` trusts: the repository, else the top folder that holds project skills. */
  readonly folder: string;
  readonly trusted: boolean;
  /** Skills that wait for it. */
  readonly needsTrust: number;
}

/** Files of one skill that every look compares with what was approved; larger skills are compared when loaded and by `why`. */
const comparedAtOnce = 200;

/** The user's stored decisions as questions that visibility asks. */
export interface Trust {
  readonly state: StoredState;
  readonly diagnostics: readonly Diagnostic[];
  /** Folders that links may lead into. */
  readonly folders: readonly string[];
  verdict(skill: Skill): TrustVerdict;
  /** What changed in the skill's folder since it was approved, for a load; null = nothing, or nothing was recorded. */
  changed(skill: Skill): string | null;
  workspace(snapshot: Snapshot, entries: readonly VisibleSkill[]): Workspace | null;
}

const trusted: TrustVerdict = { trusted: true };

export function createTrust(input: TrustInput): Trust {
  const { environment, configuration, repository, fileSystem, codec } = input;
  const { value: state, diagnostics } = readState(dataFolder(environment), fileSystem);
  const everything = input.always || configuration.trust.workspace === "always";
  const records = new Map<string, ReturnType<typeof coverOf>>();

  const folderOf = (root: Root): string => root.boundary ?? root.path;
  const coverOf = (root: Root) => {
    const folder = folderOf(root);
    const configured = configuration.trust.folders.some(
      (one) => contains(one, folder) || contains(one, realPath(fileSystem, folder)),
    );
    if (everything || configured) return { approved: null, base: folder };
    const record = trustOf(folder, state, { repository, fileSystem });
    if (record === null) return null;
    const real = realPath(fileSystem, folder);
    const inside = contains(record.path, real);
    // Paths of an approval count from the trusted folder; through the main checkout from the worktree's own top.
    const below = inside ? relativeInside(record.path, real) : "";
    const base = below === null || below === "" ? folder : folder.slice(0, folder.length - below.length - 1);
    return { approved: record.approved, base: inside ? base : (repository?.root ?? folder) };
  };
  const cover = (root: Root) => {
    const known = records.get(root.id);
    if (known !== undefined) return known;
    const found = coverOf(root);
    records.set(root.id, found);
    return found;
  };

  return {
    state,
    diagnostics,
    folders: [...configuration.trust.folders, ...state.trusted.map(({ path }) => path)],
    verdict(skill) {
      const found = cover(skill.root);
      if (found === null) {
        return {
          trusted: false,
          reason: "untrusted",
          message: "Its project is not trusted yet, so no model is told of it.",
        };
      }
      if (found.approved === null) return trusted;
      const path = relativeInside(found.base, skill.location);
      const before = path !== null && Object.hasOwn(found.approved, path) ? found.approved[path] : undefined;
      if (before === skill.digest) {
        const place = { approved: found.approved, folder: found.base, atMost: comparedAtOnce };
        const change = approvalChange(skill, place, { fileSystem, codec });
        if (change === null) return trusted;
        return {
          trusted: false,
          reason: "changed",
          message: `It changed since the project was trusted (${change}), so no model is told of it.`,
        };
      }
      return before === undefined
        ? {
            trusted: false,
            reason: "new",
            message: "It is new since the project was trusted, so no model is told of it.",
          }
        : {
            trusted: false,
            reason: "changed",
            message: "It changed since the project was trusted, so no model is told of it.",
          };
    },
    changed(skill) {
      if (!skill.root.needsTrust) return null;
      const found = cover(skill.root);
      if (found === null || found.approved === null) return null;
      return approvalChange(
        skill,
        { approved: found.approved, folder: found.base, atMost: null },
        { fileSystem, codec },
      );
    },
    workspace(snapshot, entries) {
      const waiting = entries.filter((entry) => !entry.trusted).length;
      const places = snapshot.roots.filter(({ root, candidates }) => root.needsTrust && candidates > 0);
      if (repository === null && places.length === 0) return null;
      const tops = places.map(({ root }) => folderOf(root)).sort((a, b) => a.length - b.length);
      const folder = repository?.root ?? tops[0] ?? environment.cwd;
      return { folder, trusted: waiting === 0, needsTrust: waiting };
    },
  };
}

/** Whether settings or the stored state switch a skill off; a location or name switched on by hand stands above settings. */
export function disabledBy(input: {
  readonly configuration: Configuration;
  readonly state: StoredState;
  readonly profile: Profile;
  /** Locations that are off in this run only. */
  readonly also?: readonly string[];
}): VisibilityFacts["disabled"] {
  const { configuration, state, profile, also = [] } = input;
  const own = profileState(state, profile.id);
  const patterns = configuration.skills.disabled;
  if (own.disabled.length === 0 && patterns.length === 0 && also.length === 0) return () => null;
  return (skill) => {
    const location = profile.stateBy === "real-path" ? skill.realPath : skill.location;
    if (also.includes(location)) return { reason: "disabled", message: "It is switched off for this run." };
    const stored = storedSwitch(own, { name: skill.name, location });
    if (stored === "enabled") return null;
    if (stored === "disabled") {
      return { reason: "disabled", message: "It was switched off with `skillet disable`." };
    }
    const pattern = patterns.find((one) => matchWildcard(skill.name, one));
    return pattern === undefined
      ? null
      : { reason: "disabled", message: `The setting \`skills.disabled\` switches it off (\`${pattern}\`).` };
  };
}

function realPath(fileSystem: FileSystem, path: string): string {
  const real = fileSystem.realPath(path);
  return real.kind === "path" ? real.path : path;
}
