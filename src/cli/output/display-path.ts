import { relativeInside, tildify } from "../../core/path.ts";
import { safeText } from "./safe-text.ts";

export interface Place {
  readonly cwd: string;
  readonly home: string;
}

/** A path for people: relative inside the working folder, `~` in the home folder, else whole; safe to print. */
export function displayPath(path: string, place: Place): string {
  const inside = place.cwd.length < 2 ? null : relativeInside(place.cwd, path);
  if (inside !== null) return inside === "" ? "." : safeText(inside);
  return safeText(tildify(place.home, path));
}

/** A sentence in which the absolute paths inside the working and the home folder are shortened in the same way. */
export function shortenPaths(text: string, { cwd, home }: Place): string {
  return replaceFolder(replaceFolder(text, cwd, ""), home, "~/");
}

function replaceFolder(text: string, folder: string, replacement: string): string {
  if (folder.length < 2) return text;
  const parts = text.split(`${folder}/`);
  return parts.reduce((before, part) =>
    // In the middle of a longer path it is another folder.
    /[^\s"'`(:=,]$/.test(before) ? `${before}${folder}/${part}` : before + replacement + part,
  );
}
