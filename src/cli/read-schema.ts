import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { usageError } from "./usage-error.ts";

/** The JSON value of a schema file. Throws a usage error that names the file. */
export function readSchema(path: string, cwd: string | null): unknown {
  const absolute = cwd === null ? resolve(path) : resolve(cwd, path);
  try {
    return JSON.parse(readFileSync(absolute, "utf8")) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw usageError(
      `The schema ${path} cannot be read: ${reason}`,
      "It has to be a file with one JSON Schema.",
    );
  }
}
