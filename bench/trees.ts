import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom } from "./random.ts";
import { type Kind, skillText } from "./skill-text.ts";
import { areas, subjects, verbs } from "./words.ts";

/** How the skills of a tree are named: every name once, or one declared name in every folder. */
export type Naming = "unique" | "one-name";

export interface TreeOptions {
  readonly kind: Kind;
  /** Number of skills. */
  readonly size: number;
  readonly naming?: Naming;
}

/** A generated workspace with a home of its own, so that nothing of the machine's user counts. */
export interface Tree extends Required<TreeOptions> {
  readonly folder: string;
  readonly workspace: string;
  readonly home: string;
  readonly data: string;
  /** The folder that holds the skill folders. */
  readonly skills: string;
  /** Every SKILL.md, in the order of the names. */
  readonly files: readonly string[];
  remove(): void;
}

/** Writes a tree below the system's temporary folder. The same options give the same text, byte for byte. */
export function makeTree({ kind, size, naming = "unique" }: TreeOptions): Tree {
  const folder = mkdtempSync(join(tmpdir(), "skillet-bench-"));
  const [workspace, home, data] = ["workspace", "home", "data"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const skills = join(workspace, ".agents", "skills");
  for (const path of [skills, home, data, join(workspace, ".git")]) mkdirSync(path, { recursive: true });
  writeFileSync(join(workspace, ".git", "HEAD"), "ref: refs/heads/main\n");
  const random = createRandom(size + (kind === "wild" ? 7 : 3));
  const files: string[] = [];
  for (let index = 0; index < size; index++) {
    const name = nameAt(index);
    const skill = join(skills, name);
    mkdirSync(skill);
    const file = join(skill, "SKILL.md");
    writeFileSync(file, skillText(naming === "unique" ? name : "same-name", kind, random));
    files.push(file);
    // Files beside SKILL.md cost a reader that lists every folder.
    if (random.chance(30)) {
      mkdirSync(join(skill, "references"));
      writeFileSync(join(skill, "references", "notes.md"), "# Notes\n\nMore of the same.\n");
    }
  }
  files.sort();
  return {
    kind,
    size,
    naming,
    folder,
    workspace,
    home,
    data,
    skills,
    files,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const names = verbs.length * subjects.length * areas.length;

/** Different for every index below `names`, and without the order of the lists. */
function nameAt(index: number): string {
  // The step shares no factor with the number of names, so that no name comes twice.
  const place = (index * 75_013) % names;
  const verb = verbs[place % verbs.length];
  const subject = subjects[Math.floor(place / verbs.length) % subjects.length];
  const area = areas[Math.floor(place / (verbs.length * subjects.length))];
  return `${verb}-${subject}-${area}`;
}
