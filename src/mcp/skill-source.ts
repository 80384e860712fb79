import { createHash } from "node:crypto";
import type { VisibleSkill } from "../core/profile.ts";
import type { Skill } from "../core/snapshot.ts";
import { createFileSystem, nodeCodec } from "../host/node-file-system.ts";
import { readSkillBytes } from "../host/skill-file.ts";
import type { Skills } from "../host/skills.ts";
import { fileName, listResources } from "./list-resources.ts";
import { mimeTypeOf } from "./mime-type.ts";
import { pageAfter } from "./page-after.ts";
import {
  DIRECTORY_MIME_TYPE,
  type Resource,
  type SkillEntry,
  type SkillReadResult,
  type SkillSource,
  skillEntry,
} from "./sdk.ts";
import { partsOf, skillUri } from "./skill-uri.ts";

/** What every host accepts (SEP-2640, "Limits"). */
const limits = { files: 512, bytes: 16 * 1024 * 1024 };

/** The skills as the extension and `resources/…` serve them. */
export interface ServedSkills extends SkillSource {
  /** One page of what `resources/list` gives. */
  resources(cursor: string | undefined): { readonly resources: Resource[]; readonly nextCursor?: string };
  /** All of them at once, with what their SKILL.md holds: equal exactly while a client's view is. */
  everything(): readonly unknown[];
}

/**
 * What a model is offered, as `skill://NAME/…`: every file of every skill, the entries of the skills extension with a
 * digest a file, folders. Skills whose files are not what the published format asks for are served as resources, but
 * not listed as skills, because hosts must refuse them; the reason is told once. Everything answers from the current
 * snapshot, so a skill that is denied, off or gone meanwhile is not found (row H09).
 */
