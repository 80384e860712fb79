import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openSkills, type PlacedSkill, placeSkill, SkilletError } from "../../src/index.ts";

// Case win-link: plan.json lists what the system answers; only that answer is simulated.

interface Step {
  readonly symlink: string;
  readonly junction: string;
  readonly result: string;
}

const fixture = fileURLToPath(new URL("../fixtures/cases/win-link/", import.meta.url));
const plan = JSON.parse(readFileSync(join(fixture, "plan.json"), "utf8")) as readonly Step[];

describe("win-link", () => {
  it.each(plan.map((step) => [`${step.symlink} ${step.junction}`, step] as const))("%s", (_, step) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "skillet-win-link-")));
    cpSync(fixture, folder, { recursive: true });
    const [store, target] = [
      join(folder, "home/.agents/skills/hoe"),
      join(folder, "home/.claude/skills/hoe"),
    ];
    const place = (): PlacedSkill =>
      placeSkill(
        { store, target },
        {
          symlink: (to, path, type) => {
            const answer = type === "junction" ? step.junction : step.symlink;
            if (answer !== "ok") throw Object.assign(new Error(`${answer}: ${path}`), { code: answer });
            symlinkSync(to, path, type);
          },
        },
      );
    if (step.result.startsWith("fails")) {
      expect(place).toThrow(SkilletError);
      expect(place).toThrow(step.symlink);
      expect(readdirSync(join(folder, "home"))).toEqual([".agents"]);
    } else {
      const placed = place();
      expect(placed.method).toBe(step.result.split(/[ ,]/)[0]);
      if (placed.method === "junction") expect(isAbsolute(readlinkSync(target))).toBe(true);
      expect(placed.diagnostics).toMatchObject([{ code: "place/method", severity: "info", path: target }]);
      const [said] = placed.diagnostics;
      expect(said?.message).toMatch(new RegExp(`${placed.method}.*(?:link|${step.symlink})`));
      const skills = openSkills({ cwd: folder, home: join(folder, "home"), data: join(folder, "data") });
      expect(skills.entries.map(({ skill }) => skill.name)).toEqual(["hoe"]);
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });
});
