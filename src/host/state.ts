import { constants, copyFileSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { type Diagnostic, noDiagnostics, type Result } from "../core/diagnostic.ts";
import { makeDiagnostic } from "../core/diagnostics/make.ts";
import { SkilletError } from "../core/error.ts";
import type { FileSystem, JsonRead } from "../core/file-system.ts";
import { basename, dirname, join } from "../core/path.ts";
import { emptyState, type StoredState } from "../core/visibility/stored-state.ts";
import { writeFileAtomic } from "./atomic-write.ts";
import { fileError, systemCode } from "./file-error.ts";
import { readJsonFile } from "./json.ts";
import { withLock } from "./lock.ts";
import { toNative } from "./native-path.ts";
import { createFileSystem } from "./node-file-system.ts";
import { ensureOwnFolder } from "./own-folder.ts";
import { type DecodedState, decodeState, encodeState, stateVersion } from "./state-format.ts";

const action = "store the state";
/** Bytes of a state file; some 130 for each skill of a trusted project. What is larger is neither read nor written. */
const stateLimit = 16 * 1024 * 1024;
const hint = "Choose another folder with --data or SKILLET_DATA_DIR.";

/** Where the state of a data folder is kept: `DATA/state/state.json`. */
export function stateFile(dataFolder: string): string {
  return join(dataFolder, "state", "state.json");
}

/**
 * The stored state. Never throws and never writes: an unreadable file counts as empty with a diagnostic `state/unusable`
 * and stays as it is; one of a newer version is used as far as it is understood (`state/newer`). Rows G04, G05.
 */
export function readState(
  dataFolder: string,
  fileSystem: Pick<FileSystem, "readFile"> = createFileSystem(),
): Result<StoredState> {
  const read = load(fileSystem, stateFile(dataFolder));
  return { value: read.kind === "usable" ? read.state : emptyState, diagnostics: read.diagnostics };
}

/**
 * Changes the stored state: reads it again under the lock, applies `change`, writes the whole file. Two processes that
 * change different things both succeed. Throws `SkilletError` when the file cannot be read (a copy `.corrupt-N` is made
 * first, nothing is overwritten), comes from a newer version, is locked for long, or the disk refuses.
 */
export function updateState(
  dataFolder: string,
  change: (state: StoredState) => StoredState,
): Result<StoredState> {
  const path = stateFile(dataFolder);
  ensureOwnFolder(dirname(path), action);
  return withLock(`${path}.lock`, { action }, () => {
    const read = load(createFileSystem(), path);
    if (read.kind === "unusable") {
      const copy = setAside(path);
      throw new SkilletError("failed", `Cannot ${action}: ${path} cannot be read. ${read.reason}`, {
        hint:
          copy === null
            ? "Remove what is in its place, or make it readable."
            : `Run \`skillet doctor --fix\` to start over; what is there was copied to ${copy}.`,
      });
    }
    if (read.version > stateVersion)
      throw new SkilletError("failed", `Cannot ${action}: ${path} was written by a newer Skillet.`, {
        hint: "Update Skillet.",
      });
    const next = change(read.state);
    const text = encodeState(next, read.rest);
    if (Buffer.byteLength(text) > stateLimit)
      throw new SkilletError("failed", `Cannot ${action}: ${path} would be too large to be read again.`, {
        hint: 'Trust smaller folders, or set `trust.workspace` to "always". What was stored before stays.',
      });
    if (text === read.text) return { value: next, diagnostics: read.diagnostics };
    if (read.version < stateVersion) keepCopy(path, `${path}.v${read.version}.bak`);
    writeFileAtomic(path, text, { action, hint, mode: 0o600, followLink: true });
    return { value: next, diagnostics: read.diagnostics };
  });
}

/**
 * What `doctor --fix` does about an unusable state file: keeps a copy and starts with an empty state. Returns the copy's
 * path, or null when there was nothing to repair.
 */
export function repairState(dataFolder: string): string | null {
  const path = stateFile(dataFolder);
  if (load(createFileSystem(), path).kind === "usable") return null;
  return withLock(`${path}.lock`, { action: "repair the state" }, () => {
    if (load(createFileSystem(), path).kind === "usable") return null;
    const copy = setAside(path);
    if (copy === null)
      throw new SkilletError("failed", `Cannot repair the state: ${path} is no file that could be kept.`, {
        hint: "Remove what is in its place, or make it readable.",
      });
    writeFileAtomic(path, encodeState(emptyState), { action: "repair the state", hint, mode: 0o600 });
    return copy;
  });
}

type Loaded = (
  | Extract<DecodedState, { kind: "usable" }>
  | { readonly kind: "unusable"; readonly reason: string; readonly diagnostics: readonly Diagnostic[] }
) & { readonly text: string };

function load(fileSystem: Pick<FileSystem, "readFile">, path: string): Loaded {
  const json = readPlain(fileSystem, path) ?? readJsonFile(fileSystem, path, stateLimit);
  if (json.kind === "absent")
    return {
      kind: "usable",
      state: emptyState,
      version: stateVersion,
      rest: {},
      diagnostics: noDiagnostics,
      text: "",
    };
  const decoded: DecodedState =
    json.kind === "value"
      ? decodeState(json.value, path)
      : {
          kind: "unusable",
          reason: (json.diagnostics[0]?.message ?? "")
            .replace(/ The whole file is ignored\.$/, "")
            .replace("This settings file", "It"),
        };
  if (decoded.kind === "unusable") {
    const message = `The stored state cannot be read, so nothing counts as switched off or trusted. ${decoded.reason}`;
    const diagnostic = makeDiagnostic("state/unusable", { path, message, range: json.diagnostics[0]?.range });
    return { ...decoded, diagnostics: [diagnostic], text: json.text };
  }
  const newer =
    decoded.version > stateVersion
      ? [
          makeDiagnostic("state/newer", {
            path,
            message: `The stored state has version ${decoded.version}; this Skillet knows ${stateVersion} and only reads it.`,
          }),
        ]
      : noDiagnostics;
  return { ...decoded, diagnostics: [...newer, ...decoded.diagnostics], text: json.text };
}

/** What Skillet itself wrote is plain JSON, which needs no parser to be loaded; null for anything else. */
function readPlain(fileSystem: Pick<FileSystem, "readFile">, path: string): JsonRead | null {
  const read = fileSystem.readFile(path, { limit: stateLimit, follow: true });
  if (read.kind !== "file") return null;
  const text = new TextDecoder().decode(read.bytes);
  try {
    return { kind: "value", value: JSON.parse(text) as unknown, text, diagnostics: noDiagnostics };
  } catch {
    return null;
  }
}

/**
 * Copies an unusable file to the first free `.corrupt-N`; an equal copy that is there already is enough. Null when it
 * is no regular file (reading a FIFO would never end) or cannot be read.
 */
function setAside(path: string): string | null {
  const content = contentOf(path);
  if (content === null) return null;
  const earlier = readdirSync(toNative(dirname(path))).filter((name) =>
    name.startsWith(`${basename(path)}.corrupt-`),
  );
  for (const name of earlier) {
    const copy = join(dirname(path), name);
    if (contentOf(copy)?.equals(content) === true) return copy;
  }
  for (let number = 1; ; number++) {
    const copy = `${path}.corrupt-${number}`;
    if (existsSync(toNative(copy))) continue;
    keepCopy(path, copy);
    return copy;
  }
}

function contentOf(path: string): Buffer | null {
  try {
    return statSync(toNative(path)).isFile() ? readFileSync(toNative(path)) : null;
  } catch {
    return null;
  }
}

function keepCopy(path: string, copy: string): void {
  try {
    copyFileSync(toNative(path), toNative(copy), constants.COPYFILE_EXCL);
  } catch (error) {
    if (systemCode(error) !== "EEXIST")
      throw fileError(error, { action: "keep a copy of the state", path: copy });
  }
}
