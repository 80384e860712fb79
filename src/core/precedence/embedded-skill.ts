import type { Root } from "../discovery/root.ts";
import type { TextCodec } from "../file-system.ts";
import type { EmbeddedSkill } from "../profile.ts";
import { plainDocument } from "../skill/plain-document.ts";
import type { Skill } from "../snapshot.ts";

/** The record of a skill that exists only in memory. */
export function embeddedSkill(embedded: EmbeddedSkill, index: number, codec: TextCodec): Skill {
  return {
    ...(embedded.document ?? plainDocument(embedded.name, embedded.description)),
    location: embedded.location,
    directory: null,
    realPath: embedded.location,
    root: embedded.root ?? (embedded.place === "last" ? weakRoot : embeddedRoot),
    digest: embedded.digest ?? codec.digest(new TextEncoder().encode(embedded.body ?? "")),
    identity: null,
    flat: false,
    embedded: embedded.body,
    index,
  };
}

const embeddedRoot: Root = Object.freeze({
  id: "builtin:embedded",
  path: "<built-in>",
  scope: "builtin",
  source: "builtin",
  brand: null,
  level: null,
  priority: null,
  needsTrust: false,
  boundary: null,
  bundled: true,
  note: null,
  expected: false,
  scan: Object.freeze({
    depth: 0,
    rootIsSkill: false,
    nested: "stop",
    hidden: false,
    ignore: new Set<string>(),
    flat: "none",
    order: "names",
    fileName: "exact",
    visit: "real-path",
    links: Object.freeze({ root: "never", folderInside: "refuse", folderOutside: "refuse", file: "refuse" }),
  }),
});

/** Of skills in memory that stand behind everything on disk. */
export const weakRoot: Root = Object.freeze({ ...embeddedRoot, id: "builtin:memory" });
