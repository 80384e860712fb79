import type { Command, Context } from "../command.ts";
import { usageError } from "../usage-error.ts";

/** `skillet pull`: fetches the configured sources into the cache. */
export const pull: Command = {
  name: "pull",
  operands: "[SOURCE…]",
  most: null,
  summary: "fetch the configured sources of skills into the cache",
  details: [
    "Sources are the settings `sources` and `skills.urls`: indexes, archives, repositories, folders. SOURCE is a name or an address of one; without it all are pulled. Nothing else of Skillet asks them: list, load and the agents read the cache, also without a network.",
    "Each skill is compared with its digest and with your policy before it counts, and a source changes in one moment or not at all. Where a source or a skill cannot be had, the last good copy stays.",
    "With --as, the addresses of that agent's own settings are pulled into that agent's cache, by its rules. oci://HOST/NAME:TAG is installed as `skillet add` does it.",
  ],
  examples: [
    ["skillet pull", "all sources"],
    ["skillet pull company --dry-run", "what would change in one of them"],
    ["skillet pull --as opencode", "what OpenCode would fetch at its next start"],
  ],
  flags: ["dry-run", "accept-older", "to", "user", "agents", "copy", "link", "yes"],
  run,
};

async function run(context: Context): Promise<number> {
  const registry = context.operands.filter((operand) => /^oci:\/\//i.test(operand));
  if (registry.length > 0) {
    if (registry.length < context.operands.length)
      throw usageError("Addresses of a registry and configured sources cannot be pulled in one call.", null);
    return (await import("./add.ts")).add.run(context);
  }
  const [{ pullSkills }, { printPull, pullJson }, { progressLine }] = await Promise.all([
    import("../../remote/pull/pull-skills.ts"),
    import("../views/pull-view.ts"),
    import("../output/progress-line.ts"),
  ]);
  const skills = await context.skills();
  const stop = new AbortController();
  const release = context.io.onStop?.(() => stop.abort());
  const line = progressLine(context);
  try {
    const result = await pullSkills(skills, {
      only: context.operands,
      acceptOlder: context.flags.on("accept-older"),
      dryRun: context.flags.on("dry-run"),
      signal: stop.signal,
      progress: ({ label, done, total }) => line.show(`${label}: ${done} of ${total}`),
    });
    line.clear();
    if (context.json) context.printJson(pullJson(result, context.flags.on("dry-run")));
    else printPull(context, result);
    const findings = result.outcomes.flatMap(({ diagnostics, changes }) => [
      ...diagnostics,
      ...changes.flatMap((change) => change.findings),
    ]);
    return findings.some(({ severity }) => severity === "error") ? 1 : 0;
  } finally {
    line.clear();
    release?.();
  }
}
