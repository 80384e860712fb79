import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import { isScript } from "../../core/policy/is-script.ts";
import { profileNamed } from "../../core/profiles/index.ts";
import { scanFile } from "../../core/risk/scan-file.ts";
import { validateStrict } from "../../core/skill/validate-strict.ts";
import { hiddenCharacters, showCodePoints } from "../../core/text/hidden-characters.ts";
import { printable } from "../../core/text/printable.ts";
import { nodeCodec } from "../../host/node-file-system.ts";
import type { SkillFile } from "../digest/skill-file.ts";

/** Text files larger than this are not searched for hidden characters. */
const searchedBytes = 1024 * 1024;

/**
 * What a person should see of a skill before it is written: what `check` says of it, scripts, hidden characters, signs
 * of an attack, archives, pointers to large file storage. Information and warnings only; a finding less is no proof of safety.
 */
export function inspectSkill(files: readonly SkillFile[], place: string): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const skill = files.find(({ path }) => path === "SKILL.md");
  if (skill !== undefined) {
    const source = { path: `${place}/SKILL.md`, folder: "", file: null, bytes: Uint8Array.from(skill.bytes) };
    const context = { codec: nodeCodec, limits: profileNamed("skillet").readLimits };
    const strict = validateStrict(source, context, { names: "ascii" });
    found.push(...strict.filter(({ code }) => code !== "standard/name-folder"));
  }
  const scripts = files
    .filter((file) => isScript({ ...file, head: file.bytes }))
    .map(({ path }) => printable(path));
  if (scripts.length > 0) {
    const shown =
      scripts.slice(0, 5).join(", ") + (scripts.length > 5 ? ` and ${scripts.length - 5} more` : "");
    found.push(makeDiagnostic("install/scripts", { path: place, message: `It brings scripts: ${shown}.` }));
  }
  for (const file of files) {
    const path = `${place}/${printable(file.path)}`;
    const start = Buffer.from(file.bytes.subarray(0, 60)).toString("latin1");
    if (start.startsWith("version https://git-lfs.github.com/spec/")) {
      const message = "The file is a pointer to large file storage; its content is not fetched.";
      found.push(makeDiagnostic("install/large-file-pointer", { path, message }));
    }
    if (/^(?:PK\x03\x04|\x1f\x8b)/.test(start)) {
      found.push(
        makeDiagnostic("install/closed-archive", { path, message: "An archive, which nothing looked into." }),
      );
    }
    found.push(...scanFile(file, { shown: path, decode: plainText }));
    const hidden = file.path === "SKILL.md" ? "" : hiddenText(file.bytes);
    if (hidden !== "") {
      found.push(makeDiagnostic("install/hidden-text", { path, message: `Hidden characters: ${hidden}.` }));
    }
  }
  return found;
}

function plainText(bytes: Uint8Array): string | null {
  if (bytes.length > searchedBytes || bytes.includes(0) || !nodeCodec.isUtf8(bytes)) return null;
  return nodeCodec.decode(bytes, 0, bytes.length);
}

function hiddenText(bytes: Uint8Array): string {
  const text = (plainText(bytes) ?? "").replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  const found = hiddenCharacters(text).filter(({ kind }) => kind !== "line-break");
  return found.length === 0 ? "" : showCodePoints(found);
}
