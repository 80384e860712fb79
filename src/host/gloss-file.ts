import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type GlossTable, readGlossTable } from "../core/search/gloss-table.ts";

let table: GlossTable | null | undefined;

/** The table that comes with Skillet, read once a process when first needed; null where the file is missing. */
export function glossTable(): GlossTable | null {
  if (table === undefined) {
    const here = dirname(fileURLToPath(import.meta.url));
    const path = ["..", "../..", "../../.."]
      .map((up) => join(here, up, "data", "gloss.txt"))
      .find((place) => existsSync(place));
    table = path === undefined ? null : readGlossTable(readFileSync(path, "utf8"));
  }
  return table;
}
