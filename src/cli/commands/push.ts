import { SkilletError } from "../../core/error.ts";
import type { Command, Context } from "../command.ts";
import { skilletLine } from "../output/shell-words.ts";
import { usageError } from "../usage-error.ts";

/** `skillet push`: one skill into a container registry. */
export const push: Command = {
  name: "push",
  operands: "DIR oci://HOST/NAME:TAG",
  least: 2,
  summary: "put a skill into a container registry",
  details: [
    "Pushes the skill in DIR as an artifact that any registry keeps (OCI). Prints the digest that others pin: skillet add oci://HOST/NAME@sha256:… Credentials come from docker login, or from SKILLET_REGISTRY_AUTH=HOST=USER:PASSWORD. The same skill has the same digest, whoever pushes it.",
  ],
  examples: [["skillet push skills/pdf oci://ghcr.io/me/pdf:1.0", "one skill, one tag"]],
  flags: ["dry-run"],
  run,
};

async function run(context: Context): Promise<number> {
  const [{ withInstall }, { collectSkills }, { pushOci }] = await Promise.all([
    import("../install/open-install.ts"),
    import("../../remote/publish/collect-skills.ts"),
    import("../../remote/oci/push-oci.ts"),
  ]);
  const [folder = "", address = ""] = context.operands;
  if (!/^oci:\/\//i.test(address))
    throw usageError("skillet push needs an address oci://HOST/NAME:TAG.", null);
  return withInstall(context, { own: [address], usual: "project" }, async ({ skills, tools }) => {
    const { environment } = skills;
    const found = collectSkills(folder, environment.cwd);
    const [skill] = found.skills;
    for (const { code, message } of found.diagnostics)
      if (code.startsWith("publish/")) context.note(message, "warning");
    if (skill === undefined || found.skills.length > 1) {
      const names = found.skills
        .map(({ name }) => name)
        .slice(0, 5)
        .join(", ");
      throw new SkilletError(
        "not-found",
        skill === undefined
          ? `There is no skill in ${folder} that can be pushed.`
          : `There are several skills in ${folder}: ${names}.`,
        {
          hint: found.diagnostics[0]?.message ?? "Name the folder of one skill.",
        },
      );
    }
    const dryRun = context.flags.on("dry-run");
    const pushed = await pushOci(address.replace(/^oci:\/\//i, ""), skill, {
      ...{ client: tools.registries(), environment, signal: tools.signal, dryRun },
    });
    if (context.json) {
      context.printJson({ version: 1, dryRun, name: skill.name, ...pushed });
      return 0;
    }
    const pinned = `${pushed.reference.replace(/:[^/:]*$/, "")}@${pushed.digest}`;
    context.print(pinned);
    context.note(
      dryRun
        ? "Nothing was pushed (--dry-run)."
        : `${skill.name} is there as ${pushed.reference}. ${skilletLine(`add ${pinned}`, context.flags)} installs exactly this.`,
      "dim",
    );
    return 0;
  });
}
