import type { PackPlace, PackPolicy } from "../../packs/pack-policy.ts";
import { dataFolder } from "../../places.ts";
import { skilletScan } from "./scan-rules.ts";

/** A skill of a pack is a folder right below; links there lead nowhere (row K04). */
const scan: PackPlace["scan"] = {
  ...skilletScan({ depth: 1, flatFiles: false, links: "own" }),
  rootIsSkill: false,
  fileName: "exact",
  links: { root: "never", folderInside: "refuse", folderOutside: "refuse", file: "refuse" },
};

const common = { marker: "text", groups: [], programs: {}, scan } as const;

/** Skillet's own skills: the general ones and the workflow `compose:*`, which only its agent may use (M1, M8, M11). */
export const skilletPacks: PackPolicy = {
  rule: "proven",
  own: true,
  version: null,
  setting: true,
  data: dataFolder,
  packs: [
    {
      ...common,
      pack: "general",
      folder: "builtin_skills",
      switches: ["SKILLET_DISABLE_BUILTIN_SKILLS"],
      source: "builtin-general",
    },
    {
      ...common,
      pack: "compose",
      folder: "compose",
      switches: ["SKILLET_DISABLE_BUILTIN_SKILLS", "SKILLET_DISABLE_COMPOSE_SKILLS"],
      source: "builtin-compose",
    },
  ],
};
