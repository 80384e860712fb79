import { mkdirSync, mkdtempSync, realpathSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { configFolder, dataFolder, managedFolder } from "../core/places.ts";
import { createEnvironment, type EnvironmentOptions } from "./environment.ts";
import { languageFrom, languageTag } from "./language.ts";
import { nativeFromPortable, portableFromWindows } from "./native-path.ts";

let root = "";
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "skillet-env-")));
  mkdirSync(join(root, "home"));
  mkdirSync(join(root, "work"));
  writeFileSync(join(root, "file"), "");
});
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

const at = (...parts: string[]) => join(root, ...parts);
function make(options: EnvironmentOptions = {}) {
  const processEnv = options.processEnv ?? { HOME: at("home") };
  return createEnvironment({ cwd: at("work"), platform: "linux", ...options, processEnv });
}

describe("createEnvironment", () => {
  it("takes home, folder and language from the process", () => {
    const { value, diagnostics } = make({ processEnv: { HOME: `${at("home")}/`, LANG: "zh_CN.UTF-8" } });
    expect(diagnostics).toEqual([]);
    expect(value).toMatchObject({
      cwd: at("work"),
      home: at("home"),
      data: null,
      language: "zh-CN",
      isolated: false,
    });
  });

  it("drops variables that move folders when the home folder is replaced, except those of --env", () => {
    const processEnv = {
      HOME: at("home"),
      PATH: "/bin",
      CLAUDE_CONFIG_DIR: "/a",
      CODEX_HOME: "/b",
      XDG_CONFIG_HOME: "/c",
      OPENCODE_CONFIG: "/d",
      MIMOCODE_HOME: "/e",
      MINIMAX_DATA_DIR: "/f",
      MAVIS_DATA_DIR: "/g",
      SKILLET_DATA_DIR: "/h",
      SKILLET_MANAGED_DIR: "/i",
      GEMINI_CLI_HOME: "/j",
      COPILOT_HOME: "/k",
      SKILLET_API_KEY: "l",
    };
    const kept = make({ processEnv }).value;
    expect(kept.variables.CODEX_HOME).toBe("/b");
    expect([dataFolder(kept), configFolder(kept), managedFolder(kept)]).toEqual(["/h", "/c/skillet", "/i"]);
    const { value } = make({ processEnv, home: at("other"), env: ["CODEX_HOME=rel/x=y", "EMPTY="] });
    expect({ ...value.variables }).toEqual({
      HOME: at("other"),
      PATH: "/bin",
      SKILLET_API_KEY: "l",
      CODEX_HOME: "rel/x=y",
      EMPTY: "",
    });
    expect([dataFolder(value), configFolder(value), managedFolder(value)]).toEqual([
      at("other/.local/share/skillet"),
      at("other/.config/skillet"),
      null,
    ]);
    const managed = make({
      processEnv,
      home: at("home"),
      env: { SKILLET_MANAGED_DIR: "/m" },
      data: at("d"),
    }).value;
    expect([managedFolder(managed), dataFolder(managed)]).toEqual(["/m", at("d")]);
  });

  it("knows the usual managed folder of each system", () => {
    const managed = (platform: "linux" | "darwin" | "win32") => managedFolder({ ...make().value, platform });
    expect([managed("linux"), managed("darwin"), managed("win32")]).toEqual([
      "/etc/skillet",
      "/Library/Application Support/Skillet",
      "C:/ProgramData/Skillet",
    ]);
  });

  it("works with every home folder, and says what is wrong with it (row G08)", () => {
    const homes = [undefined, "", "rel", "/", at("file")];
    for (const HOME of homes) {
      const { value, diagnostics } = make({ processEnv: { HOME } });
      expect(diagnostics.map(({ code }) => code)).toEqual(["environment/bad-home"]);
      expect(value.home).toMatch(/^\/./);
      expect(value.home).not.toBe(at("file"));
    }
    expect(make({ processEnv: { HOME: at("missing") } })).toMatchObject({
      value: { home: at("missing") },
      diagnostics: [],
    });
    expect(make({ home: at("file") }).diagnostics).toHaveLength(1);
  });

  it("says that relative folders of variables do not count", () => {
    const { value, diagnostics } = make({ env: ["SKILLET_DATA_DIR=rel", "XDG_CONFIG_HOME=rel"] });
    expect(diagnostics.map(({ code }) => code)).toEqual([
      "environment/relative-folder",
      "environment/relative-folder",
    ]);
    expect(dataFolder(value)).toBe(at("home/.local/share/skillet"));
  });

  it("refuses working folders that are none, and --env without a name", () => {
    for (const cwd of [at("missing"), at("file")])
      expect(() => make({ cwd })).toThrow(expect.objectContaining({ code: "environment" }));
    expect(() => make({ env: ["=x"] })).toThrow(expect.objectContaining({ code: "usage" }));
    expect(() => make({ env: ["x"] })).toThrow(expect.objectContaining({ code: "usage" }));
  });

  it("says so when the process's folder is gone, unless another is named", () => {
    const gone = at("gone");
    mkdirSync(gone);
    rmdirSync(gone);
    const enoent = Object.assign(new Error("ENOENT: uv_cwd"), { code: "ENOENT" });
    vi.spyOn(process, "cwd").mockImplementation(() => {
      throw enoent;
    });
    expect(() => make({ cwd: null })).toThrow(
      expect.objectContaining({ code: "environment", message: expect.stringContaining("no longer exists") }),
    );
    expect(make({ cwd: at("work") }).value.cwd).toBe(at("work"));
  });

  it("keeps the path that the shell shows, when it is the same folder", () => {
    symlinkSync(at("work"), at("link"));
    vi.spyOn(process, "cwd").mockReturnValue(at("work"));
    const cwd = (PWD: string) => make({ cwd: null, processEnv: { HOME: at("home"), PWD } }).value.cwd;
    expect([cwd(at("link")), cwd(at("home")), cwd("rel"), cwd(`${at("work")}/../work`)]).toEqual([
      at("link"),
      at("work"),
      at("work"),
      at("work"),
    ]);
    expect(make({ cwd: "../home" }).value.cwd).toBe(at("home"));
  });
});

describe("languages", () => {
  it("are BCP 47 tags", () => {
    const of = (locale: string) => languageTag(locale);
    expect(
      ["zh_CN.UTF-8", "C", "POSIX", "C.UTF-8", "en", "sr_RS@latin", "de_DE@euro", "zh-hant-tw", "pt_br"].map(
        of,
      ),
    ).toEqual(["zh-CN", "en", "en", "en", "en", "sr-Latn-RS", "de-DE", "zh-Hant-TW", "pt-BR"]);
    expect(["", "!!", "x y"].map(of)).toEqual([null, null, null]);
    expect(languageFrom({ LC_ALL: "", LC_MESSAGES: "fr_FR", LANG: "de" })).toBe("fr-FR");
    expect(make({ language: "nonsense!" })).toMatchObject({
      value: { language: "en" },
      diagnostics: [{ code: "environment/bad-language" }],
    });
  });
});

describe("paths of Windows", () => {
  it("use slashes and an upper-case drive inside", () => {
    expect(portableFromWindows("c:\\a\\b c")).toBe("C:/a/b c");
    expect(portableFromWindows("\\\\?\\C:\\a")).toBe("C:/a");
    expect(nativeFromPortable("C:/a/b")).toBe("C:\\a\\b");
  });
});
