import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { seedSkills } from "./seed-skills.ts";

const root = mkdtempSync(join(tmpdir(), "seed-"));
const source = join(root, "source");
const destination = join(root, "data/.builtin-skills");

afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

beforeEach(() => {
  rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  put(join(source, "pdf/SKILL.md"), "# pdf\n");
  put(join(source, "docx/SKILL.md"), "# docx\n");
});

const seed = (wanted?: (name: string) => boolean) =>
  seedSkills({ sources: [source], destination, ...(wanted === undefined ? {} : { wanted }) });

test("the second start writes nothing, and a change clears what a user put there", () => {
  expect(seed()).toMatchObject({ rewritten: true, failed: [] });
  put(join(destination, "mine/SKILL.md"), "# mine\n");
  put(join(destination, "pdf/SKILL.md"), "# edited\n");
  expect(seed().rewritten).toBe(false);
  expect(readFileSync(join(destination, "pdf/SKILL.md"), "utf8")).toBe("# edited\n");
  put(join(source, "pdf/SKILL.md"), "# new\n");
  expect(seed().rewritten).toBe(true);
  expect(readdirSync(destination).sort()).toEqual([".seed-fingerprint", "docx", "pdf"]);
  expect(readFileSync(join(destination, "pdf/SKILL.md"), "utf8")).toBe("# new\n");
});

test("a skill that is not wanted any more goes away", () => {
  seed();
  expect(seed((name) => name !== "pdf").rewritten).toBe(true);
  expect(existsSync(join(destination, "pdf"))).toBe(false);
});

test("a skill folder that went missing brings all of them back", () => {
  seed();
  rmSync(join(destination, "docx"), { recursive: true });
  expect(seed().rewritten).toBe(true);
  expect(existsSync(join(destination, "docx/SKILL.md"))).toBe(true);
});

test("without a source nothing is touched", () => {
  put(join(destination, "mine/SKILL.md"), "# mine\n");
  const result = seedSkills({ sources: [join(root, "gone")], destination });
  expect(result).toEqual({ rewritten: false, fingerprint: null, failed: [] });
  expect(existsSync(join(destination, "mine/SKILL.md"))).toBe(true);
});

test("remains of earlier ways of seeding go, also when nothing is written", () => {
  seed();
  for (const name of [".seed-manifest.json", "pdf.tmp-seed-1/x"]) put(join(destination, name), "x");
  put(`${destination}.seed-backups/x`, "x");
  expect(seed().rewritten).toBe(false);
  expect(readdirSync(destination).sort()).toEqual([".seed-fingerprint", "docx", "pdf"]);
  expect(readdirSync(dirname(destination))).toEqual([".builtin-skills"]);
});
