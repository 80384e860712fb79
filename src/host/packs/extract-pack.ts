import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import type { Pack } from "../../core/packs/pack.ts";
import type { MarkerRule, PackPlace } from "../../core/packs/pack-policy.ts";
import type { SkillSelection } from "../../core/packs/select-skills.ts";
import type { PackStore } from "../../packs/pack-store.ts";
import { systemCode } from "../file-error.ts";
import { makeFolders } from "../make-folders.ts";
import { toPortable } from "../native-path.ts";
import { type Lease, takeLease } from "./leases.ts";
import { makeFolder, type PackFolders, packFolders, refuseForeign, UnusableFolder } from "./pack-folder.ts";
import { provePack } from "./proven-pack.ts";
import { seedPack } from "./seed-pack.ts";
import { runSteps } from "./steps.ts";
import { tidy } from "./tidy.ts";

export interface ExtractRequest {
  readonly rule: MarkerRule;
  readonly data: string;
  readonly place: PackPlace;
  readonly version: string;
  readonly pack: Pack;
  readonly selection: SkillSelection;
  readonly store: PackStore;
  readonly grace?: number | undefined;
}

export interface Extracted {
  /** "nowhere": the mirrored agent has no such skills then (rule `seed`). */
  readonly where: "disk" | "memory" | "nowhere";
  /** Skills whose folder must not be served. */
  readonly refused: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  readonly lease: Lease | null;
}

/** Sees that a pack lies whole in the data folder, by the profile's rule. Never throws. Features M2–M4. */
export function extractPack(request: ExtractRequest): Extracted {
  const folders = packFolders(request.data, request.place.folder, request.version);
  let lease: Lease | null = null;
  let blocked: unknown = null;
  try {
    refuseForeign([folders.top, folders.version, folders.skills]);
    if (request.rule === "seed") {
      makeData(folders);
      runSteps(seedPack(seedRequest(request, folders)));
      return { where: "disk", refused: [], diagnostics: [], lease: null };
    }
    lease = claim(folders, (cause) => {
      blocked = cause;
    });
    const { pack, version, selection, store } = request;
    const bytes = (file: Parameters<PackStore["bytes"]>[1]): Uint8Array => store.bytes(pack, file);
    const state = runSteps(provePack({ folders, pack, version, enabled: selection.enabled, bytes }));
    const kept = lease === null ? [] : tidy(folders, { version, now: lease.diskTime, grace: request.grace });
    return {
      where: "disk",
      refused: state.damaged,
      diagnostics: [
        ...[...state.kept, ...kept].map((path) => editKept(path, folders)),
        ...repairs(state.repaired, folders),
        ...(state.damaged.length > 0 ? [packageDamaged(pack.blob.name)] : []),
      ],
      lease,
    };
  } catch (error) {
    lease?.release();
    // What could not be made is missed later; the first error says why.
    return { ...notOnDisk(blocked ?? error, request, folders), refused: [], lease: null };
  }
}

function seedRequest({ pack, version, selection, place, store }: ExtractRequest, folders: PackFolders) {
  return {
    folders,
    pack,
    version,
    enabled: selection.enabled,
    disabled: selection.disabled,
    marker: place.marker,
    development: version === "local",
    bytes: (file: Parameters<PackStore["bytes"]>[1]): Uint8Array => store.bytes(pack, file),
  };
}

/** The claim comes before the first look, so that nobody removes this version in between. */
function claim(folders: PackFolders, block: (cause: unknown) => void): Lease | null {
  const existing = takeLease(folders);
  if (existing !== null) return existing;
  try {
    makeData(folders);
    for (const folder of [folders.top, folders.version]) makeFolder(folder);
  } catch (cause) {
    block(cause);
    return null; // Read-only: what is there may still be right.
  }
  return takeLease(folders);
}

function makeData(folders: PackFolders): void {
  makeFolders(folders.data, 0o700);
}

function notOnDisk(
  error: unknown,
  { rule, place }: ExtractRequest,
  folders: PackFolders,
): Pick<Extracted, "where" | "diagnostics"> {
  const path = toPortable(error instanceof UnusableFolder ? error.path : folders.data);
  const why = error instanceof UnusableFolder ? error.message : systemCode(error);
  const seed = rule === "seed";
  const message = seed
    ? `The skills of pack "${place.pack}" cannot be written (${why}).`
    : `Built-in skills cannot be kept on disk (${why}), so they are served from memory.`;
  return {
    where: seed ? "nowhere" : "memory",
    diagnostics: [makeDiagnostic(seed ? "pack/not-extracted" : "pack/in-memory", { path, message })],
  };
}

function editKept(path: string, folders: PackFolders): Diagnostic {
  const inner = toPortable(path.slice(folders.top.length + 1))
    .split("/")
    .slice(2);
  const name = (inner[0] ?? "").replace(/\.\d+$/, "");
  return makeDiagnostic("pack/edited", {
    path: toPortable(path),
    message: `The built-in skill "${name}" was changed on disk; what was changed (${inner.join("/")}) is kept here, and the skill is as it came again.`,
    hint: `To use a version of your own, copy the skill to ~/.skillet/skills/${name} and change it there`,
  });
}

function repairs(names: readonly string[], folders: PackFolders): readonly Diagnostic[] {
  if (names.length === 0) return [];
  return [
    makeDiagnostic("pack/repaired", {
      path: toPortable(folders.skills),
      message: `Made right again: ${names.join(", ")}.`,
    }),
  ];
}

/** Row K07. */
export function packageDamaged(path: string): Diagnostic {
  return makeDiagnostic("pack/damaged", {
    path: toPortable(path),
    message: "Built-in skills are damaged in the installed package and are not used.",
    hint: "Install Skillet again: npm install -g skillet",
  });
}
