import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { defaultConfiguration } from "../../src/core/configuration.ts";
import type { PackPolicy } from "../../src/core/packs/pack-policy.ts";
import type { Profile } from "../../src/core/profile.ts";
import { profileNamed } from "../../src/core/profiles/index.ts";
import { createEnvironment } from "../../src/host/environment.ts";
import { nodeCodec } from "../../src/host/node-file-system.ts";
import { type PreparedPacks, providePacks } from "../../src/host/packs/provide-packs.ts";
import { type CollectedPack, collectPack } from "../../src/packs/collect-pack.ts";
import { collectedPackStore, type PackStore } from "../../src/packs/pack-store.ts";

/** Every byte there is, which no text encoding survives. */
export const everyByte: Uint8Array = Uint8Array.from({ length: 512 }, (_, index) => index % 256);

export const skillText = (name: string, more = ""): string =>
  `---\nname: ${name}\ndescription: What ${name} does. Use for ${name}.\n---\n\n# ${name}\n${more}`;

/** Files of a pack with everything that is hard about packs. */
export const fixtureFiles: Readonly<Record<string, string | Uint8Array>> = {
  "alpha/SKILL.md": skillText("alpha", "One.\r\nTwo.\r\n"),
  "alpha/assets/picture.bin": everyByte,
  "alpha/scripts/deep/run.sh": "#!/bin/sh\necho alpha\n",
  "beta/SKILL.md": skillText("beta"),
  "claude-code/SKILL.md": skillText("claude-code"),
  "pdf-official/SKILL.md": skillText("pdf-official"),
};

export interface Ground {
  readonly folder: string;
  readonly data: string;
  readonly home: string;
  write(files: Readonly<Record<string, string | Uint8Array>>, below?: string): void;
  remove(): void;
}

export function ground(): Ground {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "skillet-packs-")));
  const [data, home] = [join(folder, "data"), join(folder, "home")];
  mkdirSync(home);
  return {
    folder,
    data,
    home,
    write(files, below = folder) {
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(below, path)), { recursive: true });
        writeFileSync(join(below, path), content);
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}

/** The fixture as a pack, after changes to its files. */
export function fixturePack(
  place: Ground,
  changes: Readonly<Record<string, string | Uint8Array>> = {},
  name = "general",
): CollectedPack {
  const folder = mkdtempSync(join(place.folder, "pack-"));
  place.write({ ...fixtureFiles, ...changes }, folder);
  chmodSync(join(folder, "alpha/scripts/deep/run.sh"), 0o755);
  return collectPack(folder, { name });
}

export const storeOf = (...packs: readonly CollectedPack[]): PackStore =>
  collectedPackStore(packs, () => null);

const skillet = profileNamed("skillet");

/** The policy of profile `skillet` with another version. */
export function policyOf(changes: Partial<PackPolicy> = {}): PackPolicy {
  if (skillet.packs === undefined) throw new Error("profile skillet has packs");
  return { ...skillet.packs, ...changes };
}

/** A policy with MiMo Code's rules (features M2 to M4). */
export function seedPolicy(version = "0.1.14"): PackPolicy {
  const { data, packs } = policyOf();
  return {
    rule: "seed",
    own: true,
    version,
    setting: false,
    data,
    packs: packs.map((place) => ({
      ...place,
      marker: place.pack === "compose" ? "existence" : "text",
      switches: [`MIMOCODE_DISABLE_${place.pack === "compose" ? "COMPOSE" : "BUILTIN"}_SKILLS`],
      groups: [{ switch: "MIMOCODE_DISABLE_OFFICIAL_SKILLS", skills: ["pdf-official"] }],
      programs: { "claude-code": ["claude"] },
    })),
  };
}

export interface Provide {
  readonly store: PackStore;
  readonly policy?: PackPolicy;
  readonly env?: Readonly<Record<string, string>>;
  readonly programs?: readonly string[];
  readonly builtin?: boolean;
  readonly pack?: string;
  readonly grace?: number;
}

/** One start of the product, as far as packs go. */
export function provide(place: Ground, options: Provide): PreparedPacks {
  const { value: environment } = createEnvironment({
    cwd: place.folder,
    home: place.home,
    data: place.data,
    env: { SKILLET_DISABLE_BUILTIN_SKILLS: "", ...options.env },
  });
  const profile: Profile = { ...skillet, packs: options.policy ?? policyOf({ version: "1.0.0" }) };
  return providePacks({
    profile,
    environment,
    configuration: {
      ...defaultConfiguration,
      skills: { ...defaultConfiguration.skills, builtin: options.builtin ?? true },
    },
    codec: nodeCodec,
    hasProgram: (name) => (options.programs ?? ["claude"]).includes(name),
    pack: options.pack ?? null,
    store: options.store,
    ...(options.grace === undefined ? {} : { grace: options.grace }),
  });
}

/** Every file and link below a folder: what it holds, and whether it can be run. Leases and staging left out. */
export function treeOf(folder: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const walk = (inner: string): void => {
    for (const entry of readdirSync(join(folder, inner), { withFileTypes: true })) {
      const path = inner === "" ? entry.name : `${inner}/${entry.name}`;
      if (entry.name === ".users" || entry.name === ".tmp") continue;
      if (entry.isDirectory()) walk(path);
      else if (entry.isSymbolicLink()) found[path] = `-> ${readlinkSync(join(folder, path))}`;
      else {
        const runs = (lstatSync(join(folder, path)).mode & 0o100) !== 0 ? "x" : "";
        found[path] = runs + readFileSync(join(folder, path)).toString("latin1");
      }
    }
  };
  if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) walk("");
  return found;
}

/** What the skills folder must hold. */
export function wantedTree(pack: CollectedPack, names?: readonly string[]): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const skill of pack.pack.skills) {
    if (names?.includes(skill.name) === false) continue;
    for (const { path, offset, size, executable } of skill.files)
      found[`${skill.name}/${path}`] =
        (executable ? "x" : "") + Buffer.from(pack.bytes.subarray(offset, offset + size)).toString("latin1");
  }
  return found;
}
