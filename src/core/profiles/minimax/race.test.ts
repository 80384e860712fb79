import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { loadConfiguration } from "../../../host/configuration.ts";
import { createEnvironment } from "../../../host/environment.ts";
import { createFileSystem, nodeCodec } from "../../../host/node-file-system.ts";
import { discover } from "../../discovery/discover.ts";
import { createDocumentCache } from "../../discovery/document-cache.ts";
import type { FileSystem } from "../../file-system.ts";
import { minimaxProfile } from "./profile.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "minimax-race-")));
const skills = join(root, "home/.claude/skills");

afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

beforeEach(() => {
  rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  for (const folder of ["ws", "data", "home/.claude/skills", "out/one", "out/two"])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, "out/one/SKILL.md"), "# One\n\nText.\n");
  writeFileSync(join(root, "out/two/SKILL.md"), "# Two\n\nSecret.\n");
  symlinkSync(join(root, "out/one"), join(skills, "a"));
});

/** Discovery while something happens before or after each SKILL.md is read. */
function survey(moment: "before" | "after", happening: (path: string) => void) {
  const real = createFileSystem();
  const fileSystem: FileSystem = {
    ...real,
    readFile(path, options) {
      const isSkill = path.endsWith("/SKILL.md");
      if (isSkill && moment === "before") happening(path);
      const read = real.readFile(path, options);
      const kept = read.kind === "file" ? { ...read, bytes: Uint8Array.from(read.bytes) } : read;
      if (isSkill && moment === "after") happening(path);
      return kept;
    },
  };
  const places = { cwd: join(root, "ws"), home: join(root, "home"), data: join(root, "data") };
  const environment = createEnvironment(places).value;
  const agent = { name: null, tools: null, features: [], host: "cli", region: null, mcpServers: [] } as const;
  const { value: configuration } = loadConfiguration({ environment, fileSystem: real, config: undefined });
  const context = { environment, fileSystem, codec: nodeCodec, configuration, agent, trust: false };
  const preparation = minimaxProfile.prepare(context);
  return discover({
    profile: minimaxProfile,
    preparation,
    fileSystem,
    codec: nodeCodec,
    limits: { folders: 1_000, entries: 1_000 },
    trustedFolders: [],
    cache: createDocumentCache(),
  });
}

function swapFolder(): void {
  symlinkSync(join(root, "out/two"), join(skills, "next"));
  renameSync(join(skills, "next"), join(skills, "a"));
}

test.each<[title: string, moment: "before" | "after", happening: (path: string) => void]>([
  ["the file is written while it is read", "after", (path) => writeFileSync(path, "# Another text\n")],
  ["the file goes away", "after", (path) => unlinkSync(path)],
  ["the folder's link is turned before the file is opened", "before", swapFolder],
  ["the folder's link is turned after the file was read", "after", swapFolder],
])("%s: it is left out this time", (_, moment, happening) => {
  const { skills: found, diagnostics } = survey(moment, happening);
  expect(found).toEqual([]);
  expect(diagnostics.map(({ profileCode }) => profileCode)).toContain("skill_changed_during_read");
});

test("nothing happens: it is there", () => {
  expect(survey("after", () => {}).skills.map(({ title }) => title)).toEqual(["One"]);
});
