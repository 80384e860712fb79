import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import {
  builtFingerprints,
  combinedFingerprint,
  minimaxYamlLimits,
  readMinimaxSkill,
  type SeededFile,
  skillFingerprint,
} from "../core/profiles/index.ts";
import { temporaryBeside } from "./atomic-write.ts";
import { withLock } from "./lock.ts";
import { toNative } from "./native-path.ts";
import { nodeCodec } from "./node-codec.ts";

export interface SeedRequest {
  /** Folders that hold skill folders, the strongest first; those that cannot be read are passed over. */
  readonly sources: readonly string[];
  /** Folder that holds the copies. All of it belongs to the seeding. */
  readonly destination: string;
  /** Whether a skill is wanted at all (region); default all. */
  readonly wanted?: (name: string) => boolean;
}

export interface SeedResult {
  /** The destination was cleared and written anew. */
  readonly rewritten: boolean;
  /** Of the skills that are wanted and can be read; null = no source can be read, and nothing was touched. */
  readonly fingerprint: string | null;
  /** Skills that could not be copied whole; they keep the fingerprint from being stored. */
  readonly failed: readonly string[];
}

const markerFile = ".seed-fingerprint";
const builtFile = ".seed-fingerprints.json";
const earlierManifest = ".seed-manifest.json";

/**
 * Copies the bundled skills into a data folder as MiniMax Code does when it starts (feature X8; spec minimax 3.1, golden
 * `minimax.seeding`). Nothing is written while the stored fingerprint is the same and every skill's folder is there;
 * otherwise the destination is replaced as a whole, and whatever a user put into it is gone. The new content is made
 * ready beside it and put in place by a rename. Throws only when the destination's place cannot be written.
 */
export function seedSkills(request: SeedRequest): SeedResult {
  const destination = toNative(request.destination);
  const found = collect(request.sources.map(toNative), request.wanted ?? (() => true));
  if (found === null) return { rewritten: false, fingerprint: null, failed: [] };
  const { skills, failed } = found;
  const aggregates = new Map([...skills].map(([name, { aggregate }]) => [name, aggregate]));
  const fingerprint = combinedFingerprint(aggregates, nodeCodec);
  mkdirSync(dirname(destination), { recursive: true });
  return withLock(`${destination}.lock`, { action: `seed ${destination}` }, () => {
    removeLeftovers(destination);
    if (isCurrent(destination, fingerprint, [...skills.keys()]))
      return { rewritten: false, fingerprint, failed };
    const incomplete = [...failed, ...replace(destination, fingerprint, { skills, failed })];
    return { rewritten: true, fingerprint, failed: incomplete };
  });
}

interface Seed {
  readonly folder: string;
  readonly aggregate: string;
}

/** The skills to seed, and those that cannot be read; null = no source can be read. */
function collect(
  sources: readonly string[],
  wanted: (name: string) => boolean,
): { readonly skills: ReadonlyMap<string, Seed>; readonly failed: readonly string[] } | null {
  const skills = new Map<string, Seed>();
  const failed: string[] = [];
  const seen = new Set<string>();
  let readable = false;
  for (const source of sources) {
    const entries = attempt(() => readdirSync(source, { withFileTypes: true }));
    if (entries === null) continue;
    readable = true;
    const built = builtFingerprints(attempt(() => readFileSync(join(source, builtFile), "utf8")) ?? "");
    for (const entry of entries) {
      const { name } = entry;
      if ((!entry.isDirectory() && !entry.isSymbolicLink()) || seen.has(name)) continue;
      seen.add(name);
      const folder = join(source, name);
      const known = built.get(name);
      if (!wanted(name) || (known === undefined && isRetired(folder, name))) continue;
      const aggregate = known ?? attempt(() => skillFingerprint(filesOf(folder), nodeCodec));
      if (aggregate === null) failed.push(name);
      else skills.set(name, { folder, aggregate });
    }
  }
  return readable ? { skills, failed } : null;
}

/** `retired: true` in a skill's frontmatter, as a truth value. */
function isRetired(folder: string, name: string): boolean {
  const text = attempt(() => readFileSync(join(folder, "SKILL.md"), "utf8"));
  if (text === null) return false;
  const reading = { path: folder, folder: name, dataFolder: null, limits: minimaxYamlLimits };
  return readMinimaxSkill(text, reading).document.extra.retired === true;
}

function filesOf(folder: string): readonly SeededFile[] {
  return listFiles(folder, "").map((path) => {
    const place = join(folder, path);
    const digest = nodeCodec.digest(readFileSync(place)).replace(/^sha256:/, "");
    return { path, digest, executable: isExecutable(place) };
  });
}

/** Regular files and links to files, with `/`. Throws for a link to a folder, a broken link or anything else. */
function listFiles(folder: string, prefix: string): readonly string[] {
  return readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
    const path = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
    if (entry.isDirectory()) return listFiles(folder, path);
    if (!entry.isFile() && !(entry.isSymbolicLink() && statSync(join(folder, path)).isFile()))
      throw new Error(`${path} is neither a file nor a folder`);
    return [path];
  });
}

function isExecutable(path: string): boolean {
  return process.platform !== "win32" && (statSync(path).mode & 0o111) !== 0;
}

/** What is in the folders is not looked at: an edited copy stays until the next change. */
function isCurrent(destination: string, fingerprint: string, names: readonly string[]): boolean {
  const marker = attempt(() => readFileSync(join(destination, markerFile), "utf8"));
  if (marker?.trim() !== fingerprint) return false;
  return names.every((name) => attempt(() => statSync(join(destination, name)).isDirectory()) === true);
}

/** Remains of earlier ways of seeding. */
function removeLeftovers(destination: string): void {
  remove(join(destination, earlierManifest));
  remove(`${destination}.seed-backups`);
  for (const name of attempt(() => readdirSync(destination)) ?? [])
    if (name.includes(".tmp-seed")) remove(join(destination, name));
}

/** Gives the names of skills that could not be copied. */
function replace(
  destination: string,
  fingerprint: string,
  { skills, failed }: { readonly skills: ReadonlyMap<string, Seed>; readonly failed: readonly string[] },
): readonly string[] {
  const fresh = temporaryBeside(destination);
  const old = temporaryBeside(destination);
  const broken: string[] = [];
  try {
    mkdirSync(fresh, { recursive: true });
    for (const [name, { folder }] of skills)
      if (attempt(() => copySkill(folder, join(fresh, name))) === null) broken.push(name);
    if (failed.length === 0 && broken.length === 0) writeFileSync(join(fresh, markerFile), fingerprint);
    if (existsSync(destination)) renameSync(destination, old);
    renameSync(fresh, destination);
    return broken;
  } finally {
    remove(fresh);
    remove(old);
  }
}

function copySkill(folder: string, target: string): true {
  mkdirSync(target, { recursive: true });
  for (const path of listFiles(folder, "")) {
    const place = join(target, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, readFileSync(join(folder, path)));
    chmodSync(place, isExecutable(join(folder, path)) ? 0o755 : 0o644);
  }
  return true;
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
}

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    // What cannot be read or written is reported by name.
    return null;
  }
}
