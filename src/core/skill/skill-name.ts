import type { DiagnosticCode } from "../diagnostics/table.ts";
import { hiddenCharacters, showCodePoints } from "../text/hidden-characters.ts";
import { printable } from "../text/printable.ts";

export interface NameFault {
  readonly code: DiagnosticCode;
  /** Why, as the end of a sentence; hidden characters shown as code points. */
  readonly reason: string;
}

const deviceName = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i;

/**
 * Why a name may not be used at all, or null: it would leave its folder, name a device, hide something, or act as a
 * pattern (case n-unsafe; security.md 1.3 rows 2 and 3). Everything else is allowed: letters of all languages, blanks,
 * capitals, `_` and `.` inside.
 */
export function nameFault(name: string): NameFault | null {
  if (/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) {
    return deviceName.test(name) ? { code: "name/unsafe", reason: "it is a device of Windows" } : null;
  }
  const unsafe = (reason: string): NameFault => ({ code: "name/unsafe", reason });
  const hidden = hiddenCharacters(name);
  if (hidden.length > 0) {
    return { code: "name/hidden-characters", reason: `it has hidden characters: ${showCodePoints(hidden)}` };
  }
  if (/[\n\t]/.test(name)) return unsafe("it has a line break or tab in it");
  if (name.trim() === "") return unsafe("it is empty");
  if (name === "." || name === "..") return unsafe("it names a folder itself");
  if (/^[A-Za-z]:/.test(name)) return unsafe("it begins with a drive");
  if (/[/\\]/.test(name)) {
    return unsafe(/^[/\\]/.test(name) ? "it is an absolute path" : "it has a path separator in it");
  }
  if (/[\u2044\u2215\u29f5\uff0f\uff3c\u2024\ufe52\uff0e]/.test(name)) {
    return unsafe("it has a character in it that becomes a separator or dot on some systems");
  }
  if (/%[0-9a-f]{2}/i.test(name)) return unsafe("it has a percent-encoded character in it");
  if (name.startsWith(".") || name.endsWith(".")) return unsafe("it begins or ends with a dot");
  if (/[*?]/.test(name)) return unsafe("* and ? make a pattern of it");
  if (/[<>"|]/.test(name)) return unsafe("it has a character in it that no folder of Windows can have");
  if (name.startsWith("-")) return unsafe("it begins with a hyphen, like an option of a command");
  if (name.startsWith("~")) return unsafe("it begins with ~, the home folder of a shell");
  if (deviceName.test(name)) return unsafe("it is a device of Windows");
  return null;
}

/** What makes an allowed name hard to type, look up or share; null for names that every agent takes. */
export function namePortability(name: string): NameFault | null {
  if (/^[a-z0-9]+(?:[-_.][a-z0-9]+)*$/.test(name)) return null;
  const mixed = mixedScripts(name);
  if (mixed !== null) return { code: "name/confusable", reason: `it mixes ${mixed} letters that look alike` };
  if (name.normalize("NFKC") !== name) {
    const plain = printable(name.normalize("NFKC"));
    return {
      code: "name/confusable",
      reason: `it has characters that stand for others; plainly written it is "${plain}"`,
    };
  }
  if (/[^\0-\x7f]/.test(name))
    return { code: "name/not-portable", reason: "it has letters other than a to z" };
  return {
    code: "name/not-portable",
    reason: "it has other characters than a to z, 0 to 9 and hyphens inside",
  };
}

/** Alphabets with look-alikes that no single word mixes. */
function mixedScripts(name: string): string | null {
  const found = [
    /\p{Script=Latin}/u.test(name) ? "Latin" : "",
    /\p{Script=Cyrillic}/u.test(name) ? "Cyrillic" : "",
    /\p{Script=Greek}/u.test(name) ? "Greek" : "",
    /\p{Script=Armenian}/u.test(name) ? "Armenian" : "",
    /\p{Script=Cherokee}/u.test(name) ? "Cherokee" : "",
  ].filter((script) => script !== "");
  return found.length > 1 ? found.join(" and ") : null;
}
