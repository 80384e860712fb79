import { SkilletError } from "../../core/error.ts";
import { resolve } from "../../core/path.ts";
import type { Command, Context } from "../command.ts";
import { environmentFor } from "../environment-for.ts";
import { diagnosticJson } from "../json/list-json.ts";
import { displayPath } from "../output/display-path.ts";
import { nextCommands } from "../output/next-commands.ts";
import { rows } from "../output/rows.ts";
import { safeLine } from "../output/safe-text.ts";
import { shellWord } from "../output/shell-words.ts";
import { count } from "../output/words.ts";
import { usageError } from "../usage-error.ts";

/** `skillet publish`: a static site that others install from. */
export const publish: Command = {
  name: "publish",
  operands: "DIR",
  least: 1,
  summary: "write a static site that others install skills from",
  details: [
    "Writes the skills in DIR as a site for any web server: the well-known index 0.2 with digests and archives, and the index 0.1 that older readers take. The same skills give the same bytes, whenever and wherever it runs. A folder that publish wrote before is replaced as a whole; any other one with content is refused.",
  ],
  examples: [["skillet publish skills --out site", "then copy site/ to a web server"]],
  flags: ["out", "dry-run"],
  run,
};

async function run(context: Context): Promise<number> {
  const out = context.flags.text("out");
  if (out === undefined)
    throw usageError("skillet publish needs --out DIR.", "Name a new folder for the site.");
  const [{ collectSkills }, { buildSite }, { writeSite }, { printFindings, size }] = await Promise.all([
    import("../../remote/publish/collect-skills.ts"),
    import("../../remote/publish/build-site.ts"),
    import("../../remote/publish/write-site.ts"),
    import("../install/print-plan.ts"),
  ]);
  const environment = environmentFor(context);
  const [folder = ""] = context.operands;
  const target = resolve(environment.cwd, out);
  const { skills, diagnostics } = collectSkills(folder, environment.cwd);
  if (skills.length === 0) {
    throw new SkilletError("not-found", `There is no skill in ${folder} that can be published.`, {
      hint: diagnostics[0]?.message ?? "A skill is a folder with a file SKILL.md.",
    });
  }
  const site = await buildSite(skills);
  const dryRun = context.flags.on("dry-run");
  if (!dryRun) writeSite(site, target);
  const failed = diagnostics.some(({ severity }) => severity === "error");
  if (context.json) {
    context.printJson({
      version: 1,
      dryRun,
      out: target,
      skills: skills.map(({ name, digest, files }) => ({
        name,
        digest,
        files: files.map(({ path }) => path),
      })),
      files: [...site].map(([path, { length }]) => ({ path, bytes: length })),
      diagnostics: diagnostics.map(diagnosticJson),
    });
    return failed ? 1 : 0;
  }
  const { paint } = context;
  context.print(
    ...rows(
      skills.map(({ name, files, digest }) => [
        { text: paint.symbols.yes, paint: paint.green },
        { text: name, paint: paint.bold },
        {
          text: `${count(files.length, "file")}, ${size(files.reduce((sum, { bytes }) => sum + bytes.length, 0))}`,
        },
        { text: digest.slice(0, 19), paint: paint.dim },
      ]),
      paint,
      { indent: 0 },
    ),
  );
  printFindings(context, diagnostics, environment, 0);
  const written = `${displayPath(target, environment)}: ${count(site.size, "file")} of ${count(skills.length, "skill")}`;
  if (dryRun) context.note(`Nothing was written (--dry-run). It would be ${written}.`, "dim");
  else
    context.print(
      `Written to ${safeLine(written)}.`,
      ...nextCommands(
        [[`serve ${shellWord(displayPath(target, environment))}`, "try it on this machine"]],
        context.flags,
        paint,
      ),
    );
  return failed ? 1 : 0;
}
