import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultConfiguration } from "../../src/core/configuration.ts";
import { discover } from "../../src/core/discovery/discover.ts";
import { createDocumentCache } from "../../src/core/discovery/document-cache.ts";
import type { FileSystem } from "../../src/core/file-system.ts";
import { skilletProfile } from "../../src/core/profiles/skillet/profile.ts";
import { createEnvironment } from "../../src/host/environment.ts";
import { createFileSystem, nodeCodec } from "../../src/host/node-file-system.ts";
import { openSkills } from "../../src/host/open-skills.ts";
import { createPlanned } from "./cases/check-tables.ts";
import { type LaidOut, layOut } from "./cases/lay-out.ts";

// Case w-limits: a skill whose folder holds thousands of files of dependencies and assets.

const fixture = fileURLToPath(new URL("../fixtures/cases/w-limits/", import.meta.url));
let laid: LaidOut;

beforeAll(() => {
  laid = layOut({ from: fixture, setup: { cwd: "repo" } });
  createPlanned(laid.folder);
});

afterAll(() => laid.remove());

describe("w-limits", () => {
  it("opens a handful of folders to find the skill", () => {
    const listed: string[] = [];
    const disk = createFileSystem();
    const fileSystem: FileSystem = {
      ...disk,
      readDirectory: (path, options) => {
        if (existsSync(path)) listed.push(path);
        return disk.readDirectory(path, options);
      },
    };
    const { value: environment } = createEnvironment(laid.options);
    const preparation = skilletProfile.prepare({
      environment,
      fileSystem,
      codec: nodeCodec,
      configuration: defaultConfiguration,
      agent: { name: null, tools: null, features: [], host: "cli", region: null, mcpServers: [] },
      trust: true,
    });
    const snapshot = discover({
      profile: skilletProfile,
      preparation,
      fileSystem,
      codec: nodeCodec,
      limits: { folders: 100, entries: 1000 },
      trustedFolders: [],
      cache: createDocumentCache(),
    });
    expect(snapshot.skills.map(({ name }) => name)).toEqual(["heavy"]);
    expect(snapshot.diagnostics).toEqual([]);
    expect(listed.length).toBeLessThan(10);
  });

  it("names the first files of the skill and how many more there are", () => {
    const skills = openSkills(laid.options);
    const { output, files } = skills.load("heavy");
    expect(files).toHaveLength(skills.configuration.limits.listedFiles);
    expect(
      files.every((file) => file.startsWith(join(laid.folder, "repo/.agents/skills/heavy/assets/"))),
    ).toBe(true);
    expect(output).toContain(`${500 - files.length} more`);
  });
});
