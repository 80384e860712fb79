import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { PackManifest } from "../core/packs/pack.ts";
import { type CollectedPack, collectPack, type PackLimits, type PackLocales } from "./collect-pack.ts";

/** Folder of the translated texts, beside the packs. */
const localesFolder = "locales";

/**
 * All packs of a folder: each subfolder but `locales` is one. `locales/LANGUAGE.json` holds translated texts as
 * `{PACK: {SKILL: {title, description, aliases}}}`. Features M1 and M16.
 */
export function collectPacks(folder: string, limits?: PackLimits): readonly CollectedPack[] {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== localesFolder)
    .map(({ name }) => name)
    .sort();
  const locales = readLocales(join(folder, localesFolder));
  return names.map((name) =>
    collectPack(join(folder, name), {
      name,
      locales: ofPack(locales, name),
      ...(limits === undefined ? {} : { limits }),
    }),
  );
}

/** Files of the built form: one blob a pack, and the manifest, which names them and so is written last. */
export function packFiles(packs: readonly CollectedPack[], version: string): ReadonlyMap<string, Uint8Array> {
  const manifest: PackManifest = { format: 1, version, packs: packs.map(({ pack }) => pack) };
  return new Map([
    ...packs.map(({ pack, bytes }) => [pack.blob.name, bytes] as const),
    ["manifest.json", Buffer.from(`${JSON.stringify(manifest)}\n`, "utf8")] as const,
  ]);
}

type Locales = ReadonlyMap<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>;

function readLocales(folder: string): Locales {
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return new Map(
    files
      .sort()
      .map((name) => [basename(name, ".json"), JSON.parse(readFileSync(join(folder, name), "utf8"))]),
  );
}

function ofPack(locales: Locales, pack: string): PackLocales {
  return new Map([...locales].map(([language, packs]) => [language, packs[pack] ?? {}]));
}
