import { gateLoad, loadSkill } from "../../core/activation/load-skill.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import type { Environment } from "../../core/environment.ts";
import type { FileSystem } from "../../core/file-system.ts";
import type { Skill } from "../../core/snapshot.ts";
import { authorize } from "../../core/visibility/permission.ts";
import { approvedRules } from "../../core/visibility/stored-state.ts";
import type { McpSources } from "../mcp-sources/mcp-sources.ts";
import type { Loaded, Skills } from "../skills.ts";
import type { LiveState } from "../watch/live-state.ts";
import type { createSkillFiles } from "./skill-files.ts";
import type { Picture } from "./survey.ts";

/** What a load needs of an open set. */
export interface LoadParts {
  current(): Picture;
  /** Text of a skill; null = it cannot be read. */
  body(skill: Skill): string | null;
  readonly files: ReturnType<typeof createSkillFiles>;
  readonly mcp: McpSources;
  readonly live: Pick<LiveState, "departed">;
  readonly environment: Environment;
  readonly fileSystem: FileSystem;
}

/** Files that are named to a model at once. */
const listedFiles = 200;

/** Loads by name, with every question that has to be answered before a model or a user gets a text. */
export function createLoading(parts: LoadParts): Pick<Skills, "load" | "loadFile"> {
  const { files, mcp, live, environment, fileSystem } = parts;
  const changed = (skill: Skill): string | null => {
    const { trust, preparation } = parts.current();
    return trust.changed(skill) ?? preparation.changed?.(skill) ?? null;
  };
  return {
    load: (name, request = {}) => {
      const picture = parts.current();
      const by = request.by ?? "model";
      const loaded = loadSkill({
        profile: picture.profile,
        entries: picture.entries,
        name,
        arguments: request.arguments ?? "",
        by,
        approved: request.approved === true || isApproved(picture, name),
        body: parts.body,
        missing: (skill) => mcp.problem(skill, null)?.message ?? null,
        changed,
        fileSystem,
        environment,
        fileLimit: picture.configuration.limits.listedFiles,
        ...(request.commandOutputs === undefined ? {} : { commandOutputs: request.commandOutputs }),
      });
      if (loaded.status === "unreadable") {
        const found = picture.entries.find(({ skill }) => skill.name === loaded.name);
        const problem = found === undefined ? null : mcp.problem(found.skill, null);
        return { ...loaded, diagnostics: problem === null ? [] : [problem] };
      }
      return withDeparture({ ...loaded, diagnostics: [] }, { name, by, live, picture });
    },
    loadFile: (name, path, request = {}) => {
      const picture = parts.current();
      const gate = gateLoad({
        profile: picture.profile,
        entries: picture.entries,
        name,
        by: request.by ?? "model",
        approved: request.approved === true || isApproved(picture, name),
        changed,
      });
      if (gate.kind === "refused") {
        const { status, name: found, output } = gate.result;
        return { status: status === "loaded" ? "unknown" : status, name: found, output };
      }
      const { skill } = gate.entry;
      return path === null
        ? { status: "listed", name: skill.name, ...files.list(skill, listedFiles) }
        : { status: "read", name: skill.name, file: files.read(skill, path) };
    },
  };
}

/** Whether the user said "always" to this skill. */
function isApproved({ trust, profile, workFolder, preparation }: Picture, name: string): boolean {
  const saved = approvedRules(trust.state, profile.id, workFolder);
  const request = { permission: "skill", patterns: [name] };
  return saved.length > 0 && authorize(request, { rules: preparation.permission, saved }) === "allow";
}

/** A name that was there a moment ago gets an answer that says so; who did not see it before is not told of it (row H09). */
function withDeparture(
  loaded: Loaded,
  {
    name,
    by,
    live,
    picture,
  }: {
    readonly name: string;
    readonly by: "model" | "user";
    readonly live: LoadParts["live"];
    readonly picture: Picture;
  },
): Loaded {
  const gone = loaded.status === "unknown" ? live.departed(name) : null;
  if (gone === null || !(by === "model" ? gone.forModel : gone.listed)) return loaded;
  const { location, message } = gone;
  return {
    ...loaded,
    output: picture.profile.departed?.(name, message) ?? loaded.output,
    diagnostics: [makeDiagnostic("skill/departed", { path: location, message })],
  };
}
