import { execFile } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { buildSync } from "esbuild";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findRepository } from "../core/discovery/repository.ts";
import {
  isTrusted,
  profileState,
  type StoredState,
  storedSwitch,
  withoutTrust,
  withSwitch,
  withTrust,
} from "../core/visibility/stored-state.ts";
import { createFileSystem } from "./node-file-system.ts";
import { readState, repairState, stateFile, updateState } from "./state.ts";

let data = "";
const file = () => stateFile(data);
const put = (content: string | Uint8Array) => {
  mkdirSync(join(data, "state"), { recursive: true });
  writeFileSync(file(), content);
};
const names = () => readdirSync(join(data, "state")).sort();
const off = (name: string) => (state: StoredState) =>
  withSwitch(state, "skillet", { entry: { name }, to: "disabled" });

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "skillet-state-"));
});
afterEach(() => rmSync(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

describe("readState and updateState", () => {
  it("store what was switched off and trusted, privately, and write nothing when nothing changes", () => {
    expect(readState(data).value.profiles.size).toBe(0);
    expect(existsSync(join(data, "state"))).toBe(false);
    updateState(data, off("pdf"));
    updateState(data, (state) => withTrust(state, "/repo", { "SKILL.md": "sha256:1" }));
    const { value, diagnostics } = readState(data);
    expect(diagnostics).toEqual([]);
    expect(profileState(value, "skillet").disabled).toEqual([{ name: "pdf" }]);
    expect(value.trusted).toEqual([{ path: "/repo", approved: { "SKILL.md": "sha256:1" } }]);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    const before = statSync(file()).ino;
    updateState(data, (state) => state);
    expect(statSync(file()).ino).toBe(before);
    expect(names()).toEqual(["state.json"]);
  });

  it("keep profiles apart; a location counts more than a name; the last switch holds", () => {
    const skill = { name: "pdf", location: "/a/pdf/SKILL.md" };
    updateState(data, off("pdf"));
    updateState(data, (state) =>
      withSwitch(state, "skillet", { entry: { location: skill.location }, to: "enabled" }),
    );
    let { value } = readState(data);
    expect(storedSwitch(profileState(value, "skillet"), skill)).toBe("enabled");
    expect(storedSwitch(profileState(value, "skillet"), { ...skill, location: "/b" })).toBe("disabled");
    expect(storedSwitch(profileState(value, "minimax"), skill)).toBe(null);
    value = updateState(data, (state) =>
      withSwitch(state, "skillet", { entry: { name: "pdf" }, to: "enabled" }),
    ).value;
    expect(profileState(value, "skillet").disabled).toEqual([]);
    expect(storedSwitch(profileState(value, "skillet"), { ...skill, location: "/b" })).toBe("enabled");
  });

  it("survive names of prototypes (row A05)", () => {
    updateState(data, (state) =>
      withSwitch(state, "__proto__", { entry: { name: "__proto__" }, to: "disabled" }),
    );
    updateState(data, off("constructor"));
    expect(
      storedSwitch(profileState(readState(data).value, "skillet"), { name: "constructor", location: "/x" }),
    ).toBe("disabled");
    expect(
      storedSwitch(profileState(readState(data).value, "skillet"), { name: "toString", location: "/x" }),
    ).toBe(null);
    expect(({} as { disabled?: unknown }).disabled).toBeUndefined();
  });

  it("never overwrite what cannot be read, and say what to do (row G04)", () => {
    const odd = [
      "",
      '{"version":1,"profiles":{',
      new Uint8Array(512),
      "[]",
      "null",
      '{"version":"1","skills":[]}',
      "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> x\n",
      `{"version":1}${" ".repeat(20 << 20)}`,
    ];
    for (const content of odd) {
      put(content);
      const { diagnostics } = readState(data);
      expect(diagnostics.map(({ code }) => code)).toEqual(["state/unusable"]);
      for (let round = 0; round < 2; round++)
        expect(() => updateState(data, off("x"))).toThrow(/cannot be read/);
      expect(readFileSync(file()).equals(Buffer.from(content as string))).toBe(true);
      expect(names()).toEqual(["state.json", "state.json.corrupt-1"]);
      expect(repairState(data)).toBe(`${file()}.corrupt-1`);
      expect(readState(data).diagnostics).toEqual([]);
      expect(readFileSync(`${file()}.corrupt-1`).equals(Buffer.from(content as string))).toBe(true);
      rmSync(join(data, "state"), { recursive: true });
    }
    expect(repairState(data)).toBe(null);
  });

  it("leave a newer version alone and migrate an older one with a copy (row G05)", () => {
    const newer = '{"version":99,"profiles":{"skillet":{"disabled":[{"name":"keep-me"}]}},"futureField":1}';
    put(newer);
    const { value, diagnostics } = readState(data);
    expect(profileState(value, "skillet").disabled).toEqual([{ name: "keep-me" }]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["state/newer"]);
    expect(() => updateState(data, off("x"))).toThrow(/newer Skillet/);
    expect(readFileSync(file(), "utf8")).toBe(newer);

    const older = '{"version":0,"skills":{"a":{"enabled":false},"b":{"enabled":true}}}';
    put(older);
    expect(profileState(readState(data).value, "skillet").disabled).toEqual([{ name: "a" }]);
    updateState(data, off("c"));
    expect(profileState(readState(data).value, "skillet").disabled).toEqual([{ name: "a" }, { name: "c" }]);
    expect(readFileSync(`${file()}.v0.bak`, "utf8")).toBe(older);
  });

  it("keep fields that they do not know, and good entries beside bad ones", () => {
    put(
      '\ufeff{"version":1,"other":{"x":1},"profiles":{"skillet":{"disabled":[{"name":"a"},7,{"name":"b","location":"/c"}]}},"trusted":["/old",{"path":"rel"},{"path":"/ok"}]}',
    );
    const { value, diagnostics } = readState(data);
    expect(profileState(value, "skillet").disabled).toEqual([{ name: "a" }]);
    expect(value.trusted.map(({ path }) => path)).toEqual(["/ok"]);
    expect(diagnostics.map(({ code }) => code)).toEqual(Array(4).fill("state/entry"));
    updateState(data, (state) => withoutTrust(state, "/ok"));
    expect(JSON.parse(readFileSync(file(), "utf8"))).toMatchObject({ other: { x: 1 }, trusted: [] });
  });

  it("take over locks of the dead, the past and the future, also folders (row G06)", () => {
    const lock = `${file()}.lock`;
    const at = (path: string, year: string) => utimesSync(path, new Date(year), new Date(year));
    for (const make of [
      () => {
        writeFileSync(lock, "999999\n");
        at(lock, "2001-01-01");
      },
      () => {
        writeFileSync(lock, "1\n");
        at(lock, "2099-01-01");
      },
      () => {
        mkdirSync(lock);
        at(lock, "2001-01-01");
      },
      () => {
        mkdirSync(lock);
        at(lock, "2099-01-01");
      },
    ]) {
      mkdirSync(join(data, "state"), { recursive: true });
      make();
      updateState(data, off("x"));
      expect(names()).toEqual(["state.json"]);
      rmSync(join(data, "state"), { recursive: true });
    }
  });

  it.runIf(process.platform !== "win32")("refuse a state folder that is a link or a file", () => {
    mkdirSync(join(data, "elsewhere"));
    symlinkSync(join(data, "elsewhere"), join(data, "state"));
    expect(() => updateState(data, off("x"))).toThrow(/is a link/);
    unlinkSync(join(data, "state"));
    writeFileSync(join(data, "state"), "");
    expect(() => updateState(data, off("x"))).toThrow(/is not a folder/);
    expect(readState(data).diagnostics).toEqual([]);
  });

  it.runIf(process.platform !== "win32" && process.getuid?.() !== 0)(
    "name the folder and the setting when it cannot be written (row G07) [not as root]",
    () => {
      chmodSync(data, 0o555);
      expect(() => updateState(data, off("x"))).toThrow(
        expect.objectContaining({
          code: "environment",
          message: expect.stringContaining(data),
          hint: expect.stringContaining("--data"),
        }),
      );
      expect(readState(data).diagnostics).toEqual([]);
      chmodSync(data, 0o755);
    },
  );

  it("keep what a project with very many skills needs", () => {
    const approved = Object.fromEntries(
      Array.from({ length: 12_000 }, (_, index) => [
        `skills/s-${index}/SKILL.md`,
        `sha256:${"0".repeat(64)}`,
      ]),
    );
    updateState(data, (state) => withTrust(off("x")(state), "/project", approved));
    const { value, diagnostics } = readState(data);
    expect(diagnostics).toEqual([]);
    expect(Object.keys(value.trusted[0]?.approved ?? {})).toHaveLength(12_000);
    updateState(data, off("y"));
    expect(profileState(readState(data).value, "skillet").disabled).toHaveLength(2);
  });

  it("refuse to write what could not be read again, and leave what is there", () => {
    updateState(data, off("x"));
    const huge = { [`skills/${"x".repeat(17 * 1024 * 1024)}`]: "sha256:0" };
    expect(() => updateState(data, (state) => withTrust(state, "/project", huge))).toThrow(/too large/);
    expect(profileState(readState(data).value, "skillet").disabled).toHaveLength(1);
  });

  it("lose nothing when processes write at once", async () => {
    const script = join(data, "worker.mjs");
    const module = (path: string) => JSON.stringify(fileURLToPath(new URL(path, import.meta.url)));
    buildSync({
      stdin: {
        contents: `
          import { updateState } from ${module("./state.ts")};
          import { withSwitch } from ${module("../core/visibility/stored-state.ts")};
          const [data, who] = process.argv.slice(2);
          for (let index = 0; index < 8; index++)
            updateState(data, (state) => withSwitch(state, "skillet", { entry: { name: who + index }, to: "disabled" }));`,
        resolveDir: data,
      },
      bundle: true,
      platform: "node",
      format: "esm",
      outfile: script,
    });
    // The bundle lies outside of the project and finds its libraries this way.
    const env = { ...process.env, NODE_PATH: fileURLToPath(new URL("../../node_modules", import.meta.url)) };
    const run = promisify(execFile);
    await Promise.all(["a", "b", "c", "d"].map((who) => run(process.execPath, [script, data, who], { env })));
    expect(profileState(readState(data).value, "skillet").disabled).toHaveLength(32);
    expect(names()).toEqual(["state.json"]);
  });
});

describe("isTrusted", () => {
  it("covers sub-folders and linked worktrees of a trusted main checkout, and nothing that only claims to be one", () => {
    const at = (...parts: string[]) => join(data, ...parts);
    const text = (path: string, content: string) => {
      mkdirSync(join(path, ".."), { recursive: true });
      writeFileSync(path, content);
    };
    text(at("main/.git/HEAD"), "ref: refs/heads/main\n");
    text(at("main/.git/worktrees/wt/gitdir"), "../../../../trees/wt/.git\n");
    text(at("main/.git/worktrees/wt/commondir"), "../..\n");
    text(at("main/.git/worktrees/wt/HEAD"), "ref: refs/heads/topic\n");
    text(at("trees/wt/.git"), "gitdir: ../../main/.git/worktrees/wt\n");
    text(at("evil/.git"), `gitdir: ${at("main/.git/worktrees/wt")}\n`);
    text(at("fake/.git"), "gitdir: own\n");
    text(at("fake/own/gitdir"), "../.git\n");
    text(at("fake/own/commondir"), `${at("main/.git")}\n`);
    text(at("main-evil/.git/HEAD"), "");
    const fileSystem = createFileSystem();
    const state = withTrust(readState(data).value, at("main"));
    const check = (folder: string) =>
      isTrusted(folder, state, { repository: findRepository(fileSystem, folder), fileSystem });
    expect([at("main"), at("main/sub"), at("trees/wt")].map(check)).toEqual([true, true, true]);
    expect([at("evil"), at("fake"), at("main-evil"), at("trees")].map(check)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(findRepository(fileSystem, at("trees/wt"))?.mainCheckout).toBe(at("main"));
    expect(findRepository(fileSystem, at("evil"))?.mainCheckout).toBe(null);
  });
});
