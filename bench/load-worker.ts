// Loads skills by name in a set that is open. Argument: `LoadTask` as JSON. Prints milliseconds of each load.
import { importLibrary, isolated, type Places } from "./subjects.ts";

export interface LoadTask {
  readonly places: Places;
  readonly loads: number;
}

const task: LoadTask = JSON.parse(process.argv[2] ?? "");
const { openSkills } = await importLibrary(task.places.dist);
const skills = openSkills(isolated(task.places));
// Each name once, spread over the whole set, so that no text is kept from an earlier load.
const names = skills.entries.map(({ skill }) => skill.name);
const step = Math.max(1, Math.floor(names.length / task.loads));
const times: number[] = [];
for (let at = 0; at < names.length && times.length < task.loads; at += step) {
  const start = process.hrtime.bigint();
  const loaded = skills.load(names[at] ?? "");
  times.push(Number(process.hrtime.bigint() - start) / 1e6);
  if (loaded.status !== "loaded") throw new Error(`${names[at]}: ${loaded.output}`);
}
skills.close();
process.stdout.write(JSON.stringify(times));
