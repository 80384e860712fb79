import { cutCodePoints } from "../../core/text/single-line.ts";
import { writeTarGz } from "../archive/write-archive.ts";
import { rawDigest } from "../install/fetch-web.ts";
import type { FetchedSkill } from "../install/fetched-skill.ts";

/** A static site: contents by path below its root. Equal skills give equal bytes. */
export type Site = ReadonlyMap<string, Uint8Array>;

/** Name of the file that says that a folder was written by `publish` and may be replaced by it. */
export const siteMark = ".well-known/agent-skills/index.json";

const schema = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
/** The longest description that an index may have. */
const longestDescription = 1024;

/**
 * The files of a site that others install from: the well-known index 0.2 with digests (one SKILL.md as it is, more files
 * as an archive) and the index 0.1 with every file by itself, which older readers and OpenCode take.
 */
export async function buildSite(skills: readonly FetchedSkill[]): Promise<Site> {
  const site = new Map<string, Uint8Array>();
  const entries: object[] = [];
  const listed: object[] = [];
  for (const skill of skills) {
    const description = cutCodePoints(skill.description ?? "", longestDescription);
    const single = skill.files.length === 1 ? skill.files[0] : undefined;
    const bytes = single?.bytes ?? (await writeTarGz(skill.files));
    const url = single === undefined ? `${skill.name}.tar.gz` : `${skill.name}/SKILL.md`;
    site.set(`.well-known/agent-skills/${url}`, bytes);
    entries.push({
      name: skill.name,
      type: single === undefined ? "archive" : "skill-md",
      description,
      url,
      digest: rawDigest(bytes),
    });
    for (const file of skill.files) site.set(`.well-known/skills/${skill.name}/${file.path}`, file.bytes);
    // The version lets readers of this form notice a change; it is a digest, since nobody has to count anything up.
    listed.push({
      name: skill.name,
      description,
      version: skill.digest.slice("sha256:".length, "sha256:".length + 16),
      files: ["SKILL.md", ...skill.files.map(({ path }) => path).filter((path) => path !== "SKILL.md")],
    });
  }
  site.set(siteMark, json({ $schema: schema, skills: entries }));
  site.set(".well-known/skills/index.json", json({ skills: listed }));
  return site;
}

function json(value: object): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);
}
