import { makeDiagnostic } from "../../diagnostics/make.ts";
import type { Root, ScanRules } from "../../discovery/root.ts";
import type { SkillRead, SkillReader } from "../../skill/document.ts";
import { plainDocument } from "../../skill/plain-document.ts";
import { printable } from "../../text/printable.ts";
import { type PluginSkillRead, readPluginSkill } from "./plugin-skill.ts";

/** How the skills of one plugin are read. */
export interface PluginReading {
  /** Name of the plugin; its skills are called `plugin:skill`. */
  readonly plugin: string;
  readonly agentSkills: boolean;
  /** The name has to be the folder's. */
  readonly expectFolder: boolean;
  /** The published standard's bounds on name and description hold. */
  readonly bounded: boolean;
}

/** Inside a plugin no link is followed out of its folder, and SKILL.md is a file of its own. */
const scan: ScanRules = {
  depth: 1,
  rootIsSkill: false,
  nested: "stop",
  hidden: true,
  ignore: new Set<string>(),
  flat: "none",
  order: "names",
  fileName: "exact",
  visit: "ancestors",
  links: { root: "inside-boundary", folderInside: "follow", folderOutside: "refuse", file: "refuse" },
  recheck: true,
};

/** A folder of a plugin whose direct children are skills; `only` = the children that count. */
export function pluginRoot(
  path: string,
  place: {
    readonly folder: string;
    readonly only: readonly string[] | null;
    readonly reading: PluginReading;
  },
): Root {
  const { folder, only, reading } = place;
  return {
    id: `plugin:${reading.plugin}@${path}${only === null ? "" : `#${only.join(",")}`}`,
    path,
    scope: "plugin",
    source: "plugin",
    brand: null,
    level: null,
    priority: null,
    needsTrust: false,
    boundary: folder,
    bundled: false,
    scan: only === null ? scan : { ...scan, only: new Set(only) },
    note: `plugin ${printable(reading.plugin)}`,
    expected: false,
    reader: createPluginReader(reading),
  };
}

const longestName = 64;
const longestDescription = 1_024;

/** One file by the strict rules and, where they hold, the bounds of the published standard (spec minimax 2.3). */
export function readBounded(text: string, folder: string, reading: PluginReading): PluginSkillRead {
  const { agentSkills, expectFolder, bounded } = reading;
  const read = readPluginSkill(text, {
    folder,
    agentSkills,
    ...(expectFolder ? { expectedName: folder } : {}),
  });
  if (!read.ok || !bounded) return read;
  const wrong = (message: string): PluginSkillRead => ({ ok: false, code: "SKILL_SCHEMA_INVALID", message });
  if (read.name.length > longestName || !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(read.name))
    return wrong(
      `skills/${folder}/SKILL.md has a name that is not lower case letters, digits and single hyphens`,
    );
  return read.description.length > longestDescription
    ? wrong(`skills/${folder}/SKILL.md has a description of more than ${longestDescription} characters`)
    : read;
}

function createPluginReader(reading: PluginReading): SkillReader {
  return {
    read(source, { codec }): SkillRead {
      const { bytes, path, folder } = source;
      const failed = (profileCode: string, message: string): SkillRead => ({
        document: null,
        diagnostics: [makeDiagnostic("plugin/invalid", { path, message: printable(message), profileCode })],
        skip: { code: "plugin/invalid", message: printable(message), name: null },
      });
      if (!codec.isUtf8(bytes)) return failed("PLUGIN_TEXT_INVALID_UTF8", "The file is not valid UTF-8.");
      const read = readBounded(codec.decode(bytes, 0, bytes.length), folder, reading);
      if (!read.ok) return failed(read.code, `${read.message}.`);
      const document = plainDocument(`${reading.plugin.trim()}:${read.name}`, read.description);
      return { document: { ...document, title: read.name }, diagnostics: [], skip: null };
    },
    body: ({ bytes }, { codec }) => {
      const text = codec.decode(bytes, 0, bytes.length);
      return text.startsWith("\ufeff") ? text.slice(1) : text;
    },
  };
}
