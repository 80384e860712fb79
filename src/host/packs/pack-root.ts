import type { Root } from "../../core/discovery/root.ts";
import type { PackPlace } from "../../core/packs/pack-policy.ts";

/** The root of a pack's folder. `ignored`: skills that are left out although their folder may be there (feature M4). */
export function packRoot(
  place: PackPlace,
  folder: string,
  options: { readonly ignored: readonly string[]; readonly named: boolean },
): Root {
  const { scan } = place;
  return {
    id: `builtin:${place.pack}`,
    path: folder,
    scope: "builtin",
    source: place.source,
    brand: null,
    level: null,
    priority: null,
    needsTrust: false,
    boundary: null,
    bundled: true,
    note: options.named ? "named by --pack" : null,
    expected: false,
    scan: {
      ...scan,
      ignore: options.ignored.length === 0 ? scan.ignore : new Set([...scan.ignore, ...options.ignored]),
      // A folder that a user names may be a link; the one in the data folder may not (row K04).
      links: options.named ? { ...scan.links, root: "follow" } : scan.links,
    },
  };
}
