import { existsSync } from "node:fs";
import { join } from "node:path";
import { toNative } from "../../host/native-path.ts";
import { readFolder } from "../install/read-folder.ts";
import { type Site, siteMark } from "./build-site.ts";

/** Far above what a site of skills has. */
const limits = { bytes: 1024 * 1024 * 1024, entries: 100_000, depth: 32 };

/** The files of a site that `publish` wrote; null when the folder is none. Links in it are not followed. */
export function readSite(folder: string): Site | null {
  if (!existsSync(join(toNative(folder), siteMark))) return null;
  const { files } = readFolder(folder, limits);
  return new Map(files.map(({ path, bytes }) => [path, bytes]));
}
