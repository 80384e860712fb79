import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { configValueFromText, setConfigValue } from "./edit-configuration.ts";

let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "skillet-edit-"));
  file = join(folder, "deep", "skillet.jsonc");
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
const text = () => readFileSync(file, "utf8");

describe("setConfigValue", () => {
  it("makes the file, then keeps comments and layout", () => {
    setConfigValue(file, "search.limit", 7);
    expect(JSON.parse(text())).toEqual({ search: { limit: 7 } });
    writeFileSync(
      file,
      '{\n    // mine\n    "search": { "limit": 7 }, // seven\n    "brands": ["agents"],\n}\n',
    );
    chmodSync(file, 0o600);
    setConfigValue(file, "search.limit", 9);
    setConfigValue(file, "permission.skill.lark-v1.2", "deny");
    setConfigValue(file, "agent.my.agent.permission", { skill: "ask" });
    expect(text()).toContain("// mine");
    expect(text()).toContain('"limit": 9 }, // seven');
    expect(text()).toContain('"lark-v1.2": "deny"');
    expect(text()).toContain('"my.agent"');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    setConfigValue(file, "brands", undefined);
    setConfigValue(file, "catalog.share", undefined);
    expect(text()).not.toContain("brands");
    expect(readdirSync(join(folder, "deep"))).toEqual(["skillet.jsonc"]);
  });

  it("refuses unknown keys, wrong values and broken files", () => {
    expect(() => setConfigValue(file, "serch.limit", 1)).toThrow(
      expect.objectContaining({ code: "usage", hint: 'Did you mean "search.limit"?' }),
    );
    expect(() => setConfigValue(file, "search.limit", "many")).toThrow(/whole number/);
    expect(() => setConfigValue(file, "search.limit", 1e9)).toThrow(/from 1 to 100/);
    expect(() => setConfigValue(file, "permission.skill.x", "perhaps")).toThrow(
      expect.objectContaining({ code: "usage" }),
    );
    setConfigValue(file, "search.limit", 1);
    writeFileSync(file, "{ broken");
    expect(() => setConfigValue(file, "search.limit", 1)).toThrow(
      expect.objectContaining({ code: "config" }),
    );
    expect(text()).toBe("{ broken");
  });

  it.runIf(process.platform !== "win32")("writes through a link", () => {
    setConfigValue(file, "search.limit", 1);
    const link = join(folder, "link.jsonc");
    symlinkSync(file, link);
    setConfigValue(link, "search.limit", 2);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(JSON.parse(text())).toEqual({ search: { limit: 2 } });
  });

  it("reads values of a command line", () => {
    expect(["5", "true", "null", '["a"]', "always", "1.2.3", ""].map(configValueFromText)).toEqual([
      5,
      true,
      null,
      ["a"],
      "always",
      "1.2.3",
      "",
    ]);
  });
});
