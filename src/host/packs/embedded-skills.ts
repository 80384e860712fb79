import type { TextCodec } from "../../core/file-system.ts";
import { localize } from "../../core/packs/localize.ts";
import type { Pack } from "../../core/packs/pack.ts";
import type { EmbeddedSkill } from "../../core/profile.ts";
import type { ReadLimits, SkillReader } from "../../core/skill/document.ts";
import { PackDamage, type PackStore } from "../../packs/pack-store.ts";

/** Skills of a pack that live in memory only: read like files, with the location `<built-in>` (rows K06, G07). */
export function embeddedSkills(
  pack: Pack,
  enabled: readonly string[],
  parts: {
    readonly store: PackStore;
    readonly reader: SkillReader;
    readonly limits: ReadLimits;
    readonly codec: TextCodec;
  },
): readonly EmbeddedSkill[] {
  const { store, reader, limits, codec } = parts;
  return pack.skills.flatMap((skill): readonly EmbeddedSkill[] => {
    const file = skill.files.find(({ path }) => path === "SKILL.md");
    if (file === undefined || !enabled.includes(skill.name)) return [];
    const bytes = bytesOrNull(() => store.bytes(pack, file));
    if (bytes === null) return [];
    const source = { path: "<built-in>", folder: skill.name, file: null, bytes };
    const { document } = reader.read(source, { codec, limits });
    if (document === null) return [];
    const { name, description } = document;
    return [
      {
        name,
        description,
        body: reader.body(source, { codec, limits }),
        location: source.path,
        document: localize(document, skill.locales),
        place: "last",
      },
    ];
  });
}

/** Null where the package itself is damaged; that is said once, for the whole pack. */
function bytesOrNull(read: () => Uint8Array): Uint8Array | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof PackDamage) return null;
    throw error;
  }
}
