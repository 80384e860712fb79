import type { EmbeddedSkill } from "../../profile.ts";

const description =
  "Read this before changing how OpenCode itself is set up: its opencode.json or opencode.jsonc, anything under " +
  ".opencode/ or ~/.config/opencode/, and its agents, commands, skills, plugins, MCP servers or permission rules. " +
  "Not for code of the user's own program.";

const body = `# Set up OpenCode

OpenCode stops at start-up when one of its settings files is not valid, so change as little as needed and check the file
afterwards.

## Where settings live

Later ones win; objects are merged key by key, lists are replaced.

1. \`~/.config/opencode/\`: \`config.json\`, \`opencode.json\`, \`opencode.jsonc\`
2. the file named by \`OPENCODE_CONFIG\`
3. \`opencode.json\` and \`opencode.jsonc\` from the top of the repository down to the working folder
4. the same two names in \`.opencode/\` folders, in \`~/.opencode/\` and in \`OPENCODE_CONFIG_DIR\`

Comments and trailing commas are allowed. \`{env:NAME}\` puts in a variable.

## Keys that matter most

| key | holds |
|---|---|
| \`model\`, \`small_model\` | \`provider/model\` |
| \`provider\` | options and models per provider |
| \`agent\` | \`{NAME: {description, mode, model, prompt, permission}}\` |
| \`command\` | \`{NAME: {template, description, agent}}\` |
| \`permission\` | see below |
| \`skills\` | \`{"paths": ["./tools/skills"], "urls": ["https://example.org/skills/"]}\` |
| \`mcp\` | servers: \`{NAME: {"type": "local", "command": [...]}}\` or \`{"type": "remote", "url": …}\` |
| \`instructions\`, \`plugin\` | lists of files and packages |

## Files instead of keys

In any of the configuration folders:

- \`agent/NAME.md\`: the settings of an agent as frontmatter, its prompt as text
- \`command/NAME.md\`: description as frontmatter, the template as text; \`$1\`, \`$2\` and \`$ARGUMENTS\` are filled in
- \`skills/NAME/SKILL.md\`: frontmatter with \`name\` and \`description\`, then instructions

## Permissions

\`"permission": {"edit": "ask", "bash": {"*": "ask", "git status*": "allow"}, "skill": {"internal-*": "deny"}}\`

Actions are \`allow\`, \`ask\` and \`deny\`. The last rule that fits decides, so write \`*\` first and exceptions after it. An
agent's own \`permission\` comes after the general one.

## Afterwards

Start OpenCode once in the project. If it reports a settings file, read the line that it names. \`opencode debug config\`
prints what was merged, \`opencode debug skill\` the skills that it found.
`;

/** Stands for the program's own built-in skill of this name (feature O8); the text is ours. */
export const customizeOpenCode: EmbeddedSkill = {
  name: "customize-opencode",
  description,
  body,
  location: "<built-in>",
};
