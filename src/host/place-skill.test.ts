import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SkilletError } from "../core/error.ts";
import { type PlaceOperations, placeSkill } from "./place-skill.ts";

let home: string;
let store: string;
let target: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "skillet-place-")));
  store = join(home, ".agents/skills/hoe");
  target = join(home, ".claude/skills/hoe");
  mkdirSync(join(store, "references"), { recursive: true });
  writeFileSync(join(store, "SKILL.md"), "---\nname: hoe\ndescription: Hoe the rows.\n---\n");
  writeFileSync(join(store, "references/a.md"), "a");
});

afterEach(() => rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

function failing(code: string): never {
  throw Object.assign(new Error(`${code}: simulated`), { code });
}

/** Refuses links and junctions with the given codes; "ok" makes them. */
function refusing(link: string, junction = "ok"): Partial<PlaceOperations> {
  return {
    symlink: (to, path, type) => {
      const answer = type === "junction" ? junction : link;
      if (answer === "ok") symlinkSync(to, path, type);
      else failing(answer);
    },
  };
}

function thrownBy(act: () => unknown): SkilletError {
  try {
    act();
  } catch (error) {
    if (error instanceof SkilletError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("placeSkill", () => {
  it("makes a relative link, so that a moved home keeps working", () => {
    const placed = placeSkill({ store, target });
    expect(placed.method).toBe("symlink");
    expect(readlinkSync(target)).toBe("../../.agents/skills/hoe");
    expect(placed.diagnostics).toMatchObject([{ code: "place/method", severity: "info", path: target }]);
  });

  it.each(["EPERM", "EACCES", "ENOTSUP"])("makes a junction with an absolute target after %s", (code) => {
    const placed = placeSkill({ store, target }, refusing(code));
    expect(placed).toMatchObject({ method: "junction" });
    expect(placed.reason).toContain(code);
    expect(readlinkSync(target)).toBe(store);
  });

  it("copies when junctions fail too, and says why", () => {
    const placed = placeSkill({ store, target }, refusing("EPERM", "EINVAL"));
    expect(placed.method).toBe("copy");
    expect(placed.diagnostics[0]?.message).toMatch(/copy.*EPERM.*EINVAL/);
    expect(lstatSync(target).isDirectory()).toBe(true);
    expect(readFileSync(join(target, "references/a.md"), "utf8")).toBe("a");
    expect(readdirSync(join(home, ".claude/skills"))).toEqual(["hoe"]);
  });

  it.each([
    ["ENOSPC", "ok"],
    ["EPERM", "ENOSPC"],
  ])("fails with the system's error and leaves nothing behind (%s, %s)", (link, junction) => {
    const error = thrownBy(() => placeSkill({ store, target }, refusing(link, junction)));
    expect(error.code).toBe("failed");
    expect(error.message).toContain("ENOSPC");
    expect(error.cause).toMatchObject({ code: "ENOSPC" });
    expect(readdirSync(home)).toEqual([".agents"]);
  });

  it("resolves an agent's folder that is a link before it writes", () => {
    mkdirSync(join(home, "elsewhere/deep"), { recursive: true });
    mkdirSync(join(home, ".claude"));
    symlinkSync(join(home, "elsewhere/deep"), join(home, ".claude/skills"));
    const placed = placeSkill({ store, target });
    expect(placed.path).toBe(join(home, "elsewhere/deep/hoe"));
    expect(readlinkSync(placed.path)).toBe("../../.agents/skills/hoe");
    expect(realpathSync(target)).toBe(store);
  });

  it("writes nothing when the link is right already, whatever its spelling", () => {
    mkdirSync(join(home, ".claude/skills"), { recursive: true });
    symlinkSync(store, target);
    const placed = placeSkill(
      { store, target },
      { symlink: () => failing("EIO"), rename: () => failing("EIO") },
    );
    expect(placed.method).toBe("unchanged");
    expect(readlinkSync(target)).toBe(store);
  });

  it("leaves the stored skill alone when the agent's folder is the store", () => {
    mkdirSync(join(home, ".claude"));
    symlinkSync(join(home, ".agents/skills"), join(home, ".claude/skills"));
    expect(placeSkill({ store, target }).method).toBe("unchanged");
    expect(placeSkill({ store, target: store }).method).toBe("unchanged");
    expect(lstatSync(store).isDirectory()).toBe(true);
  });

  it.each([
    ["a link", {}],
    ["a copy", refusing("EPERM", "EPERM")],
  ])("replaces a link that leads elsewhere by %s and never writes through it", (_, operations) => {
    const other = join(home, "other");
    mkdirSync(other);
    writeFileSync(join(other, "SKILL.md"), "mine");
    mkdirSync(join(home, ".claude/skills"), { recursive: true });
    symlinkSync(other, target);
    placeSkill({ store, target }, operations);
    expect(readFileSync(join(target, "SKILL.md"), "utf8")).toContain("name: hoe");
    expect(readFileSync(join(other, "SKILL.md"), "utf8")).toBe("mine");
    expect(readdirSync(other)).toEqual(["SKILL.md"]);
    expect(readdirSync(join(home, ".claude/skills"))).toEqual(["hoe"]);
  });

  it("replaces a link that leads nowhere", () => {
    mkdirSync(join(home, ".claude/skills"), { recursive: true });
    symlinkSync("../gone", target);
    expect(placeSkill({ store, target }).method).toBe("symlink");
    expect(realpathSync(target)).toBe(store);
  });

  it("keeps the old link when the new one cannot be put in its place", () => {
    const other = join(home, "other");
    mkdirSync(other);
    mkdirSync(join(home, ".claude/skills"), { recursive: true });
    symlinkSync(other, target);
    expect(thrownBy(() => placeSkill({ store, target }, { rename: () => failing("EBUSY") })).code).toBe(
      "failed",
    );
    expect(readlinkSync(target)).toBe(other);
    expect(readdirSync(join(home, ".claude/skills"))).toEqual(["hoe"]);
  });

  it("refuses a folder or a file of the user's", () => {
    mkdirSync(target, { recursive: true });
    writeFileSync(join(target, "SKILL.md"), "mine");
    expect(thrownBy(() => placeSkill({ store, target })).code).toBe("denied");
    expect(readFileSync(join(target, "SKILL.md"), "utf8")).toBe("mine");
    writeFileSync(join(home, ".claude/skills/file"), "mine");
    expect(thrownBy(() => placeSkill({ store, target: join(home, ".claude/skills/file") })).code).toBe(
      "denied",
    );
  });

  it("replaces its own earlier copy only when told that it is one", () => {
    placeSkill({ store, target }, refusing("EPERM", "EPERM"));
    writeFileSync(join(store, "SKILL.md"), "new");
    rmSync(join(store, "references"), { recursive: true });
    expect(thrownBy(() => placeSkill({ store, target })).code).toBe("denied");
    expect(placeSkill({ store, target, copied: true }, refusing("EPERM", "EPERM")).method).toBe("copy");
    expect(readdirSync(target)).toEqual(["SKILL.md"]);
    expect(readFileSync(join(target, "SKILL.md"), "utf8")).toBe("new");
    expect(placeSkill({ store, target, copied: true }).method).toBe("symlink");
    expect(readdirSync(join(home, ".claude/skills"))).toEqual(["hoe"]);
  });

  it("copies no link that leads out of the skill, and names it", () => {
    writeFileSync(join(home, "secret"), "secret");
    symlinkSync("../../../secret", join(store, "leak"));
    symlinkSync("references/a.md", join(store, "inner.md"));
    symlinkSync(".", join(store, "loop"));
    const placed = placeSkill({ store, target }, refusing("EPERM", "EPERM"));
    expect(readdirSync(target).sort()).toEqual(["SKILL.md", "inner.md", "references"]);
    expect(lstatSync(join(target, "inner.md")).isFile()).toBe(true);
    expect(placed.diagnostics[1]).toMatchObject({ code: "place/left-out", severity: "warning" });
    expect(placed.diagnostics[1]?.message).toContain("leak, loop");
  });

  it("refuses a place inside the stored skill, and a skill that is not stored", () => {
    expect(thrownBy(() => placeSkill({ store, target: join(store, "sub/hoe") })).code).toBe("denied");
    expect(existsSync(join(store, "sub"))).toBe(false);
    expect(thrownBy(() => placeSkill({ store: join(home, "absent"), target })).code).toBe("not-found");
    expect(thrownBy(() => placeSkill({ store: join(store, "SKILL.md"), target })).code).toBe("not-found");
    expect(readdirSync(home)).toEqual([".agents"]);
  });
});
