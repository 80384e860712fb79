import type { Diagnostic } from "../../diagnostic.ts";
import { silentGuidance } from "../../guidance/guidance.ts";
import type { Preparation, PrepareContext, Profile, VisibilityRules } from "../../profile.ts";
import type { Skill } from "../../snapshot.ts";
import { expandOpenCodeTemplate } from "../opencode/commands.ts";
import { contest } from "../opencode/contest.ts";
import { openCodeFileLimit, openCodeReadLimits } from "../opencode/limits.ts";
import { openCodePlaces } from "../opencode/places.ts";
import { createOpenCodeReader } from "../opencode/reader.ts";
import { type MirrorRules, mirrorRemote } from "../opencode/remote.ts";
import { configurationFolders, projectConfigOff } from "../opencode/roots-v1.ts";
import { folderScan } from "../opencode/scan-rules.ts";
import { readOpenCodeSettings } from "../opencode/settings.ts";
import { builtInWorkflows, builtinPack, isOfficial, neededPrograms } from "./bundled.ts";
import { byMimoName, mimoCatalog } from "./catalog.ts";
import { mimoCommands } from "./commands.ts";
import { mimoLoad } from "./content.ts";
import { mimoExpansion } from "./expansion.ts";
import { isMimoSwitchOn, mimoFamily } from "./family.ts";
import { mimoPacks } from "./packs.ts";
import { mimoPulledFolder } from "./places.ts";
import { mimoRoots } from "./roots.ts";
import { mimoSearch } from "./search-tool.ts";

const officialSwitch = "MIMOCODE_DISABLE_OFFICIAL_SKILLS";

/** Skills of the general pack that this machine or a switch keeps out (features M4, M8). */
const gate: NonNullable<VisibilityRules["gate"]> = (skill, { hasProgram, variables }) => {
  if (skill.root.source !== builtinPack) return null;
  if (isOfficial(skill.name) && isMimoSwitchOn({ variables }, officialSwitch))
    return `Switched off by ${officialSwitch}.`;
  const program = neededPrograms.get(skill.name);
  return program === undefined || hasProgram(program)
    ? null
    : `It needs the program \`${program}\`, which is not on PATH.`;
};

/** One cache folder for all addresses, no versions: what is there is not fetched again (feature M21). */
const mimoMirror: MirrorRules = {
  perSource: "shared",
  versionFile: null,
  mainFile: "SKILL.md",
  addressing: "joined",
  tries: 1,
};

function prepare(context: PrepareContext): Preparation {
  const family = mimoFamily;
  const diagnostics: Diagnostic[] = [...(context.packs?.diagnostics ?? [])];
  const places = openCodePlaces(context, family);
  const project = !projectConfigOff(context, family);
  const folders = configurationFolders(places, { project, family });
  const settings = readOpenCodeSettings(context, places, { family, folders, project, diagnostics });
  const remote = mirrorRemote(context, settings.sources, {
    folder: mimoPulledFolder(context.environment, context.fileSystem),
    rules: mimoMirror,
    scan: folderScan,
  });
  const { roots, decisions } = mimoRoots(context, places, {
    folders,
    sources: settings.sources,
    pulled: remote,
    diagnostics,
  });
  const { permission, commands } = settings;
  return { roots, embedded: [], decisions, permission, commands, diagnostics, remote: remote.plan };
}

function unknownText(name: string, names: readonly string[]): string {
  if (builtInWorkflows.has(name))
    return `"${name}" is a built-in workflow, not a skill. Run it with the workflow tool: operation "run", name "${name}".`;
  const sorted = names.map((one) => ({ name: one })).sort(byMimoName);
  return `Skill "${name}" not found. Available skills: ${sorted.map((one) => one.name).join(", ") || "none"}`;
}

/** MiMo Code v0.1.14's skill system (features M1–M23; seed 000). */
export const mimoProfile: Profile = {
  id: "mimo",
  version: null,
  title: "MiMo Code 0.1.14",
  notes: [
    "Names, descriptions and bodies go into the prompt as they are: a skill can pose as part of the frame around it.",
    "JavaScript frontmatter, which the program runs while it looks for skills, is never run here.",
    "A link that leads back into its own tree ends there; the program walks it some forty times.",
    "A name such as `constructor` is a name like any other here; the program takes members that every object has for skills.",
    "An empty alias makes a skill the answer to nearly every search, as in the program; `check` reports it.",
    "The list of files is sorted here; the program's order changes from run to run.",
  ],
  reader: createOpenCodeReader({
    program: mimoFamily.program,
    stripMark: false,
    fileNames: false,
    objectNames: false,
    described: true,
    callFields: true,
  }),
  readLimits: openCodeReadLimits,
  fileLimit: openCodeFileLimit,
  visibility: {
    trust: false,
    manualOnly: true,
    userInvocable: false,
    paths: false,
    requires: false,
    state: false,
    denied: "list",
    undescribed: "catalog",
    namedOnMiss: "offered",
    gate,
  },
  identity: "path",
  packs: mimoPacks,
  looseNames: false,
  // Of its own folders only, and never with backslashes, as the program does (feature M9).
  reloadsAfterEdit: (path) => /\/\.mimocode\/(tools?|skills?)\//.test(path),
  prepare,
  nameKey: (name) => name,
  contest: (skills) => contest(skills, { program: mimoFamily.program, bundledYields: true }),
  listOrder: (skills: readonly Skill[]) => skills,
  catalog: mimoCatalog,
  guidance: silentGuidance({ changes: "frozen", place: "last" }),
  load: mimoLoad,
  unknown: unknownText,
  manualOnly: (name) =>
    `Skill "${name}" sets disable-model-invocation, so you cannot load it. Tell the user to type /${name} to run it.`,
  commands: (skills, reserved, body, environment) => mimoCommands(skills, reserved, { body, environment }),
  command: ({ skill, arguments: text }) => (text === "" ? `/${skill.name}` : `/${skill.name} ${text}`),
  fillTemplate: expandOpenCodeTemplate,
  search: mimoSearch,
  expand: mimoExpansion,
};
