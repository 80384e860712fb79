import type { Diagnostic } from "../../diagnostic.ts";
import { makeDiagnostic } from "../../diagnostics/make.ts";
import { findRepository } from "../../discovery/repository.ts";
import type { FileSystem } from "../../file-system.ts";
import { contains, dirname, join } from "../../path.ts";
import type { Preparation, PrepareContext } from "../../profile.ts";
import { findFences } from "../../skill/fences.ts";
import type { Entry } from "../../skill/frontmatter-node.ts";
import { listWords } from "../../skill/list-fields.ts";
import { readFrontmatter } from "../../skill/read-frontmatter.ts";
import { sourceText } from "../../skill/source-text.ts";
import { printable } from "../../text/printable.ts";
import { brands } from "./brands.ts";
import { userFolder, workspaceLevels } from "./roots.ts";

/** Bytes of one agent's file. */
const fileLimit = 262_144;
/** Files of one folder that are looked at for a name. */
const mostFiles = 200;
/** Skills that one agent loads at its start. */
const mostSkills = 50;

type Start = NonNullable<Preparation["start"]>;

/**
 * The skills that an agent loads at its start: `skills` in the frontmatter of its file in an `agents` folder beside the
 * skills folders, nearest level first, then the user's (case c-subagent). A project's file counts once the project is
 * trusted. Null: there is no such file.
 */
export function agentStart(context: PrepareContext): {
  readonly start: Start | null;
  readonly diagnostics: readonly Diagnostic[];
} {
  const { agent } = context;
  if (agent.name === null || !/^[\p{L}\p{N}_][\p{L}\p{N}_.:-]*$/u.test(agent.name))
    return { start: null, diagnostics: [] };
  const name = agent.name;
  const diagnostics: Diagnostic[] = [];
  for (const place of agentFolders(context)) {
    const file = agentFile(context, place, name);
    if (file === null) continue;
    if (file.entries === null) {
      const message = `The file of the agent "${printable(name)}" has no frontmatter that can be read.`;
      diagnostics.push(makeDiagnostic("agent/unreadable", { path: file.path, message }));
      continue;
    }
    const skills = file.entries.find(({ key }) => key.toLowerCase() === "skills");
    if (skills === undefined) return { start: null, diagnostics };
    if (place.boundary !== null && !context.trust) {
      const message = `This project has a file for the agent "${printable(name)}" that loads skills at its start; it is not used before the project is trusted.`;
      diagnostics.push(makeDiagnostic("agent/untrusted", { path: file.path, message }));
      continue;
    }
    const names = listWords(skills.value).filter((word) => word !== "");
    return { start: { path: file.path, skills: [...new Set(names)].slice(0, mostSkills) }, diagnostics };
  }
  return { start: null, diagnostics };
}

interface AgentFolder {
  readonly folder: string;
  /** A project's files lie inside this folder, links resolved; null = the user's own, wherever they lie. */
  readonly boundary: string | null;
}

/** `agents` (OpenCode and its relatives also say `agent`) beside every skills folder that is searched. */
function agentFolders({ environment, fileSystem, configuration }: PrepareContext): readonly AgentFolder[] {
  const known = configuration.brands.flatMap((id) => brands.get(id) ?? []);
  const repository = findRepository(fileSystem, environment.cwd);
  const levels = workspaceLevels(environment, repository);
  const beside = (folder: string): readonly string[] => ["agents", "agent"].map((word) => join(folder, word));
  const workspace = levels.flatMap((level) => {
    const folders = known.flatMap(({ workspace }) =>
      workspace.flatMap((folder) => beside(join(level, dirname(folder)))),
    );
    return [...new Set(folders)].map((folder) => ({ folder, boundary: repository?.root ?? level }));
  });
  const user = known.flatMap(({ user }) =>
    user.flatMap((place) => {
      const folder = userFolder(environment, place);
      return folder === null ? [] : beside(folder);
    }),
  );
  return [...workspace, ...[...new Set(user)].map((folder) => ({ folder, boundary: null }))];
}

interface AgentFile {
  readonly path: string;
  /** Null: there is no frontmatter to read. */
  readonly entries: readonly Entry[] | null;
}

/** `NAME.md`, else the file that says the name. */
function agentFile(context: PrepareContext, place: AgentFolder, name: string): AgentFile | null {
  const direct = readAgent(context, place, `${name}.md`);
  if (direct !== null) return direct;
  for (const file of markdownFiles(context.fileSystem, place.folder)) {
    const read = readAgent(context, place, file);
    const said = read?.entries?.find(({ key }) => key.toLowerCase() === "name")?.value;
    if (read !== null && said?.kind === "scalar" && said.text.trim() === name) return read;
  }
  return null;
}

function markdownFiles(fileSystem: FileSystem, folder: string): readonly string[] {
  const read = fileSystem.readDirectory(folder, { limit: mostFiles });
  if (read.kind !== "directory") return [];
  return read.entries
    .filter(({ name, type }) => type === "file" && name.endsWith(".md"))
    .map(({ name }) => name);
}

function readAgent(
  { fileSystem, codec, configuration }: PrepareContext,
  { folder, boundary }: AgentFolder,
  file: string,
): AgentFile | null {
  const path = join(folder, file);
  const real = fileSystem.realPath(path);
  if (real.kind === "failure" || (boundary !== null && !contains(realOf(fileSystem, boundary), real.path)))
    return null;
  const read = fileSystem.readFile(real.path, { limit: fileLimit, follow: false, real: real.path });
  if (read.kind !== "file") return null;
  const text = sourceText(read.bytes, codec);
  if (text.kind === "failure") return { path, entries: null };
  const fences = findFences(text);
  if (fences.kind !== "block") return { path, entries: null };
  const { frontmatterBytes, yamlDepth: depth, yamlKeys: keys } = configuration.limits;
  if (fences.to - fences.from > frontmatterBytes) return { path, entries: null };
  const frontmatter = text.slice(fences.from, fences.to).replace(/\r\n?/g, "\n");
  const found = readFrontmatter(frontmatter, {
    limits: { frontmatterBytes, depth, keys, aliases: 0 },
    line: fences.line,
  });
  return { path, entries: found.kind === "entries" ? found.entries : null };
}

function realOf(fileSystem: FileSystem, path: string): string {
  const real = fileSystem.realPath(path);
  return real.kind === "path" ? real.path : path;
}
