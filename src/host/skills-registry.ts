import { findRepository } from "../core/discovery/repository.ts";
import { createEnvironment } from "./environment.ts";
import { createFileSystem } from "./node-file-system.ts";
import { openSkills } from "./open-skills.ts";
import { refusedWhere } from "./refused-where.ts";
import type { OpenOptions, Skills } from "./skills.ts";

/** Open sets of skills for a program that works in many folders at once, e.g. a server with one session a client. */
export interface SkillsRegistry {
  /**
   * The set for these options: one for each pair of working folder and worktree (feature O10), read once and shared by
   * everyone who asks with equal options. Each caller closes its own; the last one closes the set.
   */
  open(options?: OpenOptions): Skills;
  /** Sets that are open now. */
  readonly size: number;
  /** Closes all of them, whoever still holds one. */
  close(): void;
}

interface Shared {
  readonly skills: Skills;
  holders: number;
}

/** Two folders never share a set, and neither do two worktrees of one repository. */
export function createSkillsRegistry(): SkillsRegistry {
  const sets = new Map<string, Shared>();
  const numbers = new WeakMap<object, number>();
  let counters = 0;

  /** Equal for equal questions: links in the folder's path are resolved, and counters count by identity. */
  const keyOf = (options: OpenOptions): string => {
    const { value: environment } = createEnvironment(options);
    const fileSystem = createFileSystem();
    const real = fileSystem.realPath(environment.cwd);
    const cwd = real.kind === "path" ? real.path : environment.cwd;
    const { counter, ...plain } = options;
    if (counter !== undefined && !numbers.has(counter)) numbers.set(counter, ++counters);
    const rest = Object.entries(plain)
      .filter(([name, value]) => name !== "cwd" && value !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1));
    const worktree = findRepository(fileSystem, cwd)?.root ?? null;
    return JSON.stringify([cwd, worktree, rest, counter === undefined ? 0 : numbers.get(counter)]);
  };

  return {
    open(options = {}) {
      const key = keyOf(options);
      const shared = sets.get(key) ?? { skills: openSkills(options), holders: 0 };
      sets.set(key, shared);
      shared.holders += 1;
      let held = true;
      const close = (): void => {
        if (!held) return;
        held = false;
        shared.holders -= 1;
        if (shared.holders > 0 || sets.get(key) !== shared) return;
        sets.delete(key);
        shared.skills.close();
      };
      const into = Object.create(shared.skills) as Skills;
      return refusedWhere(shared.skills, () => !held, { into, close });
    },
    get size() {
      return sets.size;
    },
    close() {
      for (const { skills } of sets.values()) skills.close();
      sets.clear();
    },
  };
}
