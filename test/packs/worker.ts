import { openSkills } from "../../src/host/open-skills.ts";

// One start of the product as a process of its own: prints what it offers and where it comes from. Bundled by
// build-worker.ts, because starting TypeScript costs more than what is measured.
const [cwd, home, data] = process.argv.slice(2);
if (cwd === undefined || home === undefined || data === undefined) throw new Error("worker CWD HOME DATA");
const skills = openSkills({ cwd, home, data, agent: "compose" });
const answer = {
  skills: skills.entries.map(({ skill, hidden }) => [
    skill.name,
    skill.location,
    skill.digest,
    hidden?.reason ?? null,
  ]),
  bodies: skills.entries.map(({ skill }) => skills.body(skill).length),
  diagnostics: skills.diagnostics.map(({ code, path, message }) => [code, path, message]),
};
process.stdout.write(`${JSON.stringify(answer)}\n`);
