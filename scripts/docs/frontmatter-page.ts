import { type KeyShape, keyShapes, type SkillKey, standardKeys } from "../../src/core/skill/skill-keys.ts";

const shapes: Readonly<Record<KeyShape, string>> = {
  prose: "text to the end of the line",
  word: "one short text",
  list: "a list of texts, or one text",
  map: "keys with values",
  flag: "`true` or `false`",
};

const meanings: Readonly<Record<SkillKey, string>> = {
  name: "what the skill is called by; left out = the folder's name",
  description:
    "what it does and when to use it: what a model is told, and what search counts most after names; left out = the first paragraph",
  license: "shown, without effect",
  compatibility: "shown, without effect",
  metadata: "kept as it is; `metadata.openclaw.requires` counts as `requires`",
  "allowed-tools": "shown; grants nothing",
  title: "a name for people",
  when_to_use: "more about when to use it; search counts it beside the description",
  "argument-hint": "what may follow `/name`, shown with the command: `[file] [format]`",
  arguments: "names for the words that follow `/name`, in order",
  aliases: "other names: for `/alias`, `skillet load`, and search, where they count nearly like the name",
  paths:
    "file patterns: a model is told of the skill while such a file is in play; a load by name works all the same",
  requires:
    "what must be there: `bins`, `anyBins`, `env`, `os`, `tools`, `features`, `mcp-servers`; else the skill is not offered",
  "disable-model-invocation": "`true`: no model is told of it or may load it; people call it",
  "user-invocable": "`false`: no slash command is made of it",
  displayNames: "names in other languages, by language tag; search counts them",
  descriptions: "descriptions in other languages, by language tag; search counts them",
};

/** `docs/frontmatter.md`, from the table of keys that profile `skillet` has a meaning for. */
export function frontmatterPage(): string {
  return [
    "# Frontmatter",
    "",
    "What may stand between the two lines `---` at the head of a SKILL.md, and what Skillet makes of it. All keys are optional.",
    "Other agents know only some of them: `skillet why NAME --as opencode` says where one ignores what keeps a skill back.",
    "",
    "```yaml",
    "---",
    "name: release-notes",
    "description: Write release notes from commits. Use when a version is published.",
    "aliases:",
    "  - changelog",
    "  - what-is-new",
    "requires:",
    "  bins: [git]",
    "---",
    "```",
    "",
    "| key | value | meaning | in the published standard |",
    "|---|---|---|---|",
    ...(Object.keys(keyShapes) as SkillKey[]).map(
      (key) =>
        `| \`${key}\` | ${shapes[keyShapes[key]]} | ${meanings[key]} | ${standardKeys.includes(key) ? "yes" : "no"} |`,
    ),
    "",
    "Case and separators do not matter (`whenToUse`, `argument_hint`). Other keys are kept, without effect;",
    "`skillet check` names one that looks like a slip, and `--strict` every one that the published standard does not have.",
    "",
  ].join("\n");
}
