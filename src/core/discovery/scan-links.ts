import { basename, contains } from "../path.ts";
import type { LinkRules } from "./root.ts";
import {
  refuseFileLink,
  refuseLink,
  reportBrokenLink,
  reportLinkBack,
  reportLinkToFile,
  reportRepeats,
} from "./scan-report.ts";
import { skillFile, unread, type Walk } from "./scan-state.ts";

/** Folders and links met again below a cycle or on another path, per root: two links a level are 2^n paths (row C03). */
const repeatedVisits = 4_000;

/** Counts one more such visit; true when there were too many. */
export function isRepeatedTooOften(walk: Walk, path: string): boolean {
  walk.repeated += 1;
  if (walk.repeated === repeatedVisits + 1) reportRepeats(walk, path, repeatedVisits);
  return walk.repeated > repeatedVisits;
}

export function isLinkAllowed(walk: Walk, rule: LinkRules["file"], real: string): boolean {
  return (
    rule === "follow" ||
    (rule === "markdown" && /\.(?:md|markdown)$/i.test(real)) ||
    (rule !== "refuse" && walk.input.known.some((folder) => contains(folder, real)))
  );
}

/** The real folder that a link leads to, where it may be entered; null else, and then everything is said. */
export function folderBehind(walk: Walk, path: string): string | null {
  const { fileSystem, rules } = walk;
  const resolved = fileSystem.realPath(path);
  if (resolved.kind === "failure") {
    reportBrokenLink(walk, path, resolved.code);
    return null;
  }
  const real = resolved.path;
  if (fileSystem.status(real, { follow: false }).kind !== "directory") {
    if (walk.codes !== undefined || meantFolder(path, real)) reportLinkToFile(walk, path, real);
    return null;
  }
  const inside = contains(walk.bound, real);
  if (inside && rules.visit === "real-path" && (walk.chain.includes(real) || real === walk.realRoot)) {
    const message = "This link leads back into the folder that holds it; it is not followed again.";
    reportLinkBack(walk, path, message, "Nothing to do; remove the link if it has no purpose");
    return null;
  }
  const allowed = inside
    ? rules.links.folderInside === "follow"
    : isLinkAllowed(walk, rules.links.folderOutside, real);
  if (allowed) return real;
  refuseFolder(walk, path, real);
  return null;
}

/** `NAME -> …/SKILL.md`: somebody linked the file of a skill where its folder was wanted. Other links to files are no one's mistake. */
function meantFolder(path: string, real: string): boolean {
  return !basename(path).includes(".") && basename(real).toLowerCase() === skillFile.toLowerCase();
}

/** Where only SKILL.md itself is judged, a folder outside without one is nothing to speak of. */
export function refuseFolder(walk: Walk, path: string, real: string): void {
  if (walk.rules.links.boundary === "as-written") {
    const file = `${real}/${skillFile}`;
    const { kind } = walk.fileSystem.status(file, { follow: false });
    if (kind === "absent" || kind === "failure") return;
    if (kind === "link") {
      const place = {
        location: `${path}/${skillFile}`,
        directory: path,
        folder: basename(path),
        realPath: file,
        root: walk.root,
        flat: false,
        file: null,
        digest: "",
        identity: unread,
      };
      refuseFileLink(walk, place);
      return;
    }
  }
  refuseLink(walk, path, real);
}
