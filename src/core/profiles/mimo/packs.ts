import type { PackPlace, PackPolicy } from "../../packs/pack-policy.ts";
import { folderScan } from "../opencode/scan-rules.ts";
import { builtinPack, composePack, neededPrograms, officialSkills, ownCounterparts } from "./bundled.ts";
import { mimoDataFolder } from "./places.ts";

/** A pack's skills lie exactly one level below; what a skill holds further down is no skill of its own. */
const oneLevel: PackPlace["scan"] = { ...folderScan, depth: 1, rootIsSkill: false, nested: "stop" };

/**
 * Where MiMo Code v0.1.14 puts its packs and by which rule (features M2 to M4, M8). Its skills are not ours to ship, so
 * only a pack that a caller names (`--pack`) is extracted; else what the program itself extracted is read.
 */
export const mimoPacks: PackPolicy = {
  rule: "seed",
  own: false,
  version: "0.1.14",
  setting: false,
  data: mimoDataFolder,
  packs: [
    {
      pack: "general",
      folder: "builtin_skills",
      switches: ["MIMOCODE_DISABLE_BUILTIN_SKILLS"],
      marker: "text",
      groups: [
        {
          switch: "MIMOCODE_DISABLE_OFFICIAL_SKILLS",
          skills: [...officialSkills, ...ownCounterparts.values()],
        },
      ],
      programs: Object.fromEntries([...neededPrograms].map(([skill, program]) => [skill, [program]])),
      source: builtinPack,
      scan: oneLevel,
    },
    {
      pack: "compose",
      folder: "compose",
      switches: ["MIMOCODE_DISABLE_COMPOSE_SKILLS"],
      marker: "existence",
      groups: [],
      programs: {},
      source: composePack,
      scan: folderScan,
    },
  ],
};
