import { type ConfigKey, configKeys } from "../../src/core/configuration/keys.ts";

const rights: Readonly<Record<ConfigKey["project"], string>> = {
  any: "yes",
  never: "no",
  lower: "only lower",
  off: "only off",
  "own-rule": "only stricter",
};

/** `docs/configuration.md`: the layers and every setting, from the table that reads them. */
export function settingsPage(): string {
  return [
    "# Settings",
    "",
    "Settings are JSON with comments in files named `skillet.jsonc` (or `skillet.json`). The weakest layer first:",
    "",
    "1. built-in defaults",
    "2. yours: `~/.config/skillet/skillet.jsonc` (or below `XDG_CONFIG_HOME`); `--config FILE` takes its place",
    "3. the project's: every `skillet.jsonc` from the working folder up to the repository root, the nearest strongest",
    "4. the administrator's: `/etc/skillet/skillet.jsonc` (Linux), `/Library/Application Support/Skillet` (macOS),",
    "   `C:/ProgramData/Skillet` (Windows), or `SKILLET_MANAGED_DIR`",
    "",
    "A project can never grant itself rights: it can deny and ask where you allow, lower limits, and name folders inside its",
    "own repository. Everything else in its file is ignored with a diagnostic. `skillet config list --origin` shows which",
    "file each value comes from, `skillet config set KEY VALUE` changes your own file and keeps its comments, and",
    "`skillet config schema` prints a JSON schema for editors.",
    "",
    "```jsonc",
    "{",
    '  "permission": { "skill": { "deploy-*": "ask", "internal-*": "deny" } },',
    '  "skills": { "paths": ["~/work/team-skills"], "pins": ["release-notes"] },',
    '  "precedence": ["user", "project"], // your own copy wins over the project\'s',
    '  "trust": { "workspace": "always" } // no `skillet trust` needed anywhere',
    "}",
    "```",
    "",
    "| setting | default | a project may | meaning |",
    "|---|---|---|---|",
    ...configKeys.map(row),
    "",
    "Permission rules: the last one that matches wins; `*` is any run of characters, `?` one. `deny` means that nobody can",
    "use the skill, `ask` that a model has to ask first. Rules for one agent stand under `agent.NAME.permission` and are",
    "chosen with `--agent NAME`.",
    "",
  ].join("\n");
}

function row({ key, default: value, description, project }: ConfigKey): string {
  const shown = JSON.stringify(value);
  const short = shown.length > 60 ? `${shown.slice(0, 57)}…` : shown;
  return `| \`${key}\` | \`${short.replaceAll("|", "\\|")}\` | ${rights[project]} | ${description.replaceAll("|", "\\|")} |`;
}
