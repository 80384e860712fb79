// Runs several subjects in turns inside one process. Argument: `RoundsTask` as JSON. Prints milliseconds by subject.
import { readFileSync } from "node:fs";
import {
  countSkills,
  importLibrary,
  isolated,
  loops,
  type Places,
  piLoader,
  type Subject,
  type SubjectName,
} from "./subjects.ts";

export interface RoundsTask {
  readonly places: Places;
  readonly subjects: readonly SubjectName[];
  readonly rounds: number;
  /** Rounds that are run before and not counted: the compiler settles in them. */
  readonly warmUp: number;
}

export type RoundsResult = Readonly<Partial<Record<SubjectName, readonly number[]>>>;

/** Only written: what it holds is kept alive. */
export let latest: unknown = null;

const task: RoundsTask = JSON.parse(process.argv[2] ?? "");
const files = readFileSync(task.places.list, "utf8").split("\n");
const subjects = await Promise.all(
  task.subjects.map(async (name) => ({ name, run: await subject(name), times: [] as number[], count: -1 })),
);

for (let round = 0; round < task.warmUp + task.rounds; round++) {
  for (let turn = 0; turn < subjects.length; turn++) {
    // Each round begins with another subject, so that none always comes first.
    const current = subjects[(round + turn) % subjects.length];
    if (current === undefined) continue;
    const start = process.hrtime.bigint();
    const count = current.run();
    const time = Number(process.hrtime.bigint() - start) / 1e6;
    if (current.count >= 0 && count !== current.count)
      throw new Error(`${current.name} found ${count}, then ${current.count}`);
    current.count = count;
    if (round >= task.warmUp) current.times.push(time);
  }
}
for (const { name, count } of subjects) {
  // The peer cannot read every wild file; ours must have met as many as there are.
  if (name !== "pi" && count !== files.length)
    throw new Error(`${name} met ${count} files of ${files.length}`);
}
process.stdout.write(JSON.stringify(Object.fromEntries(subjects.map(({ name, times }) => [name, times]))));

async function subject(name: SubjectName): Promise<Subject> {
  const { places } = task;
  if (name === "bare" || name === "text") return loops[name](files);
  if (name === "pi") return await piLoader(places);
  const { openSkills } = await importLibrary(places.dist);
  if (name === "library") {
    return () => {
      // The last result stays alive, as it does in a program that uses it: when everything dies at once, the compiled
      // code that knew those objects is thrown away with them, and the next round is a process's first again.
      const skills = openSkills(isolated(places));
      latest = skills;
      return countSkills(skills, places);
    };
  }
  const kept = openSkills(isolated(places));
  return () => {
    kept.reload();
    return countSkills(kept, places);
  };
}
