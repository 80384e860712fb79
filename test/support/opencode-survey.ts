import { defaultConfiguration } from "../../src/core/configuration.ts";
import { discover } from "../../src/core/discovery/discover.ts";
import { createDocumentCache } from "../../src/core/discovery/document-cache.ts";
import type { Environment } from "../../src/core/environment.ts";
import type { FileSystem } from "../../src/core/file-system.ts";
import type { Catalog, LoadOutput, Preparation, Profile, VisibleSkill } from "../../src/core/profile.ts";
import { profiles } from "../../src/core/profiles/index.ts";
import type { Snapshot } from "../../src/core/snapshot.ts";
import { decideVisibility } from "../../src/core/visibility/view.ts";
import { type MemoryNode, memoryCodec, memoryFileSystem } from "./memory-file-system.ts";

export type Tree = Readonly<Record<string, MemoryNode>>;

export interface Survey {
  readonly environment: Environment;
  readonly fileSystem: FileSystem;
  readonly profile: Profile;
  readonly preparation: Preparation;
  readonly snapshot: Snapshot;
  readonly entries: readonly VisibleSkill[];
  readonly catalog: () => Catalog;
  readonly load: (name: string) => LoadOutput;
  /** `name@location` of the skills on disk, in list order. */
  readonly listed: readonly string[];
}

export const repository: Tree = { "/repo/.git/HEAD": "ref: refs/heads/main\n" };

export function skillFile(name: string, description = `About ${name}.`, body = "Body\n"): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n${body}`;
}

/** Everything that one profile makes of a tree in memory; the working folder is /repo, home /home/u. */
export function survey(
  id: string,
  tree: Tree,
  setting: {
    readonly cwd?: string;
    readonly variables?: Readonly<Record<string, string>>;
    readonly agent?: string;
    readonly data?: string;
    readonly language?: string;
    /** On PATH; default every program. */
    readonly programs?: readonly string[];
  } = {},
): Survey {
  const [name, version = null] = id.split("@");
  const profile = profiles.find((known) => known.id === name && known.version === version);
  if (profile === undefined) throw new RangeError(`no profile ${id}`);
  const fileSystem = memoryFileSystem({ "/home/u": { folder: true }, "/repo": { folder: true }, ...tree });
  const environment: Environment = {
    cwd: setting.cwd ?? "/repo",
    home: "/home/u",
    data: setting.data ?? null,
    platform: "linux",
    variables: setting.variables ?? {},
    language: setting.language ?? "en",
    isolated: true,
  };
  const agent = {
    name: setting.agent ?? null,
    tools: null,
    features: [],
    host: "cli" as const,
    region: null,
    mcpServers: [],
  };
  const preparation = profile.prepare({
    environment,
    fileSystem,
    codec: memoryCodec,
    configuration: defaultConfiguration,
    agent,
    trust: false,
  });
  const snapshot = discover({
    profile,
    preparation,
    fileSystem,
    codec: memoryCodec,
    limits: { folders: 50_000, entries: 200_000 },
    trustedFolders: [],
    cache: createDocumentCache(),
  });
  const entries = decideVisibility(snapshot, profile.visibility, {
    permission: preparation.permission,
    agent,
    trust: () => ({ trusted: true }),
    disabled: () => null,
    touched: [],
    hasProgram: (program) => setting.programs?.includes(program) ?? true,
    variables: environment.variables,
    platform: environment.platform,
  });
  return {
    environment,
    fileSystem,
    profile,
    preparation,
    snapshot,
    entries,
    catalog: () =>
      profile.catalog({
        skills: entries.filter(({ modelInvocable }) => modelInvocable),
        permission: preparation.permission,
        window: null,
        budget: null,
        configuration: defaultConfiguration,
        counter: { id: "units", count: (text) => text.length },
      }),
    load: (wanted) => {
      const skill = snapshot.skills.find((known) => known.name === wanted);
      if (skill === undefined) throw new RangeError(`no skill ${wanted}`);
      const read = fileSystem.readFile(skill.location, { limit: 1_000_000, follow: true });
      const bytes = read.kind === "file" ? read.bytes : new Uint8Array();
      const source = { path: skill.location, folder: "", file: null, bytes };
      const body =
        skill.embedded ?? profile.reader.body(source, { codec: memoryCodec, limits: profile.readLimits });
      return profile.load({ skill, body, arguments: "", fileSystem, environment, limit: 50 });
    },
    listed: snapshot.skills
      .filter(({ embedded }) => embedded === null)
      .map((skill) => `${skill.name}@${skill.location}`),
  };
}
