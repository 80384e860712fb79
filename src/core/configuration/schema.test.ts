import { describe, expect, it } from "vitest";
import { type Configuration, defaultConfiguration } from "../configuration.ts";
import { configKeys } from "./keys.ts";
import { configurationSchema } from "./schema.ts";

describe("the table of settings", () => {
  it("has the defaults that hold where no file sets anything", () => {
    const unlike = configKeys.filter(({ key, default: value }) => {
      if (["$schema", "permission", "agent"].includes(key)) return false;
      const [group = "", name] = key.split(".");
      const part = defaultConfiguration[group as keyof Configuration] as Record<string, unknown>;
      return JSON.stringify(name === undefined ? part : part[name]) !== JSON.stringify(value);
    });
    expect(unlike).toEqual([]);
  });

  it("names every setting of the configuration", () => {
    const groups = ["skills", "trust", "catalog", "search", "limits"] as const;
    // Follows from where `skills.urls` was set; nobody sets it.
    const derived = new Set(["skills.projectUrls"]);
    for (const group of groups) {
      const names = Object.keys(defaultConfiguration[group]).map((name) => `${group}.${name}`);
      expect(configKeys.map(({ key }) => key)).toEqual(
        expect.arrayContaining(names.filter((name) => !derived.has(name))),
      );
    }
  });

  it("never lets a project set what grants rights", () => {
    const rights = Object.fromEntries(configKeys.map(({ key, project }) => [key, project]));
    for (const key of ["trust.workspace", "trust.folders", "sources", "policy", "catalog.budget"])
      expect(rights[key]).toBe("never");
    for (const key of Object.keys(rights).filter((name) => name.startsWith("limits.")))
      expect(rights[key]).toBe("lower");
  });
});

describe("configurationSchema", () => {
  it("describes every key and refuses others", () => {
    const schema = JSON.parse(JSON.stringify(configurationSchema()));
    expect(schema.additionalProperties).toBe(false);
    expect(schema.properties.limits.properties.yamlDepth).toMatchObject({
      type: "integer",
      maximum: 64,
      default: 32,
    });
    expect(schema.properties.catalog.properties.budget).toMatchObject({ type: ["integer", "null"] });
    expect(schema.properties.skills.additionalProperties).toBe(false);
    expect(Object.keys(schema.properties)).toEqual([
      ...new Set(configKeys.map(({ key }) => key.split(".")[0])),
    ]);
  });
});
