import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defaultConfiguration, defaultLimits } from "../../src/core/configuration.ts";
import type { Profile } from "../../src/core/profile.ts";
import { skilletPacks } from "../../src/core/profiles/skillet/packs.ts";
import { lenientReader } from "../../src/core/skill/lenient-reader.ts";
import { createEnvironment } from "../../src/host/environment.ts";
import { nodeCodec } from "../../src/host/node-codec.ts";
import { providePacks } from "../../src/host/packs/provide-packs.ts";
import { ownPackStore } from "../../src/packs/pack-store.ts";

// One start of the product as far as packs go, then a reader that looks at every file. Small, so that many can start
// at once; worker.ts is the whole product. Arguments: CWD HOME DATA. Prints the number of right files, or, with a channel
// to its parent, answers each message by it: so many processes start at the very same moment, again and again.
const [cwd = "", home = "", data = ""] = process.argv.slice(2);
const { value: environment } = createEnvironment({ cwd, home, data });
const profile = {
  packs: skilletPacks,
  reader: lenientReader,
  readLimits: { frontmatterBytes: defaultLimits.frontmatterBytes, depth: 32, keys: 512, aliases: 0 },
} as unknown as Profile;
function start(): string {
  const store = ownPackStore();
  const provided = providePacks({
    profile,
    environment,
    configuration: defaultConfiguration,
    codec: nodeCodec,
    hasProgram: () => true,
    pack: null,
    store,
  });
  let right = 0;
  const wrong: string[] = [];
  for (const root of provided.roots) {
    const pack = store.packs.find(({ name }) => root.id === `builtin:${name}`);
    for (const skill of pack?.skills ?? []) {
      for (const file of skill.files) {
        const path = join(root.path, skill.name, file.path);
        if (pack !== undefined && existsSync(path) && readFileSync(path).equals(store.bytes(pack, file)))
          right += 1;
        else wrong.push(path);
      }
    }
  }
  provided.release();
  return `${JSON.stringify({ right, wrong, diagnostics: provided.diagnostics.map(({ code }) => code) })}\n`;
}

if (process.send === undefined) process.stdout.write(start());
else {
  process.on("message", () => process.send?.(start()));
  process.on("disconnect", () => process.exit(0));
  process.send("ready");
}
