import { readlinkSync } from "node:fs";
import type { FileSystem } from "../../core/file-system.ts";
import { dirname, resolve } from "../../core/path.ts";
import { toNative, toPortable } from "../native-path.ts";

/** As many as a system follows in one path. */
const mostLinks = 40;

interface Link {
  readonly path: string;
  readonly target: string;
}

/**
 * Makes a function that gives every place on which the meaning of a path depends: each link on the way and where it
 * ends, whether that exists or not. Remembers what it saw, so that thousands of paths below one folder cost one look.
 */
export function linkTrails(fileSystem: FileSystem): (path: string) => readonly string[] {
  const first = new Map<string, Link | null>();
  const firstLink = (path: string): Link | null => {
    const known = first.get(path);
    if (known !== undefined) return known;
    const parent = dirname(path);
    const found = parent === path || parent === "." ? null : (firstLink(parent) ?? linkAt(path, fileSystem));
    first.set(path, found);
    return found;
  };
  return (path) => {
    const places: string[] = [];
    let current = path;
    for (let hop = 0; hop < mostLinks; hop += 1) {
      const link = firstLink(current);
      if (link === null) break;
      places.push(link.path);
      current = `${link.target}${current.slice(link.path.length)}`;
    }
    places.push(current);
    return places;
  };
}

function linkAt(path: string, fileSystem: FileSystem): Link | null {
  if (fileSystem.status(path, { follow: false }).kind !== "link") return null;
  try {
    return { path, target: resolve(dirname(path), toPortable(readlinkSync(toNative(path)))) };
  } catch {
    return null;
  }
}
