import { createHash } from "node:crypto";
import type { Environment } from "../../core/environment.ts";
import type { FileSystem, TextCodec } from "../../core/file-system.ts";
import { checkListing, type ListedSkill, listingLimits } from "../../core/mcp/listing.ts";
import type { McpServer } from "../../core/mcp/server-settings.ts";
import { join } from "../../core/path.ts";
import { cacheFolder } from "../../core/places.ts";
import { writeFileAtomic } from "../atomic-write.ts";

/** What one server listed when it was asked last, and what came of that. */
export interface StoredListing {
  readonly skills: readonly ListedSkill[];
  readonly problems: readonly string[];
  /** Why the last look failed; null = it worked. */
  readonly failure: string | null;
  /** Milliseconds since the epoch of the last look. */
  readonly asked: number;
  /** Milliseconds that the server said it stays good. */
  readonly goodFor: number;
}

/** The file belongs to this definition of the server: another command or address is another server. */
export function listingPath(environment: Environment, { name, reach }: McpServer): string {
  const key = createHash("sha256").update(JSON.stringify(reach)).digest("hex").slice(0, 16);
  return join(cacheFolder(environment), "mcp", `${name}-${key}.json`);
}

/** Reads what was stored; null when there is nothing usable. The entries are checked as if they came from the server. */
export function readListing(
  path: string,
  { fileSystem, codec }: { readonly fileSystem: FileSystem; readonly codec: TextCodec },
): StoredListing | null {
  const read = fileSystem.readFile(path, { limit: 4 * listingLimits.units, follow: false });
  if (read.kind !== "file") return null;
  let value: unknown;
  try {
    value = JSON.parse(codec.decode(read.bytes, 0, read.bytes.length));
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const { version, skills, problems, failure, asked, goodFor } = value as Partial<Record<string, unknown>>;
  if (version !== 1 || !Array.isArray(skills) || typeof asked !== "number") return null;
  return {
    skills: checkListing(skills).skills,
    problems: Array.isArray(problems) ? problems.filter((text) => typeof text === "string") : [],
    failure: typeof failure === "string" ? failure : null,
    asked,
    goodFor: typeof goodFor === "number" ? goodFor : 0,
  };
}

export function writeListing(path: string, listing: StoredListing): void {
  writeFileAtomic(path, JSON.stringify({ version: 1, ...listing }), {
    action: "keep what an MCP server listed",
    mode: 0o600,
    folderMode: 0o700,
  });
}
