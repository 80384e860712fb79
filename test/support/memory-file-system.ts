import { createHash } from "node:crypto";
import type {
  DirectoryEntry,
  DirectoryRead,
  FileIdentity,
  FileKind,
  FileRead,
  FileStatus,
  FileSystem,
  TextCodec,
} from "../../src/core/file-system.ts";

/** A tree in memory: text = file, `link:TARGET`-objects, special kinds, failures by errno. Folders follow from the paths. */
export type MemoryNode =
  | string
  | { readonly link: string }
  | { readonly special: FileKind }
  | { readonly failure: string }
  | { readonly folder: true };

export interface MemoryFileSystem extends FileSystem {
  /** Every call in order, e.g. `read /a/SKILL.md`. */
  readonly calls: string[];
  set(path: string, node: MemoryNode | null): void;
}

/** A file system for tests of the core; link resolution and identities behave as POSIX does. */
export function memoryFileSystem(tree: Readonly<Record<string, MemoryNode>>): MemoryFileSystem {
  const nodes = new Map<string, MemoryNode>([["/", { folder: true }]]);
  const times = new Map<string, number>();
  let clock = 1;
  const calls: string[] = [];

  const set = (path: string, node: MemoryNode | null): void => {
    if (node === null) {
      for (const known of [...nodes.keys()])
        if (known === path || known.startsWith(`${path}/`)) nodes.delete(known);
      return;
    }
    nodes.set(path, node);
    times.set(path, clock++);
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const parent = path.slice(0, at);
      if (!nodes.has(parent)) nodes.set(parent, { folder: true });
    }
  };
  for (const [path, node] of Object.entries(tree)) set(path, node);

  const resolve = (path: string, followLast: boolean): string | "ENOENT" | "ELOOP" | "ENOTDIR" => {
    const pending = path.split("/").filter((part) => part !== "");
    let current = "";
    let hops = 0;
    while (pending.length > 0) {
      const part = pending.shift() ?? "";
      if (part === ".") continue;
      if (part === "..") {
        current = current.slice(0, Math.max(0, current.lastIndexOf("/")));
        continue;
      }
      const next = `${current}/${part}`;
      const node = nodes.get(next);
      if (node === undefined) return "ENOENT";
      if (typeof node === "object" && "link" in node && (pending.length > 0 || followLast)) {
        hops += 1;
        if (hops > 40) return "ELOOP";
        pending.unshift(...node.link.split("/").filter((one) => one !== ""));
        if (node.link.startsWith("/")) current = "";
        continue;
      }
      if (
        pending.length > 0 &&
        (typeof node === "string" || (typeof node === "object" && !("folder" in node) && !("link" in node)))
      ) {
        return "ENOTDIR";
      }
      current = next;
    }
    return current === "" ? "/" : current;
  };

  const kindOf = (node: MemoryNode): FileKind => {
    if (typeof node === "string") return "file";
    if ("link" in node) return "link";
    if ("folder" in node) return "directory";
    return "special" in node ? node.special : "file";
  };
  const identityOf = (path: string, node: MemoryNode): FileIdentity => ({
    device: 1,
    inode: [...nodes.keys()].indexOf(path) + 1,
    size: typeof node === "string" ? node.length : 0,
    modified: times.get(path) ?? 0,
  });
  const isErrno = (value: string): boolean => /^E[A-Z]+$/.test(value);

  const status = (path: string, { follow }: { readonly follow: boolean }): FileStatus => {
    const real = resolve(path, follow);
    if (real === "ENOENT") return { kind: "absent" };
    if (isErrno(real)) return { kind: "failure", code: real };
    const node = nodes.get(real);
    if (node === undefined) return { kind: "absent" };
    return { kind: kindOf(node), identity: identityOf(real, node) };
  };

  return {
    calls,
    set,
    status(path, options) {
      calls.push(`status ${path}`);
      return status(path, options);
    },
    realPath(path) {
      calls.push(`real ${path}`);
      const real = resolve(path, true);
      return isErrno(real) ? { kind: "failure", code: real } : { kind: "path", path: real };
    },
    readFile(path, { limit, follow }): FileRead {
      calls.push(`read ${path}`);
      const real = resolve(path, follow);
      if (real === "ENOENT") return { kind: "absent" };
      if (isErrno(real)) return { kind: "failure", code: real };
      const node = nodes.get(real);
      if (node === undefined) return { kind: "absent" };
      if (typeof node === "object" && "failure" in node) return { kind: "failure", code: node.failure };
      const kind = kindOf(node);
      if (kind === "link") return { kind: "link" };
      if (typeof node !== "string") return { kind: "other", type: kind };
      const bytes = new TextEncoder().encode(node);
      const identity = { ...identityOf(real, node), size: bytes.length };
      if (bytes.length > limit) return { kind: "too-large", size: bytes.length, identity };
      return { kind: "file", bytes, identity };
    },
    readDirectory(path, { limit }): DirectoryRead {
      calls.push(`list ${path}`);
      const real = resolve(path, true);
      if (real === "ENOENT") return { kind: "absent" };
      if (isErrno(real)) return { kind: "failure", code: real };
      const node = nodes.get(real);
      if (node === undefined) return { kind: "absent" };
      if (typeof node === "object" && "failure" in node) return { kind: "failure", code: node.failure };
      if (kindOf(node) !== "directory") return { kind: "not-directory" };
      const prefix = real === "/" ? "/" : `${real}/`;
      const entries: DirectoryEntry[] = [];
      for (const [known, child] of nodes) {
        if (known.startsWith(prefix) && known !== "/" && !known.slice(prefix.length).includes("/")) {
          entries.push({ name: known.slice(prefix.length), type: kindOf(child) });
        }
      }
      entries.sort((a, b) => (a.name < b.name ? -1 : 1));
      return { kind: "directory", entries: entries.slice(0, limit), truncated: entries.length > limit };
    },
    readJson(path) {
      const read = this.readFile(path, { limit: 1_000_000, follow: true });
      if (read.kind !== "file") return { kind: "absent", value: undefined, text: "", diagnostics: [] };
      const text = new TextDecoder().decode(read.bytes);
      return { kind: "value", value: JSON.parse(text), text, diagnostics: [] };
    },
  };
}

/** The codec's contract in its plainest form. */
export const memoryCodec: TextCodec = {
  isAscii: (bytes) => bytes.every((byte) => byte < 128),
  isUtf8: (bytes) => {
    try {
      new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
      return true;
    } catch {
      return false;
    }
  },
  decode: (bytes, start, end) =>
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(start, end)),
  ascii: (bytes, start, end) => new TextDecoder("latin1").decode(bytes.subarray(start, end)),
  decodeUtf16: (bytes, littleEndian) => new TextDecoder(littleEndian ? "utf-16le" : "utf-16be").decode(bytes),
  digest: (bytes) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`,
  sha1: (bytes) => createHash("sha1").update(bytes).digest("hex"),
};
