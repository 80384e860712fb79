import type { ExpandRequest, Expansion } from "../../activation/expand.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { contains } from "../../path.ts";
import type { Preparation, PrepareContext, Profile, TopicalNote, VisibilityRules } from "../../profile.ts";
import type { Skill } from "../../snapshot.ts";
import { customizeOpenCode } from "./builtin-skill.ts";
import { openCodeCatalog } from "./catalog.ts";
import { expandOpenCodeTemplate, openCodeCommand, openCodeCommands } from "./commands.ts";
import { lastWins } from "./contest.ts";
import { openCodeExpansion } from "./expansion.ts";
import { openCodeFamily } from "./family.ts";
import { openCodeV2Guidance } from "./guidance.ts";
import { openCodeFileLimit, openCodeReadLimits } from "./limits.ts";
import { openCodeLoad, openCodeV2Failure } from "./load.ts";
import { openCodePlaces } from "./places.ts";
import { createOpenCodeReader } from "./reader.ts";
import { mirrorRemote, openCodeCache, openCodeMirror } from "./remote.ts";
import { configurationFolders, openCodeRoots, projectConfigOff } from "./roots-v1.ts";
import { openCodeV2Plan } from "./roots-v2.ts";
import { folderScan } from "./scan-rules.ts";
import { readOpenCodeSettings } from "./settings.ts";
import type { SkillsForm } from "./skills-setting.ts";

const visibility: VisibilityRules = {
  trust: false,
  manualOnly: false,
  userInvocable: false,
  paths: false,
  requires: false,
  state: false,
  denied: "list",
  undescribed: "load-only",
};

const searchNote = "OpenCode has no search of its own; this is Skillet's.";

const commonNotes: readonly (string | TopicalNote)[] = [
  "Names, descriptions and bodies go into the prompt as they are: a skill can pose as part of the frame around it.",
  {
    about: "script",
    text: "JavaScript frontmatter, which the program runs while it looks for skills, is never run here.",
  },
];

const ignoredKeys: ReadonlyMap<string, string> = new Map([
  [
    "disable-model-invocation",
    "OpenCode ignores `disable-model-invocation`: a model is told of the skill and may load it all the same.",
  ],
  ["user-invocable", "OpenCode ignores `user-invocable`."],
  ["allowed-tools", "OpenCode ignores `allowed-tools`: the skill neither gives nor takes tools."],
  ["paths", "OpenCode ignores `paths`: the skill is offered whatever files are in play."],
  ["requires", "OpenCode ignores `requires`: nothing is looked at before the skill is offered."],
]);

const readerRules = { program: openCodeFamily.program, described: false, callFields: false };

type Shared = Omit<Profile, "version" | "title" | "notes" | "prepare" | "catalog" | "load">;

const shared: Omit<Shared, "id" | "reader" | "unknown" | "commands"> = {
  readLimits: openCodeReadLimits,
  fileLimit: openCodeFileLimit,
  visibility,
  ignoredKeys,
  identity: "path",
  looseNames: false,
  searchNote,
  nameKey: (name) => name,
  contest: lastWins,
  listOrder: (skills) => skills,
  manualOnly: () => null,
  command: openCodeCommand,
  fillTemplate: expandOpenCodeTemplate,
};

const first: Shared = {
  ...shared,
  id: "opencode",
  reader: createOpenCodeReader({ ...readerRules, stripMark: false, fileNames: false, objectNames: true }),
  unknown: (name, names) =>
    `Skill "${name}" not found. Available skills: ${[...names].sort().join(", ") || "none"}`,
  commands: (skills, reserved, body) => openCodeCommands(skills, reserved, { body, wanted: () => true }),
  expand: (request) => expandWith(request, () => true),
};

const second: Shared = {
  ...shared,
  id: "opencode-v2",
  reader: createOpenCodeReader({ ...readerRules, stripMark: true, fileNames: true, objectNames: false }),
  unknown: (name) => `Unable to load skill ${name}`,
  failedCall: openCodeV2Failure,
  commands: (skills, reserved, body) => openCodeCommands(skills, reserved, { body, wanted: asksForSlash }),
  expand: (request) => expandWith(request, asksForSlash),
};

function asksForSlash(skill: Skill): boolean {
  return skill.extra.slash === true;
}

function expandWith(request: ExpandRequest, wanted: (skill: Skill) => boolean): Expansion {
  const body = (skill: Skill): string => request.body(skill) ?? "";
  return openCodeExpansion(request, (entries) =>
    openCodeCommands(entries, request.reserved, { body, wanted }),
  );
}

