import { statSync } from "node:fs";
import type { Configuration } from "../../core/configuration.ts";
import type { Decision } from "../../core/decision.ts";
import type { Diagnostic } from "../../core/diagnostic.ts";
import type { Root } from "../../core/discovery/root.ts";
import type { Environment } from "../../core/environment.ts";
import { SkilletError } from "../../core/error.ts";
import type { TextCodec } from "../../core/file-system.ts";
import type { LocalizedTexts, Pack } from "../../core/packs/pack.ts";
import { isSwitchOn, type PackPlace, type PackPolicy } from "../../core/packs/pack-policy.ts";
import { noPacks, type ProvidedPacks } from "../../core/packs/provided-packs.ts";
import { selectSkills } from "../../core/packs/select-skills.ts";
import { join } from "../../core/path.ts";
import type { EmbeddedSkill, Profile } from "../../core/profile.ts";
import { ownPackStore, type PackStore } from "../../packs/pack-store.ts";
import { version as packageVersion } from "../../version.ts";
import { toNative } from "../native-path.ts";
import { embeddedSkills } from "./embedded-skills.ts";
import { type Extracted, extractPack, packageDamaged } from "./extract-pack.ts";
import type { Lease } from "./leases.ts";
import { namedPackStore } from "./named-packs.ts";
import { packRoot } from "./pack-root.ts";

export interface ProvideRequest {
  readonly profile: Profile;
  readonly environment: Environment;
  readonly configuration: Configuration;
  readonly codec: TextCodec;
  readonly hasProgram: (name: string) => boolean;
  /** Folder of `--pack`: its packs take the places of the built-in ones; null = none. */
  readonly pack: string | null;
  /** Default: the packs of this package. */
  readonly store?: PackStore;
  /** Milliseconds after which what nobody uses may be removed; default a day. */
  readonly grace?: number;
}

export interface PreparedPacks extends ProvidedPacks {
  /** Gives up the claim on the folders; other versions may remove them from then on. */
  release(): void;
}

interface Findings {
  readonly roots: Root[];
  readonly embedded: EmbeddedSkill[];
  readonly decisions: Decision[];
  readonly diagnostics: Diagnostic[];
  readonly texts: Map<string, Readonly<Record<string, LocalizedTexts>>>;
  readonly leases: Lease[];
}

/**
 * Makes a profile's own skills ready to be searched: decides by switches and programs which ones there are, sees that
 * they lie whole in the data folder, and serves them from memory where that cannot be. Only a wrong `--pack` throws
 * (`SkilletError` "usage"); everything else is a diagnostic, and other skills go on. Features M1–M4 and M8, rows K01–K07.
 */
export function providePacks(request: ProvideRequest): PreparedPacks {
  const policy = request.profile.packs;
  if (policy === undefined || (!policy.own && request.pack === null))
    return { ...noPacks, release: () => {} };
  const named = request.pack === null ? null : namedPackStore(existingFolder(request.pack));
  const store = named ?? request.store ?? ownPackStore();
  const found: Findings = {
    roots: [],
    embedded: [],
    decisions: [],
    diagnostics: [],
    texts: new Map(),
    leases: [],
  };
  if (store.damaged !== null) found.diagnostics.push(packageDamaged(store.damaged));
  for (const place of policy.packs) {
    const pack = store.packs.find(({ name }) => name === place.pack);
    if (pack !== undefined) providePack(pack, { policy, place, store, request, found });
  }
  const { leases, diagnostics, ...provided } = found;
  return {
    ...provided,
    diagnostics: withoutRepeats(diagnostics),
    release: () => {
      for (const lease of leases) lease.release();
    },
  };
}

interface PackTask {
  readonly policy: PackPolicy;
  readonly place: PackPlace;
  readonly store: PackStore;
  readonly request: ProvideRequest;
  readonly found: Findings;
}

function providePack(pack: Pack, { policy, place, store, request, found }: PackTask): void {
  const { environment, hasProgram } = request;
  const version = policy.version ?? store.version ?? packageVersion;
  const data = policy.data(environment);
  const direct = policy.rule === "proven" ? store.folderOf(pack) : null;
  const folder = direct ?? join(data, place.folder, version, "skills");
  const off = switchedOff(policy, place, request);
  if (off !== null) {
    found.decisions.push({
      stage: "root",
      outcome: "off",
      reason: "switched-off",
      path: folder,
      message: off,
    });
    return;
  }
  const selection = selectSkills(pack, place, { environment, hasProgram, folder });
  found.decisions.push(...selection.decisions);
  const extracted: Extracted =
    direct === null
      ? extractPack({
          rule: policy.rule,
          data,
          place,
          version,
          pack,
          selection,
          store,
          grace: request.grace,
        })
      : { where: "disk", refused: [], diagnostics: [], lease: null };
  found.diagnostics.push(...extracted.diagnostics);
  if (extracted.lease !== null) found.leases.push(extracted.lease);
  if (extracted.where === "nowhere") {
    found.decisions.push(notThere(folder, "not-extracted", "These built-in skills are not available."));
    return;
  }
  if (extracted.where === "memory") {
    const { reader, readLimits: limits } = request.profile;
    const embedded = embeddedSkills(pack, selection.enabled, { store, reader, limits, codec: request.codec });
    found.embedded.push(...embedded);
    if (embedded.length < selection.enabled.length) found.diagnostics.push(packageDamaged(pack.blob.name));
    found.decisions.push(
      notThere(folder, "in-memory", "The built-in skills of this folder are served from memory."),
    );
    return;
  }
  const ignored = [...selection.disabled, ...extracted.refused];
  found.roots.push(packRoot(place, folder, { ignored, named: request.pack !== null }));
  if (policy.rule === "proven")
    for (const { name, locales } of pack.skills) found.texts.set(join(folder, name, "SKILL.md"), locales);
}

function notThere(path: string, reason: string, message: string): Decision {
  return { stage: "root", outcome: "off", reason, path, message };
}

/** Why a whole pack is off, or null. Nothing on disk is touched then (row K02). */
function switchedOff(policy: PackPolicy, place: PackPlace, request: ProvideRequest): string | null {
  if (policy.setting && !request.configuration.skills.builtin)
    return `Built-in skills of pack "${place.pack}" are switched off by \`skills.builtin\`.`;
  const variable = place.switches.find((name) => isSwitchOn(request.environment, name));
  return variable === undefined
    ? null
    : `Built-in skills of pack "${place.pack}" are switched off by ${variable}.`;
}

function existingFolder(path: string): string {
  const stats = statSync(toNative(path), { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) return path;
  throw new SkilletError("usage", `--pack names ${path}, which is not a folder.`, {
    hint: "Name a folder that holds skill folders.",
  });
}

/** Several packs that cannot be kept for the same reason are one notice (row K06). */
function withoutRepeats(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  return diagnostics.filter(({ code, path, message }) => {
    const key = `${code}\0${message}\0${code === "pack/in-memory" ? "" : path}`;
    const first = !seen.has(key);
    seen.add(key);
    return first;
  });
}
