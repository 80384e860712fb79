import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import type { FileSystem, TextCodec } from "../../core/file-system.ts";
import { basename, dirname } from "../../core/path.ts";
import type { Profile } from "../../core/profile.ts";
import type { SkillSource } from "../../core/skill/document.ts";
import { validateStrict } from "../../core/skill/validate-strict.ts";
import { printable } from "../../core/text/printable.ts";
import { type CheckTarget, isSkillFile, sourceNames } from "./check-targets.ts";
import { linkFindings } from "./link-findings.ts";
import { riskFindings } from "./risk-findings.ts";

export interface CheckTools {
  readonly fileSystem: FileSystem;
  readonly codec: TextCodec;
  readonly profile: Profile;
  /** Hold it to the published standard as well. */
  readonly strict?: boolean;
}

/** What was found in one file; `source` is null when it could not be read, its bytes are a copy. */
export interface CheckedFile {
  readonly diagnostics: readonly Diagnostic[];
  readonly source: SkillSource | null;
}

/** Everything that can be said of one skill file without the others: can it be read, what the reader notices, its links. */
export function checkFile(target: CheckTarget, tools: CheckTools): CheckedFile {
  const { path } = target;
  if (target.outside)
    return unread(
      makeDiagnostic("discovery/link-outside", {
        path,
        message: "The file is a link that leads out of this folder.",
      }),
    );
  const read = tools.fileSystem.readFile(target.realPath ?? path, {
    limit: tools.profile.fileLimit,
    follow: true,
  });
  switch (read.kind) {
    case "file": {
      const source: SkillSource = { path, ...sourceNames(path), bytes: Uint8Array.from(read.bytes) };
      return {
        source,
        diagnostics: [
          ...readDiagnostics(source, tools),
          ...fileCase(path),
          ...caseTwins(path, tools.fileSystem),
        ],
      };
    }
    case "too-large":
      return unread(
        makeDiagnostic("file/too-large", {
          path,
          message: `The file has ${read.size} bytes; at most ${tools.profile.fileLimit} are read.`,
        }),
      );
    case "absent":
    case "link":
      return unread(
        makeDiagnostic("discovery/link-broken", { path, message: "The file is a link to nothing." }),
      );
    case "other":
      return unread(
        makeDiagnostic("file/not-a-file", { path, message: `This is no regular file (${read.type}).` }),
      );
    case "failure":
      return unread(
        makeDiagnostic("file/unreadable", { path, message: `The file cannot be read (${read.code}).` }),
      );
  }
}

function unread(diagnostic: Diagnostic): CheckedFile {
  return { diagnostics: [diagnostic], source: null };
}

/** Said without --strict too: what no person sees is no matter of taste (row B01). */
const hiddenText = "standard/hidden-characters";

function readDiagnostics(source: SkillSource, tools: CheckTools): readonly Diagnostic[] {
  const { profile, codec, fileSystem } = tools;
  const context = { codec, limits: profile.readLimits };
  const { diagnostics } = profile.reader.read(source, context);
  const strict = validateStrict(source, context, { names: "ascii" }).filter(
    ({ code }) => tools.strict === true || code === hiddenText,
  );
  const found = [...diagnostics, ...strict.filter((one) => !diagnostics.some((other) => same(one, other)))];
  const { path } = source;
  if (!codec.isUtf8(source.bytes)) return [...found, ...riskFindings({ path, text: null }, tools)];
  const text = codec.decode(source.bytes, 0, source.bytes.length);
  const body = profile.reader.body(source, context);
  const bodyLine = text.slice(0, Math.max(0, text.length - body.length)).split("\n").length;
  return [
    ...found,
    ...linkFindings(fileSystem, { path, text, bodyLine }),
    ...riskFindings({ path, text }, tools),
  ];
}

function same(a: Diagnostic, b: Diagnostic): boolean {
  return a.code === b.code && a.severity === b.severity && a.range?.line === b.range?.line;
}

/** Discovery takes such a file, most agents do not. */
function fileCase(path: string): readonly Diagnostic[] {
  const name = basename(path);
  if (name === "SKILL.md" || !isSkillFile(name)) return [];
  const message = `The file is named ${name}; most agents only see SKILL.md.`;
  return [makeDiagnostic("discovery/skill-file-case", { path, message, hint: "Rename it to SKILL.md" })];
}

/** Skill files that differ in case only, in one folder: only one of them is read. */
export function caseTwins(path: string, fileSystem: FileSystem): readonly Diagnostic[] {
  const read = fileSystem.readDirectory(dirname(path), { limit: 10_000 });
  if (read.kind !== "directory") return [];
  const files = read.entries.filter(({ name }) => isSkillFile(name)).map(({ name }) => name);
  if (files.length < 2) return [];
  const message = `${files.map(printable).join(" and ")} stand in one folder; only the first is read.`;
  return [makeDiagnostic("file/case-twins", { path, message })];
}
