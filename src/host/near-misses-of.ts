import type { Configuration } from "../core/configuration.ts";
import type { Decision } from "../core/decision.ts";
import type { Environment } from "../core/environment.ts";
import { findNearMisses } from "../core/explain/near-misses.ts";
import type { FileSystem } from "../core/file-system.ts";
import type { Preparation, Profile } from "../core/profile.ts";
import { knownSkillFolders } from "../core/profiles/index.ts";
import type { Snapshot } from "../core/snapshot.ts";

/** What a name that is nowhere may have meant: mistakes near the searched folders, and folders that others search. */
export function nearMissesOf(
  name: string,
  open: {
    readonly configuration: Configuration;
    readonly environment: Environment;
    readonly fileSystem: FileSystem;
    readonly preparation: Preparation;
    readonly profile: Profile;
    readonly snapshot: Snapshot;
  },
): readonly Decision[] {
  const { configuration, environment, fileSystem, preparation, profile, snapshot } = open;
  const switched = preparation.decisions.some(({ reason }) => reason === "brand-off");
  return findNearMisses(name, {
    roots: snapshot.roots,
    others: knownSkillFolders(environment, fileSystem).map(({ path, brand, title }) =>
      switched && !configuration.brands.includes(brand)
        ? { path, reason: "brand-off", why: `folders of ${title} are switched off by \`brands\`` }
        : {
            path,
            reason: "other-agent",
            why: `that is a folder of ${title}, where ${profile.title} does not look`,
          },
    ),
    cwd: environment.cwd,
    diagnostics: snapshot.diagnostics,
    fileSystem,
  });
}
