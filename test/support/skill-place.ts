import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type OpenOptions, openSkills, type Skills } from "../../src/index.ts";

/** A temporary place with a home folder and a project `shop`. */
export interface SkillPlace {
  readonly folder: string;
  readonly cwd: string;
  /** Writes a file below the place, with its folders. */
  write(path: string, content: string | Uint8Array): void;
  /** Writes a skill of the project; `fields` are further lines of its frontmatter. */
  skill(name: string, body: string, fields?: readonly string[]): void;
  settings(value: object): void;
  /** Opens the project's skills, trusted; they are closed with the place. */
  open(options?: OpenOptions): Skills;
  remove(): void;
}

export function skillPlace(): SkillPlace {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "skillet-place-")));
  const cwd = join(folder, "shop");
  const opened: Skills[] = [];
  const write: SkillPlace["write"] = (path, content) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  mkdirSync(join(folder, "home"));
  mkdirSync(cwd);
  return {
    folder,
    cwd,
    write,
    skill: (name, body, fields = [`description: The skill ${name}.`]) =>
      write(
        `shop/.claude/skills/${name}/SKILL.md`,
        ["---", `name: ${name}`, ...fields, "---", "", body, ""].join("\n"),
      ),
    settings: (value) => write("home/.config/skillet/skillet.jsonc", JSON.stringify(value)),
    open: (options = {}) => {
      const skills = openSkills({
        cwd,
        home: join(folder, "home"),
        data: join(folder, "data"),
        trust: true,
        ...options,
      });
      opened.push(skills);
      return skills;
    },
    remove: () => {
      for (const skills of opened) skills.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}
