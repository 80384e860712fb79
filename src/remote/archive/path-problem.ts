import { hiddenCharacters, showCodePoints } from "../../core/text/hidden-characters.ts";

/** Names that open a device on Windows, with any extension. */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i;

/**
 * Why a relative path from elsewhere may not become a file, as the end of a sentence, or null. One rule on every
 * system (security.md 1.3 row 3): whatever any system or git would read as something else is refused, never cleaned.
 */
export function pathProblem(path: string): string | null {
  if (path === "") return "it is empty";
  const hidden = hiddenCharacters(path);
  if (hidden.length > 0) return `it has hidden characters: ${showCodePoints(hidden)}`;
  if (/[\t\n]/.test(path)) return "it has a line break or tab in it";
  if (path.startsWith("/")) return "it is absolute";
  if (/^[A-Za-z]:/.test(path)) return "it begins with a drive";
  if (path.includes("\\")) return "it has a backslash in it";
  if (/[:<>"|?*]/.test(path)) return "it has a character in it that no file of Windows can have";
  for (const segment of path.split("/")) {
    const problem = segmentProblem(segment);
    if (problem !== null) return problem;
  }
  return null;
}

function segmentProblem(segment: string): string | null {
  if (segment === "") return "it has an empty name in it";
  if (segment === "." || segment === "..") return "it climbs out of its folder";
  if (/[. ]$/.test(segment)) return "a name in it ends with a dot or a blank";
  if (device.test(segment)) return "a name in it is a device of Windows";
  if (/[\u2044\u2215\u29f5\uff0f\uff3c\u2024\ufe52\uff0e]/.test(segment)) {
    return "it has a character in it that becomes a separator or dot on some systems";
  }
  if (/^(?:\.git|git~[0-9])$/i.test(segment)) return "it reaches into the data of git";
  return Buffer.byteLength(segment) > 255 ? "a name in it is longer than 255 bytes" : null;
}
