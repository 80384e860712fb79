import type { Environment } from "../../core/environment.ts";
import { SkilletError } from "../../core/error.ts";
import type { FileSystem, TextCodec } from "../../core/file-system.ts";
import { join } from "../../core/path.ts";
import { stateFolder } from "../../core/places.ts";
import { writeFileAtomic } from "../atomic-write.ts";
import { withLock } from "../lock.ts";
import { ensureOwnFolder } from "../own-folder.ts";

/** What the user approved: location of a skill (server and address) → digest of its set of files. */
export type McpApprovals = Readonly<Record<string, string>>;

const byteBound = 16 * 1024 * 1024;

interface Parts {
  readonly fileSystem: FileSystem;
  readonly codec: TextCodec;
}

function pathOf(environment: Environment): string {
  return join(stateFolder(environment), "mcp-approvals.json");
}

/** Reads them; what cannot be read approves nothing. */
export function readApprovals(environment: Environment, parts: Parts): McpApprovals {
  return stored(environment, parts) ?? {};
}

function stored(environment: Environment, { fileSystem, codec }: Parts): McpApprovals | null {
  const read = fileSystem.readFile(pathOf(environment), { limit: byteBound, follow: false });
  if (read.kind === "absent") return {};
  if (read.kind !== "file") return null;
  let value: unknown;
  try {
    value = JSON.parse(codec.decode(read.bytes, 0, read.bytes.length));
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null || !("approved" in value)) return null;
  if (!("version" in value) || value.version !== 1) return null;
  const { approved } = value;
  if (typeof approved !== "object" || approved === null || Array.isArray(approved)) return null;
  const record: Record<string, string> = Object.create(null);
  for (const [location, digest] of Object.entries(approved))
    if (typeof digest === "string") record[location] = digest;
  return record;
}

/** Stores approvals, and takes others back; all or nothing, under the lock of the state. Throws where it cannot. */
export function changeApprovals(
  environment: Environment,
  change: { readonly add: McpApprovals; readonly remove: readonly string[] },
  parts: Parts,
): void {
  const folder = stateFolder(environment);
  ensureOwnFolder(folder, "store what you approved");
  withLock(join(folder, "mcp-approvals.lock"), { action: "store what you approved" }, () => {
    const before = stored(environment, parts);
    if (before === null)
      throw new SkilletError("failed", `${pathOf(environment)} cannot be used, so nothing was changed.`, {
        hint: "Remove the file; everything of MCP servers then waits for your approval again",
      });
    const approved: Record<string, string> = Object.assign(Object.create(null), before, change.add);
    for (const location of change.remove) delete approved[location];
    const sorted = Object.fromEntries(Object.entries(approved).sort(([a], [b]) => (a < b ? -1 : 1)));
    writeFileAtomic(pathOf(environment), `${JSON.stringify({ version: 1, approved: sorted }, null, 2)}\n`, {
      action: "store what you approved",
      mode: 0o600,
    });
  });
}
