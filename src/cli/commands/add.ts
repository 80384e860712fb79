import { readFileSync } from "node:fs";
import { SkilletError } from "../../core/error.ts";
import { resolve } from "../../core/path.ts";
import type { Command, Context } from "../command.ts";
import { usageError } from "../usage-error.ts";

/** `skillet add`: skills from elsewhere, shown before they are written. */
export const add: Command = {
  name: "add",
  operands: "SOURCE…",
  least: 1,
  most: null,
  summary: "install skills from a repository, site, archive, registry or folder",
  details: [
    "SOURCE is owner/repo, owner/repo@skill, owner/repo#branch, the address of a repository or of a folder in it (…/tree/BRANCH/FOLDER), any Git address, an archive, a site with a well-known index, a single SKILL.md, oci://HOST/NAME:TAG, or a local path. A skills-lock.json of the skills command is taken over.",
    "Shows names, files, sizes, scripts and findings first, and asks. The skills go to .agents/skills of the project (--to project, the default) or of your home folder (--to user); --agents makes links in the folders of other agents, --copy copies. skillet.lock records source, revision and digests.",
  ],
  examples: [
    ["skillet add anthropics/skills@pdf --dry-run", "what would come"],
    ["skillet add owner/repo --agents claude,codex", "all skills of a repository, for two agents"],
    ["skillet add ./rake.zip --to user --yes", "from an archive, for you, without a question"],
  ],
  flags: ["to", "user", "agents", "copy", "link", "take", "frozen", "dry-run", "yes"],
  run,
};

async function run(context: Context): Promise<number> {
  const [
    { withInstall, methodOf, takeOf },
    { parseSource },
    { planAdd },
    { lookAt },
    { agentIds },
    { runPlan },
    { lockedPath },
    { rememberOrigins },
  ] = await Promise.all([
    import("../install/open-install.ts"),
    import("../../remote/install/parse-source.ts"),
    import("../../remote/install/add.ts"),
    import("../../remote/install/look-at.ts"),
    import("../../remote/install/install-scope.ts"),
    import("../install/run-plan.ts"),
    import("../../remote/install/source-of-lock.ts"),
    import("../../remote/install/remembered-origins.ts"),
  ]);
  const { environment } = await context.skills();
  const operands = await expanded(context, environment.cwd);
  const sources = operands.map((text) => parseSource(text, { environment, look: lookAt }));
  const own = sources.flatMap((source) =>
    source.kind === "oci" ? source.text : "url" in source ? (source.url ?? []) : [],
  );
  return withInstall(context, { own, usual: "project" }, async (install) => {
    const { scope, tools } = install;
    const named = sources.map((source) => {
      const local =
        "path" in source && source.kind !== "git" && !("url" in source && source.url !== null)
          ? source.path
          : null;
      return local === null ? source : { ...source, text: lockedPath(local, scope, environment) };
    });
    const agents = agentIds(context.flags.list("agents") ?? [], scope, environment);
    const plan = await planAdd(
      { scope, sources: named, agents, method: methodOf(context), take: takeOf(context) },
      tools,
    );
    if (context.flags.on("frozen")) await refuseNewLock(plan);
    const count = plan.changes.filter(
      ({ action }) => action === "added" || action === "updated" || action === "restored",
    ).length;
    return runPlan(context, plan, install, {
      written: () => rememberOrigins(own, environment),
      question: `Install ${count === 1 ? "this skill" : `these ${count} skills`}?`,
    });
  });
}

async function refuseNewLock(plan: import("../../remote/install/plan.ts").Plan): Promise<void> {
  const { lockText } = await import("../../remote/install/load-lock.ts");
  if (lockText(plan.after) === plan.before.text) return;
  throw new SkilletError("failed", "The lock would change, and --frozen forbids it.", {
    hint: "Nothing was changed.",
  });
}

/** Sources as they were named; a lock of the skills command stands for all of its own. */
async function expanded(context: Context, cwd: string): Promise<readonly string[]> {
  const { isSkillsLock, sourcesOfSkillsLock } = await import("../../remote/install/import-skills-lock.ts");
  const found: string[] = [];
  for (const operand of context.operands) {
    if (!isSkillsLock(operand)) {
      found.push(operand);
      continue;
    }
    let text: string;
    try {
      text = readFileSync(resolve(cwd, operand), "utf8");
    } catch {
      throw new SkilletError("not-found", `${operand} cannot be read.`);
    }
    const { sources, unknown } = sourcesOfSkillsLock(text);
    if (unknown.length > 0)
      context.note(`Not understood in ${operand}: ${unknown.slice(0, 5).join(", ")}`, "warning");
    if (sources.length === 0) throw usageError(`${operand} names no skill.`, null);
    found.push(...sources);
  }
  return found;
}
