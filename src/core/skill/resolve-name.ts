import { printable } from "../text/printable.ts";
import { codePointLength } from "../text/single-line.ts";
import type { SkillSource } from "./document.ts";
import { addFinding, type Findings } from "./findings.ts";
import type { Entry } from "./frontmatter-node.ts";
import { plainType } from "./frontmatter-value.ts";
import { nameFault, namePortability } from "./skill-name.ts";
import { yamlText } from "./yaml-text.ts";

export interface ResolvedName {
  readonly name: string;
  readonly from: "frontmatter" | "folder" | "file";
}

/** How the finding begins that refuses a declared name. */
export function refusedName(declared: string): string {
  return `the name "${printable(declared).slice(0, 200)}" is not allowed`;
}

/**
 * The name of a skill: the declared one in NFC, else that of the folder (of the file, for a flat one). A declared name
 * that is not allowed is an error and the folder's is used (case n-unsafe); null when the folder's is not allowed
 * either. A number or boolean keeps its source text (`007`).
 */
export function resolveName(
  entry: Entry | null,
  source: SkillSource,
  findings: Findings,
): ResolvedName | null {
  if (entry !== null && entry.value.kind === "scalar" && isOrdinaryName(entry.value.text, source))
    return { name: entry.value.text, from: "frontmatter" };
  const declared = entry === null ? "" : declaredName(entry, findings);
  const place = { entry: entry ?? undefined };
  const home = (source.file ?? source.folder).normalize("NFC").trim();
  const homeIs = source.file === null ? "folder" : "file";
  if (declared === "") {
    const fault = nameFault(home);
    if (fault !== null) return refuseHome(home, fault.reason, findings);
    const message = `name is missing; the ${homeIs}'s name ${printable(home)} is used instead`;
    addFinding(findings, "name/missing", message, { ...place, hint: `write it as: name: ${yamlText(home)}` });
    return { name: home, from: homeIs };
  }
  const fault = nameFault(declared);
  if (fault !== null) {
    const homeFault = nameFault(home);
    const instead = homeFault === null ? `; the ${homeIs}'s name ${printable(home)} is used instead` : "";
    const message = `${refusedName(declared)}: ${fault.reason}${instead}`;
    addFinding(findings, fault.code, message, {
      ...place,
      hint: homeFault === null ? `write it as: name: ${yamlText(home)}` : undefined,
    });
    return homeFault === null ? { name: home, from: homeIs } : refuseHome(home, homeFault.reason, findings);
  }
  const name = declared.normalize("NFC");
  if (name !== declared) {
    addFinding(
      findings,
      "name/normalized",
      `the name ${printable(name)} is spelled in parts; its composed form is used`,
      place,
    );
  }
  noteName(name, home, { entry, findings, homeIs });
  return { name, from: "frontmatter" };
}

/**
 * The folder's name, and one that no check below can say anything of: with a hyphen inside it is no YAML word, number or
 * device. Nearly all names are so, and the checks are a good part of reading a file.
 */
export function isOrdinaryName(name: string, source: SkillSource): boolean {
  return (
    source.file === null &&
    name === source.folder &&
    name.length <= 64 &&
    /^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/.test(name)
  );
}

function declaredName(entry: Entry, findings: Findings): string {
  const { value } = entry;
  if (value.kind !== "scalar") {
    const message = `name is a ${value.kind}, not a text`;
    addFinding(findings, "frontmatter/not-text", message, { entry });
    return "";
  }
  const text = value.text.trim();
  if (value.style === "plain" && text !== "") {
    if (/^(?:~|null|Null|NULL)$/.test(text)) return "";
    const type = plainType(text);
    if (type !== null) {
      addFinding(
        findings,
        "frontmatter/not-text",
        `name is not a string in YAML (YAML reads ${type}); used as written`,
        {
          entry,
          hint: `write it as: name: "${printable(text)}"`,
        },
      );
    }
  }
  return text;
}

function refuseHome(home: string, reason: string, findings: Findings): null {
  const message = `the name of the folder, "${printable(home).slice(0, 200)}", cannot be used either: ${reason}`;
  addFinding(findings, "name/folder-unsafe", message);
  return null;
}

function noteName(
  name: string,
  home: string,
  input: { readonly entry: Entry | null; readonly findings: Findings; readonly homeIs: string },
): void {
  const { findings, homeIs } = input;
  const place = { entry: input.entry ?? undefined };
  if (name !== home) {
    const message = `the name ${printable(name).slice(0, 200)} differs from the ${homeIs}'s name ${printable(home)}; agents that go by the ${homeIs} show another name or do not load it`;
    addFinding(findings, "name/differs-from-folder", message, place);
  }
  if (name.length > 64) {
    const length = codePointLength(name);
    if (length > 64)
      addFinding(
        findings,
        "name/too-long",
        `the name has ${length} characters; the standard allows 64`,
        place,
      );
  }
  const portability = namePortability(name);
  if (portability !== null) {
    const message = `the name ${printable(name).slice(0, 200)} is not portable: ${portability.reason}`;
    addFinding(findings, portability.code, message, place);
  }
}
