import { SkilletError } from "../core/error.ts";
import type { Skills } from "../host/skills.ts";
import { bundleManifest } from "./bundle-manifest.ts";

/** One file of a bundle. */
export interface BundleFile {
  /** With slashes, below one folder that has the skill's name. */
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A skill in the form that Anthropic's Skills API takes. */
export interface SkillBundle {
  /** Of the skill and of the folder that holds everything. */
  readonly name: string;
  /** SKILL.md first, the others sorted. */
  readonly files: readonly BundleFile[];
  /** Of all files together. */
  readonly bytes: number;
  /** What was changed to fit, one sentence each. */
  readonly changes: readonly string[];
  /** Why the API will refuse it, one sentence each; empty = it can be uploaded. */
  readonly problems: readonly string[];
  /** For `client.beta.skills.create({ files })`. */
  uploads(): File[];
  /** One archive with equal bytes for equal content. Loads a packer on first use. */
  zip(): Promise<Uint8Array<ArrayBuffer>>;
}

const mebibyte = 1_048_576;
/** Of an upload, uncompressed. */
const most = { bytes: 30 * mebibyte, files: 1_000 };

/**
 * One skill as a bundle: SKILL.md with the fields that an upload may have, and every file of its folder. Files that lead out
 * of the folder are left out and said. Throws `SkilletError` "not-found" or "denied" for what a user could not load either.
 */
export function skillBundle(skills: Skills, name: string): SkillBundle {
  const gate = skills.loadFile(name, null, { by: "user" });
  if (gate.status !== "listed") {
    const code = gate.status === "unknown" ? "not-found" : gate.status === "denied" ? "denied" : "failed";
    throw new SkilletError(code, gate.status === "read" ? `"${name}" is no skill.` : gate.output);
  }
  const skill = skills.entries.find((entry) => entry.skill.name === gate.name)?.skill;
  if (skill === undefined) throw new SkilletError("not-found", `There is no skill named "${name}".`);
  const manifest = bundleManifest(skill, skills.body(skill));
  const changes = [...manifest.changes];
  const problems = [...manifest.problems];
  const folder = manifest.name === "" ? "skill" : manifest.name;
  const files: BundleFile[] = [
    { path: `${folder}/SKILL.md`, bytes: new TextEncoder().encode(manifest.text) },
  ];
  const own = skill.directory === null ? "" : skill.location.slice(skill.directory.length + 1);
  const { files: names, more } = skills.files(skill, most.files);
  for (const path of names) {
    if (path === own) continue;
    const file = skills.readFile(skill, path);
    if (file.kind === "refused") changes.push(`${path} is left out. ${file.reason}`);
    else
      files.push({
        path: `${folder}/${path}`,
        bytes: file.kind === "text" ? new TextEncoder().encode(file.text) : Uint8Array.from(file.data),
      });
  }
  if (more) problems.push(`It has more than ${most.files} files.`);
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  if (bytes > most.bytes) problems.push(`It has ${bytes} bytes; an upload takes at most ${most.bytes}.`);
  return {
    name: manifest.name,
    files,
    bytes,
    changes,
    problems,
    uploads: () => files.map((file) => new File([file.bytes], file.path)),
    zip: () => zipped(files),
  };
}

/** The earliest time that an archive can hold, so that the bytes depend on the content alone. */
const noTime = new Date(1980, 0, 1);

async function zipped(files: readonly BundleFile[]): Promise<Uint8Array<ArrayBuffer>> {
  const { zipSync } = await import("fflate");
  const entries = files.map(({ path, bytes }) => [path, [bytes, { mtime: noTime, level: 9 }]] as const);
  return zipSync(Object.fromEntries(entries) as Parameters<typeof zipSync>[0]) as Uint8Array<ArrayBuffer>;
}
