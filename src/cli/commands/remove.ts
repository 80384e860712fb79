import type { Command, Context } from "../command.ts";
import { usageError } from "../usage-error.ts";

/** `skillet remove`: takes installed skills back. */
export const remove: Command = {
  name: "remove",
  operands: "NAME…",
  least: 1,
  most: null,
  summary: "remove installed skills",
  details: [
    "Removes the links and copies that Skillet made, the stored skill and its entry in the lock. With --agents only the links and copies in the folders of these agents; the skill itself stays installed. What somebody put in their place stays and is named; a skill that you edited stays unless --yes.",
  ],
  examples: [
    ["skillet remove pdf", "everywhere"],
    ["skillet remove pdf --agents codex", "only from one agent's folder"],
  ],
  flags: ["to", "user", "agents", "dry-run", "yes"],
  run,
};

async function run(context: Context): Promise<number> {
  const [{ withInstall }, { planRemove }, { runPlan }] = await Promise.all([
    import("../install/open-install.ts"),
    import("../../remote/install/remove.ts"),
    import("../install/run-plan.ts"),
  ]);
  return withInstall(context, { usual: "where-the-lock-is" }, async (install) => {
    const { scope } = install;
    const agents = await agentsNamed(context, install);
    const plan = planRemove({ scope, names: context.operands, agents, edited: context.flags.on("yes") });
    return runPlan(context, plan, install, {
      question: null,
    });
  });
}

/** Agents of the lock may be unknown to this version, so that their ids count as they are. */
async function agentsNamed(
  context: Context,
  { scope, skills }: import("../install/open-install.ts").Install,
): Promise<readonly string[] | null> {
  const names = context.flags.list("agents");
  if (names === undefined) return null;
  if (names.length === 0)
    throw usageError("--agents needs the name of an agent.", "Without it the skill goes everywhere.");
  const [{ agentIds }, { loadLock }] = await Promise.all([
    import("../../remote/install/install-scope.ts"),
    import("../../remote/install/load-lock.ts"),
  ]);
  const locked = new Set([...loadLock(scope).data.skills.values()].flatMap(({ agents }) => agents));
  return names.flatMap((name) => {
    if (locked.has(name)) return [name];
    const [id] = agentIds([name], scope, skills.environment);
    if (id !== undefined) return [id];
    throw usageError(
      `${name} has no folder of its own: it reads .agents/skills, which holds the skill for all agents.`,
      "Without --agents the skill is removed everywhere.",
    );
  });
}