function prepareFirst(context: PrepareContext): Preparation {
  const diagnostics: Diagnostic[] = [];
  const family = openCodeFamily;
  const places = openCodePlaces(context, family);
  const project = !projectConfigOff(context, family);
  const folders = configurationFolders(places, { project, family });
  const settings = readOpenCodeSettings(context, places, { family, folders, project, diagnostics });
  const remote = mirrorRemote(context, settings.sources, {
    folder: openCodeCache(context.environment),
    rules: openCodeMirror,
    scan: folderScan,
  });
  const { roots, decisions } = openCodeRoots(context, places, {
    family,
    folders,
    sources: settings.sources,
    pulled: remote,
    diagnostics,
  });
  const { permission, commands } = settings;
  return {
    roots,
    embedded: [customizeOpenCode],
    decisions,
    permission,
    commands,
    diagnostics,
    remote: remote.plan,
  };
}

function prepareSecond(context: PrepareContext, forms: readonly SkillsForm[]): Preparation {
  const diagnostics: Diagnostic[] = [];
  const plan = openCodeV2Plan(context, openCodePlaces(context, openCodeFamily), { forms, diagnostics });
  return { ...plan, embedded: [customizeOpenCode], diagnostics };
}

/**
 * As recorded (golden `v2.random.12`, `v2.random.29` against `v2.walk.inside_home`): in a folder that lies neither in a
 * repository nor below home the program lists the built-in skill alone, not even those of its global folder.
 */
function prepareRecordedSecond(context: PrepareContext): Preparation {
  const plan = prepareSecond(context, ["list"]);
  const { cwd, home, inRepository } = openCodePlaces(context, openCodeFamily);
  if (inRepository || contains(home, cwd)) return plan;
  const message =
    "OpenCode V2 lists no skills here: the working folder is neither in a git repository nor below home.";
  const off = plan.roots.map(
    ({ path }) => ({ stage: "root", outcome: "off", reason: "no-project", path, message }) as const,
  );
  return { ...plan, roots: [], decisions: [...off, ...plan.decisions] };
}

const nondeterministic: TopicalNote = {
  about: "copies",
  text: "Of several copies of a name the one that is scanned last wins here, always; the program parses all files at once, so there the last to finish wins.",
};
const endsCycles: TopicalNote = {
  about: "links",
  text: "A link that leads back into its own tree ends there; the program walks it some forty times.",
};

/** The first generation, as recorded from program 1.18.33. */
const openCode: Profile = {
  ...first,
  version: null,
  title: "OpenCode 1.18.33",
  notes: [...commonNotes, nondeterministic, endsCycles],
  prepare: prepareFirst,
  catalog: (request) => openCodeCatalog(request, { location: "escaped-path", absent: "tool-off" }),
  load: (request) => openCodeLoad(request, { base: "path", ignoreFiles: true, emptyList: "blank-line" }),
};

/** The first generation as the seed describes it: locations as file URLs (decisions D1, D2). */
const openCodeSeed: Profile = {
  ...openCode,
  version: "seed",
  title: "OpenCode as of June 2026",
  catalog: (request) => openCodeCatalog(request, { location: "file-url", absent: "tool-off" }),
  load: (request) => openCodeLoad(request, { base: "file-url", ignoreFiles: true, emptyList: "blank-line" }),
};

/** The second generation, as recorded from program 1.18.33. */
const openCodeV2: Profile = {
  ...second,
  version: null,
  title: "OpenCode V2 of 1.18.33",
  notes: commonNotes,
  prepare: prepareRecordedSecond,
  guidance: openCodeV2Guidance("update"),
  catalog: (request) => openCodeCatalog(request, { location: "none", absent: "all-denied" }),
  load: (request) => openCodeLoad(request, { base: "path", ignoreFiles: false, emptyList: "nothing" }),
};

/** The second generation as the seed describes it (decisions D2, D5). */
const openCodeV2Seed: Profile = {
  ...openCodeV2,
  version: "seed",
  title: "OpenCode V2 as of June 2026",
  prepare: (context) => prepareSecond(context, ["object", "list"]),
  guidance: openCodeV2Guidance("epoch"),
  load: (request) => openCodeLoad(request, { base: "file-url", ignoreFiles: false, emptyList: "nothing" }),
};

/** Features O1–O19, first and second generation, as recorded and as the seed has them. */
export const openCodeProfiles: readonly Profile[] = [openCode, openCodeV2, openCodeSeed, openCodeV2Seed];
