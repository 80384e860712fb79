import { existsSync } from "node:fs";
import { join } from "node:path";
import { SkilletError } from "../../core/error.ts";
import { type CollectedPack, collectPack, PackTooLarge } from "../../packs/collect-pack.ts";
import { collectPacks } from "../../packs/collect-packs.ts";
import { collectedPackStore, type PackStore } from "../../packs/pack-store.ts";
import { toNative, toPortable } from "../native-path.ts";

const limits = { files: 5_000, bytes: 128 * 1_048_576 };

/**
 * Packs of a folder that a user names by `--pack`: `general` and `compose` in it when they hold no skill themselves,
 * else the folder itself as pack `general`. Throws `SkilletError` "usage" for a folder that cannot be a pack.
 */
export function namedPackStore(path: string): PackStore {
  const folder = toNative(path);
  const several = ["general", "compose"].some(
    (name) => existsSync(join(folder, name)) && !existsSync(join(folder, name, "SKILL.md")),
  );
  const collected = ((): readonly CollectedPack[] => {
    try {
      return several ? collectPacks(folder, limits) : [collectPack(folder, { name: "general", limits })];
    } catch (cause) {
      const why = cause instanceof PackTooLarge ? "holds too much to be a pack" : "cannot be read as a pack";
      throw new SkilletError("usage", `The folder of --pack, ${path}, ${why}.`, { cause });
    }
  })();
  return collectedPackStore(collected, ({ name }) => toPortable(several ? join(folder, name) : folder));
}
