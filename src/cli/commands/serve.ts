import { SkilletError } from "../../core/error.ts";
import { resolve } from "../../core/path.ts";
import type { Command, Context } from "../command.ts";
import { skillJson } from "../json/list-json.ts";
import { count } from "../output/words.ts";

/** `skillet serve`: a site on this machine. */
export const serve: Command = {
  name: "serve",
  operands: "DIR",
  least: 1,
  summary: "offer skills to other programs on this machine",
  details: [
    "Offers a folder that publish wrote, or the skills in any folder, at http://127.0.0.1:PORT: the well-known indexes 0.1 and 0.2 and what they name. GET /skill answers with all skills found from the working folder. Only this machine can reach it. Ctrl-C ends it.",
  ],
  examples: [
    ["skillet serve skills", "at port 4100"],
    ["skillet serve site --port 0", "any free port"],
  ],
  flags: ["port"],
  run,
};

const usualPort = 4100;

async function run(context: Context): Promise<number> {
  const [
    { collectSkills },
    { buildSite },
    { readSite },
    { serveSite },
    { judgeServed, judgeSite },
    { configuredPolicy },
  ] = await Promise.all([
    import("../../remote/publish/collect-skills.ts"),
    import("../../remote/publish/build-site.ts"),
    import("../../remote/publish/read-site.ts"),
    import("../../remote/publish/serve-site.ts"),
    import("../../remote/policy/judge-served.ts"),
    import("../../core/policy/configured-policy.ts"),
  ]);
  const skills = await context.skills();
  const policy = configuredPolicy(skills.configuration);
  const { cwd } = skills.environment;
  const [folder = ""] = context.operands;
  let site = readSite(resolve(cwd, folder));
  if (site === null) {
    const collected = collectSkills(folder, cwd);
    const judged = judgeServed(policy, collected.skills, resolve(cwd, folder));
    for (const { message, severity } of [...collected.diagnostics, ...judged.diagnostics])
      context.note(message, severity === "info" ? "dim" : "warning");
    if (judged.skills.length === 0) {
      throw new SkilletError("not-found", `There is no skill in ${folder} that can be served.`, {
        hint: "A skill is a folder with a file SKILL.md.",
      });
    }
    site = await buildSite(judged.skills);
  } else {
    const [refused] = judgeSite(policy, site, resolve(cwd, folder));
    if (refused !== undefined)
      throw new SkilletError("denied", `The policy forbids serving this site. ${refused.message}`, {
        hint: "Publish it again without that skill.",
      });
  }
  const all = (): unknown => {
    skills.reload();
    return skills.entries
      .filter(({ hidden }) => hidden === null)
      .map((entry) => ({
        ...skillJson(entry),
        // What nobody has trusted yet is listed, not handed on.
        content: entry.trusted ? skills.body(entry.skill) : null,
      }));
  };
  const running = await serveSite(site, { port: context.flags.number("port") ?? usualPort, skills: all });
  if (context.json) context.printJson({ version: 1, url: running.url, files: [...site.keys()] });
  else {
    context.print(running.url);
    context.note(
      `${count(site.size, "file")}; indexes at /.well-known/agent-skills/ and /.well-known/skills/. Ctrl-C ends it.`,
      "dim",
    );
  }
  await new Promise<void>((stop) => {
    const release = context.io.onStop?.(() => {
      release?.();
      stop();
    });
  });
  await running.close();
  return 0;
}
