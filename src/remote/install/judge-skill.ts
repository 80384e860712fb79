import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import { profileNamed } from "../../core/profiles/index.ts";
import { printable } from "../../core/text/printable.ts";
import { nodeCodec } from "../../host/node-file-system.ts";
import { collisionKey } from "../archive/collision-key.ts";
import type { ArchiveLimits } from "../archive/limits.ts";
import { pathProblem } from "../archive/path-problem.ts";
import type { SkillFile } from "../digest/skill-file.ts";
import { treeDigest } from "../digest/tree-digest.ts";
import { isSkillName } from "../lock/safe-names.ts";
import type { Candidate } from "./candidate.ts";
import type { FetchedSkill } from "./fetched-skill.ts";
import { inspectSkill } from "./inspect-skill.ts";
import { resolveLinks } from "./resolve-links.ts";
import { withSkillFile } from "./with-skill-file.ts";

export interface JudgeOptions {
  /** What the source is called in diagnostics, safe already. */
  readonly label: string;
  readonly limits: ArchiveLimits;
  /** Archives of strangers have no links; a repository or folder of the user's may have inner ones. */
  readonly links: "refuse" | "resolve";
}

export interface JudgedSkill {
  readonly skill: FetchedSkill | null;
  /** Errors when `skill` is null. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Decides whether a candidate can be installed: safe paths, no twins, within the limits, a name that can be a folder. */
export function judgeSkill(candidate: Candidate, options: JudgeOptions): JudgedSkill {
  const place = candidate.folder === "" ? options.label : `${options.label}: ${printable(candidate.folder)}`;
  const called = printable(candidate.folder === "" ? candidate.folderName : candidate.folder).slice(0, 200);
  const refuse = (code: Parameters<typeof makeDiagnostic>[0], message: string): JudgedSkill => ({
    skill: null,
    diagnostics: [
      makeDiagnostic(code, { path: place, message: called === "" ? message : `${called}: ${message}` }),
    ],
  });
  const excess = candidate.excess ?? null;
  if (excess !== null) return refuse("install/too-large", `The skill is refused: ${excess}.`);
  const [link] = candidate.links;
  if (options.links === "refuse" && link !== undefined) {
    const shown = `${printable(link.path)} leads to ${printable(link.target).slice(0, 100)}`;
    return refuse("archive/link", `The skill has a link: ${shown}.`);
  }
  const resolved = resolveLinks(candidate, place);
  const { links, leftOut } = resolved;
  const { files, was } = withSkillFile(resolved.files);
  const problem = filesProblem(files, options.limits);
  if (problem !== null) return refuse(problem.code, problem.message);
  const read = readDocument(candidate, files, place);
  if (read.name === null) return refuse(read.code, read.message);
  const findings = [
    ...renamed(was, place),
    ...resolved.diagnostics,
    ...read.findings,
    ...inspectSkill(files, place),
  ];
  return {
    skill: {
      name: read.name,
      description: read.description,
      path: candidate.folder === "" ? null : candidate.folder,
      files,
      links,
      leftOut,
      digest: treeDigest(files),
      findings,
    },
    diagnostics: [],
  };
}

function renamed(was: string | null, place: string): readonly Diagnostic[] {
  if (was === null) return [];
  const message = `The file is named ${was}; it is installed as SKILL.md.`;
  return [makeDiagnostic("discovery/skill-file-case", { path: place, message })];
}

function filesProblem(
  files: readonly SkillFile[],
  limits: ArchiveLimits,
): { readonly code: "install/unsafe-path" | "install/too-large"; readonly message: string } | null {
  const keys = new Map<string, string>();
  let bytes = 0;
  for (const { path, bytes: content } of files) {
    const shown = printable(path).slice(0, 200);
    const problem = pathProblem(path);
    if (problem !== null)
      return { code: "install/unsafe-path", message: `The path "${shown}" is refused: ${problem}.` };
    const key = collisionKey(path);
    const twin = keys.get(key);
    if (twin !== undefined) {
      const message = `"${printable(twin)}" and "${shown}" would be one file on some systems.`;
      return { code: "install/unsafe-path", message };
    }
    keys.set(key, path);
    bytes += content.length;
    if (path.split("/").length - 1 > limits.depth || Buffer.byteLength(path) > limits.pathBytes) {
      return { code: "install/too-large", message: `The path "${shown}" is deeper or longer than allowed.` };
    }
  }
  if (files.length > limits.entries) {
    return {
      code: "install/too-large",
      message: `The skill has ${files.length} files; ${limits.entries} are allowed.`,
    };
  }
  if (bytes > limits.bytes) {
    return {
      code: "install/too-large",
      message: `The skill has ${bytes} bytes; ${limits.bytes} are allowed.`,
    };
  }
  return null;
}

type ReadDocument =
  | { readonly name: string; readonly description: string | null; readonly findings: readonly Diagnostic[] }
  | {
      readonly name: null;
      readonly code: "install/no-skill" | "install/bad-name" | "install/unreadable-skill";
      readonly message: string;
    };

function readDocument(candidate: Candidate, files: readonly SkillFile[], place: string): ReadDocument {
  const file = files.find(({ path }) => path === "SKILL.md");
  if (file === undefined)
    return { name: null, code: "install/no-skill", message: "There is no SKILL.md in it." };
  const { reader, readLimits, fileLimit } = profileNamed("skillet");
  if (file.bytes.length > fileLimit) {
    return {
      name: null,
      code: "install/unreadable-skill",
      message: `SKILL.md has more than ${fileLimit} bytes.`,
    };
  }
  const source = {
    path: `${place}/SKILL.md`,
    folder: candidate.folderName,
    file: null,
    bytes: Uint8Array.from(file.bytes),
  };
  const { document, diagnostics, skip } = reader.read(source, { codec: nodeCodec, limits: readLimits });
  if (document === null) {
    return {
      name: null,
      code: "install/unreadable-skill",
      message: `SKILL.md cannot be read: ${skip.message || skip.code}.`,
    };
  }
  const { description } = document;
  if (isSkillName(document.name)) return { name: document.name, description, findings: diagnostics };
  const shown = printable(document.name).slice(0, 100);
  if (!isSkillName(candidate.folderName)) {
    return { name: null, code: "install/bad-name", message: `The name "${shown}" cannot be installed.` };
  }
  const message = `The name "${shown}" cannot be a folder in every agent, so it is installed as "${candidate.folderName}".`;
  const note = makeDiagnostic("install/name-differs", { path: place, message });
  return { name: candidate.folderName, description, findings: [...diagnostics, note] };
}
