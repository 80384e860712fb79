import { readdirSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { SkilletError } from "../../core/error.ts";
import { printable } from "../../core/text/printable.ts";
import { fileError } from "../../host/file-error.ts";
import { toNative, toPortable } from "../../host/native-path.ts";
import type { ArchiveLimits } from "../archive/limits.ts";
import type { Candidate } from "./candidate.ts";
import type { Fetched } from "./fetched-skill.ts";
import { judgeAll } from "./judge-all.ts";
import { readFolder } from "./read-folder.ts";
import { skillFolders } from "./skill-folders.ts";
import type { FolderSource } from "./source.ts";
import { anySkillFile } from "./with-skill-file.ts";

const never = new Set(["node_modules", ".git", "__MACOSX"]);
/** Folders and files looked at while SKILL.md files are searched for. */
const searched = 50_000;

/** The skills of a local folder: itself, or those below it. Links are not followed. Throws `SkilletError`. */
export function fetchLocal(source: FolderSource, { limits }: { readonly limits: ArchiveLimits }): Fetched {
  const label = printable(source.text);
  let top: string;
  try {
    top = realpathSync(toNative(source.path));
  } catch (error) {
    throw fileError(error, { action: "read the folder", path: source.path });
  }
  const { outer, inner } = skillFolders(skillFiles(top, limits.depth, label));
  const named = inner.filter((folder) => folder.split("/").at(-1) === source.skill);
  const candidates = [...outer, ...named].map((folder): Candidate => {
    const path = folder === "" ? top : join(top, ...folder.split("/"));
    return { folder, folderName: toPortable(basename(path)), ...readFolder(path, limits) };
  });
  const judged = judgeAll(candidates, { label, limits, links: "resolve", wanted: source.skill });
  return { kind: "folder", source: source.text, url: null, ref: null, revision: null, ...judged };
}

function skillFiles(top: string, depth: number, label: string): readonly string[] {
  const found: string[] = [];
  let count = 0;
  const walk = (inner: string, level: number): void => {
    for (const entry of readdirSync(join(top, inner), { withFileTypes: true })) {
      count += 1;
      if (count > searched) {
        throw new SkilletError("failed", `${label} holds more than ${searched} files and folders.`, {
          hint: "Name the skill's own folder.",
        });
      }
      const path = inner === "" ? entry.name : `${inner}/${entry.name}`;
      if (entry.isFile() && anySkillFile.test(entry.name)) found.push(path);
      if (entry.isDirectory() && level < depth && !never.has(entry.name)) walk(path, level + 1);
    }
  };
  try {
    walk("", 0);
  } catch (error) {
    throw fileError(error, { action: "read the folder", path: top });
  }
  return found;
}
