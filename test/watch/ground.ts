import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openSkills } from "../../src/host/open-skills.ts";
import type { OpenOptions, Skills } from "../../src/host/skills.ts";
import type { SkillsChange } from "../../src/host/watch/live-state.ts";
import { nodeWatchSystem, type WatchSystem } from "../../src/host/watch/watch-system.ts";

/** Waits until something holds; the limit is for a machine that is busy with other things. */
export async function until(holds: () => boolean, what: string, limit = 60_000): Promise<void> {
  const end = performance.now() + limit;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`Waited in vain: ${what}`);
    await sleep(15);
  }
}

/** Waits until nothing has been counted for a while; a bound on how long, never a claim about time. */
export async function calm(count: () => number, quiet = 600): Promise<void> {
  let last = count();
  let since = performance.now();
  await until(() => {
    if (count() !== last) {
      last = count();
      since = performance.now();
    }
    return performance.now() - since > quiet;
  }, "calm");
}

export function skill(name: string, description: string, body = "Do it.\n"): string {
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n${body}`;
}

/** A temporary machine with one project; everything runs trusted. */
export interface Ground {
  readonly folder: string;
  readonly project: string;
  readonly home: string;
  readonly options: OpenOptions;
  path(name: string): string;
  /** Paths count from the project, `~/…` from the home folder. */
  write(name: string, text: string): void;
  /** By a temporary file and a rename, as careful editors do. */
  replace(name: string, text: string): void;
  remove(name: string): void;
  end(): void;
}

export function ground(options: OpenOptions = {}): Ground {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "skillet-watch-")));
  const [home, project] = [join(folder, "home"), join(folder, "home/project")];
  mkdirSync(join(project, ".git"), { recursive: true });
  writeFileSync(join(project, ".git/HEAD"), "ref: refs/heads/main\n");
  const path = (name: string) =>
    name.startsWith("~/") ? join(home, name.slice(2)) : name.startsWith("/") ? name : join(project, name);
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
  };
  return {
    folder,
    project,
    home,
    options: { cwd: project, home, data: join(folder, "data"), trust: true, ...options },
    path,
    write,
    replace(name, text) {
      write(`${name}.tmp-1`, text);
      renameSync(path(`${name}.tmp-1`), path(name));
    },
    remove: (name) => rmSync(path(name), { recursive: true }),
    end: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}

/** A system that counts: handles that are open now and at most, and everything it was asked to watch. */
export interface CountingSystem extends WatchSystem {
  readonly open: ReadonlySet<string>;
  readonly most: number;
  /** The code with which the next handles are refused; null = they are given. */
  refuse: string | null;
  /** Reports an error on an open handle. */
  breakHandle(folder: string, code: string): void;
}

export function countingSystem(limit = Number.POSITIVE_INFINITY): CountingSystem {
  const open = new Map<string, (code: string) => void>();
  let most = 0;
  const counting: CountingSystem = {
    ...nodeWatchSystem,
    refuse: null,
    get open() {
      return new Set(open.keys());
    },
    get most() {
      return most;
    },
    breakHandle: (folder, code) => open.get(folder)?.(code),
    watch(folder, options, listener) {
      const code = counting.refuse ?? (open.size >= limit ? "ENOSPC" : null);
      if (code !== null) throw Object.assign(new Error(code), { code });
      const handle = nodeWatchSystem.watch(folder, options, listener);
      open.set(folder, listener.error);
      most = Math.max(most, open.size);
      return {
        close() {
          open.delete(folder);
          handle.close();
        },
      };
    },
  };
  return counting;
}

export interface Watching {
  readonly skills: Skills;
  readonly changes: readonly SkillsChange[];
  /** Descriptions of the listed skills that are not built in. */
  shown(): Readonly<Record<string, string | null>>;
  /** Waits until exactly these are listed. */
  shows(expected: Readonly<Record<string, string | null>>): Promise<void>;
}

export function shownBy(skills: Skills): Readonly<Record<string, string | null>> {
  return Object.fromEntries(
    skills.entries
      .filter(({ skill, hidden }) => hidden === null && !skill.root.bundled)
      .map(({ skill }) => [skill.name, skill.description] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

export async function watching(
  options: OpenOptions,
  how: Parameters<Skills["watch"]>[0] = {},
): Promise<Watching> {
  const skills = openSkills(options);
  const changes: SkillsChange[] = [];
  const started = skills.watch(how);
  skills.on("change", (change) => changes.push(change));
  await started;
  const text = (value: object) => JSON.stringify(Object.entries(value).sort());
  return {
    skills,
    changes,
    shown: () => shownBy(skills),
    async shows(expected) {
      await until(
        () => text(shownBy(skills)) === text(expected),
        `${text(expected)}, not ${text(shownBy(skills))}`,
      ).catch((error: unknown) => {
        throw new Error(`${error instanceof Error ? error.message : ""}; last: ${text(shownBy(skills))}`);
      });
    },
  };
}