export function serveSkills(skills: Skills, warn: (message: string) => void): ServedSkills {
  const fileSystem = createFileSystem();
  const entries = new Map<string, { readonly key: string; readonly entry: SkillEntry | null }>();
  const offered = (): readonly VisibleSkill[] => skills.entries.filter(isServed);
  const find = (name: string): Skill | null =>
    skills.entries.find((entry) => isServed(entry) && entry.skill.name === name)?.skill ?? null;

  const filesOf = (skill: Skill): readonly string[] | null => {
    if (skill.flat || skill.directory === null) return ["SKILL.md"];
    const own = fileName(skill);
    const { files, more } = skills.files(skill, limits.files);
    return more ? null : files.map((path) => (path === own ? "SKILL.md" : path));
  };
  const bytesOf = (skill: Skill, path: string): Uint8Array | null => {
    const read = readSkillBytes(skill, path === "SKILL.md" ? fileName(skill) : path, { fileSystem });
    if (skill.flat && path !== "SKILL.md") return null;
    return read.kind === "bytes" ? read.data : null;
  };

  const entryOf = async (skill: Skill): Promise<SkillEntry | null> => {
    const files = filesOf(skill);
    const contents: Record<string, Uint8Array> = Object.create(null);
    const stamp = createHash("sha256").update(skill.location);
    let [total, problem] = [0, files === null ? `it has more than ${limits.files} files` : null];
    for (const path of problem === null ? (files ?? []) : []) {
      const bytes = bytesOf(skill, path);
      if (bytes === null) continue;
      total += bytes.length;
      if (total > limits.bytes) {
        problem = `its files have more than ${limits.bytes} bytes`;
        break;
      }
      contents[path] = bytes;
      stamp.update(`\0${path}\0`).update(nodeCodec.digest(bytes));
    }
    const key = problem ?? stamp.digest("hex");
    const known = entries.get(skill.location);
    if (known?.key === key) return known.entry;
    let entry: SkillEntry | null = null;
    if (problem === null) {
      try {
        entry = await skillEntry(skill.name, contents);
      } catch (error) {
        problem = reasonOf(error);
      }
    }
    if (problem !== null) warn(`"${skill.name}" is not listed for hosts that verify skills: ${problem}.`);
    entries.set(skill.location, { key, entry });
    return entry;
  };

  const listed = (): readonly VisibleSkill[] => offered().filter(({ skill }) => isStandardName(skill.name));
  return {
    async list({ cursor }) {
      const { page, nextCursor } = pageAfter(listed(), ({ skill }) => skill.name, cursor);
      const found: SkillEntry[] = [];
      for (const { skill } of page) {
        const entry = await entryOf(skill);
        if (entry !== null) found.push(entry);
      }
      return { skills: found, ...(nextCursor === undefined ? {} : { nextCursor }) };
    },
    async get(uri) {
      const parts = partsOf(uri);
      const skill = parts?.path === "SKILL.md" && isStandardName(parts.name) ? find(parts.name) : null;
      return skill === null ? undefined : ((await entryOf(skill)) ?? undefined);
    },
    async read(uri) {
      const parts = partsOf(uri);
      const skill = parts === null || parts.path === "" ? null : find(parts.name);
      if (parts === null || skill === null) return undefined;
      if (skill.directory === null)
        return parts.path === "SKILL.md"
          ? { text: skills.body(skill), mimeType: "text/markdown" }
          : undefined;
      const bytes = bytesOf(skill, parts.path);
      return bytes === null ? undefined : content(parts.path, bytes);
    },
    async readDirectory(uri, { cursor }) {
      const parts = partsOf(uri);
      const skill = parts === null ? null : find(parts.name);
      if (parts === null || skill === null) return undefined;
      const files = skill.flat || skill.directory === null ? ["SKILL.md"] : allFiles(skills, skill);
      const prefix = parts.path === "" ? "" : `${parts.path}/`;
      const below = files.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
      if (below.length === 0) return undefined;
      const names = [
        ...new Set(below.map((path) => (path.includes("/") ? `${path.split("/", 1)[0]}/` : path))),
      ];
      const { page, nextCursor } = pageAfter(names.sort(), (name) => name, cursor);
      const resources = page.map((name): Resource => {
        const plain = name.replace(/\/$/, "");
        const mimeType = name.endsWith("/") ? DIRECTORY_MIME_TYPE : mimeTypeOf(name);
        return { uri: skillUri(skill.name, prefix + plain), name: plain, mimeType };
      });
      return { resources, ...(nextCursor === undefined ? {} : { nextCursor }) };
    },
    resources: (cursor) => listResources(skills, offered(), cursor),
    everything: () =>
      offered().map(({ skill }) => [skill.name, skill.title, skill.description, skill.digest]),
  };
}

/** A skill that came from another server stays with that server; everything else that a model may load is served. */
function isServed({ modelInvocable, hidden, permission, skill }: VisibleSkill): boolean {
  return modelInvocable && hidden === null && permission === "allow" && skill.root.scope !== "mcp";
}

function isStandardName(name: string): boolean {
  return name.length <= 64 && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name);
}

function allFiles(skills: Skills, skill: Skill): readonly string[] {
  const own = fileName(skill);
  return skills.files(skill, 20_000).files.map((path) => (path === own ? "SKILL.md" : path));
}

function content(path: string, bytes: Uint8Array): SkillReadResult {
  const mimeType = mimeTypeOf(path);
  const text = losslessText(bytes);
  return text === null ? { bytes, mimeType } : { text, mimeType };
}

/** UTF-8 that gives the same bytes back, a byte order mark included; null for anything else. */
function losslessText(bytes: Uint8Array): string | null {
  if (bytes.subarray(0, 8000).includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function reasonOf(error: unknown): string {
  const problems =
    error instanceof Error && "problems" in error && Array.isArray(error.problems)
      ? error.problems.map((problem: { readonly message?: unknown }) => String(problem.message))
      : [String(error)];
  return problems.slice(0, 3).join("; ").replace(/\.$/, "");
}
