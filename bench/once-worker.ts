// Does one thing as the first thing of a process. Argument: `OnceTask` as JSON. Prints `OnceResult`.
import { readFileSync } from "node:fs";
import { countSkills, importLibrary, isolated, type LoopName, loops, type Places } from "./subjects.ts";

export interface OnceTask {
  readonly places: Places;
  readonly subject: LoopName | "library";
}

export interface OnceResult {
  /** Skills or files met. */
  readonly count: number;
  /** Milliseconds of the first run; the import of the library is not in it. */
  readonly first: number;
  /** Milliseconds of a second discovery after nothing changed; null for a loop. */
  readonly second: number | null;
  /** Largest resident memory of the process up to the end of the first run, in MB. */
  readonly peak: number;
}

const task: OnceTask = JSON.parse(process.argv[2] ?? "");
const files = readFileSync(task.places.list, "utf8").split("\n");
// Both processes load the same code and hold the same list, so that only what they do differs.
const { openSkills } = await importLibrary(task.places.dist);
process.stdout.write(JSON.stringify(task.subject === "library" ? library() : loop(task.subject)));

function loop(name: LoopName): OnceResult {
  const run = loops[name](files);
  const [count, first] = timed(run);
  return { count, first, second: null, peak: peak() };
}

function library(): OnceResult {
  const [skills, first] = timed(() => openSkills(isolated(task.places)));
  const used = peak();
  const [changed, second] = timed(() => skills.reload());
  if (changed) throw new Error("A second discovery saw a change where there was none.");
  return { count: countSkills(skills, task.places), first, second, peak: used };
}

function timed<T>(run: () => T): readonly [T, number] {
  const start = process.hrtime.bigint();
  const value = run();
  return [value, Number(process.hrtime.bigint() - start) / 1e6];
}

function peak(): number {
  return process.resourceUsage().maxRSS / 1024;
}
