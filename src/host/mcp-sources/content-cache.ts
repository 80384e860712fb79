import type { Environment } from "../../core/environment.ts";
import type { FileSystem, TextCodec } from "../../core/file-system.ts";
import type { ListedFile } from "../../core/mcp/listing.ts";
import { join } from "../../core/path.ts";
import { cacheFolder } from "../../core/places.ts";
import { writeFileAtomic } from "../atomic-write.ts";

/** Files of MCP skills that were read and verified once, by digest, apart for each server. */
export interface ContentCache {
  /** The bytes, verified anew; null when they are not there or no longer what they were. */
  get(server: string, file: ListedFile): Uint8Array | null;
  put(server: string, file: ListedFile, bytes: Uint8Array): void;
}

/** No search for skills ever looks below the cache folder. */
export function createContentCache({
  environment,
  fileSystem,
  codec,
}: {
  readonly environment: Environment;
  readonly fileSystem: FileSystem;
  readonly codec: TextCodec;
}): ContentCache {
  const pathOf = (server: string, { digest }: ListedFile): string =>
    join(cacheFolder(environment), "mcp", server, digest.replace("sha256:", ""));
  return {
    get(server, file) {
      const read = fileSystem.readFile(pathOf(server, file), { limit: file.size, follow: false });
      if (read.kind !== "file" || read.bytes.length !== file.size) return null;
      return codec.digest(read.bytes) === file.digest ? Uint8Array.from(read.bytes) : null;
    },
    put(server, file, bytes) {
      writeFileAtomic(pathOf(server, file), bytes, {
        action: "keep a file of an MCP server",
        mode: 0o600,
        folderMode: 0o700,
      });
    },
  };
}
