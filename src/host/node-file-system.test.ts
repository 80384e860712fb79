import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFileSystem, nodeCodec } from "./node-file-system.ts";

const posix = process.platform !== "win32";
let folder = "";
const disk = createFileSystem();
const at = (...parts: string[]) => join(folder, ...parts);
const strict = { limit: 1000, follow: false };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "skillet-fs-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

function textOf(path: string, options = strict): string {
  const read = disk.readFile(path, options);
  return read.kind === "file"
    ? nodeCodec.decode(read.bytes, 0, read.bytes.length)
    : `${read.kind}${"type" in read ? ` ${read.type}` : ""}${"code" in read ? ` ${read.code}` : ""}`;
}

describe("readFile", () => {
  it("gives the bytes and the identity", () => {
    writeFileSync(at("a.txt"), "hello");
    const read = disk.readFile(at("a.txt"), strict);
    expect(read).toMatchObject({ kind: "file", identity: { size: 5 } });
    expect(textOf(at("a.txt"))).toBe("hello");
    linkSync(at("a.txt"), at("hard.txt"));
    const hard = disk.readFile(at("hard.txt"), strict);
    expect("identity" in hard && hard.identity).toEqual("identity" in read && read.identity);
  });

  it("reads files of every size up to the limit, and no byte more", () => {
    for (const size of [0, 1, 65_535, 65_536, 65_537, 200_000, 3_000_000]) {
      writeFileSync(at("sized"), "x".repeat(size));
      expect(textOf(at("sized"), { limit: size, follow: false })).toHaveLength(size);
      if (size > 0)
        expect(disk.readFile(at("sized"), { limit: size - 1, follow: false })).toMatchObject({
          kind: "too-large",
          size,
        });
    }
  });

  it("never reads a sparse file beyond the limit", () => {
    writeFileSync(at("sparse"), "x");
    truncateSync(at("sparse"), 5 * 1024 ** 3);
    expect(disk.readFile(at("sparse"), strict)).toMatchObject({ kind: "too-large", size: 5 * 1024 ** 3 });
  });

  it("says absent for what is not there, also below a file", () => {
    writeFileSync(at("plain"), "");
    expect(textOf(at("nothing"))).toBe("absent");
    expect(textOf(at("plain", "below"))).toBe("absent");
    expect(textOf(at("nul\0byte"))).toBe("failure EINVAL");
    expect(textOf(at("n".repeat(300)))).toBe("failure ENAMETOOLONG");
  });

  it("reports folders, links and loops without following", () => {
    mkdirSync(at("dir"));
    expect(textOf(at("dir"))).toBe("other directory");
    if (!posix) return;
    writeFileSync(at("target"), "t");
    symlinkSync("target", at("link"));
    symlinkSync("missing", at("dangling"));
    symlinkSync("self", at("self"));
    symlinkSync("dir", at("dirlink"));
    expect(textOf(at("link"))).toBe("link");
    expect(textOf(at("dangling"))).toBe("link");
    expect(textOf(at("self"))).toBe("link");
    expect(textOf(at("dirlink"))).toBe("link");
    expect(textOf(at("self", "SKILL.md"))).toBe("failure ELOOP");
    const follow = { limit: 1000, follow: true };
    expect(textOf(at("link"), follow)).toBe("t");
    expect(textOf(at("dangling"), follow)).toBe("absent");
    expect(textOf(at("self"), follow)).toBe("failure ELOOP");
    expect(textOf(at("dirlink"), follow)).toBe("other directory");
  });

  it.runIf(posix)("does not block on a FIFO, a socket or a device (rows C05 to C07)", () => {
    execFileSync("sh", ["-c", 'mkfifo "$0"', at("fifo")]);
    mkdirSync(at("s"));
    spawnSync(
      process.execPath,
      ["-e", "require('net').createServer().listen('sock',()=>process.kill(process.pid,'SIGKILL'))"],
      { cwd: at("s") },
    );
    expect(textOf(at("fifo"))).toBe("other fifo");
    expect(textOf(at("s", "sock"))).toBe("other socket");
    expect(textOf("/dev/zero")).toBe("other device");
  });

  it.runIf(process.platform === "linux")("reads virtual files that claim to be empty", () => {
    expect(textOf("/proc/self/status", { limit: 100_000, follow: false })).toContain("Threads:");
  });

  it.runIf(posix && process.getuid?.() !== 0)(
    "gives the system's code for what is forbidden (row C10) [not as root]",
    () => {
      writeFileSync(at("locked"), "x");
      chmodSync(at("locked"), 0);
      expect(textOf(at("locked"))).toBe("failure EACCES");
    },
  );

  it("keeps stack traces of other errors as deep as they were", () => {
    const before = Error.stackTraceLimit;
    disk.readFile(at("nothing"), strict);
    expect(Error.stackTraceLimit).toBe(before);
  });
});

describe("readDirectory", () => {
  it("sorts by code unit and cuts at the limit by name", () => {
    mkdirSync(at("list"));
    for (const name of ["b", "a", "Z", "é", "😀", "\uFF5E", "10", "9"]) writeFileSync(at("list", name), "");
    const all = disk.readDirectory(at("list"), { limit: 100 });
    expect(all.kind === "directory" && all.entries.map((entry) => entry.name)).toEqual([
      "10",
      "9",
      "Z",
      "a",
      "b",
      "é",
      "😀",
      "\uFF5E",
    ]);
    expect(disk.readDirectory(at("list"), { limit: 2 })).toEqual({
      kind: "directory",
      truncated: true,
      entries: [
        { name: "10", type: "file" },
        { name: "9", type: "file" },
      ],
    });
  });

  it("tells apart what is missing and what is no folder", () => {
    appendFileSync(at("no-folder"), "");
    expect(disk.readDirectory(at("gone"), { limit: 9 })).toEqual({ kind: "absent" });
    expect(disk.readDirectory(at("no-folder"), { limit: 9 })).toEqual({ kind: "not-directory" });
    expect(disk.readDirectory(at("no-folder", "x"), { limit: 9 })).toEqual({ kind: "not-directory" });
  });

  it("gives the same first names of a huge folder as of a small one", () => {
    mkdirSync(at("huge"));
    // Long names, so that the folder's record is streamed without tens of thousands of files.
    const name = (index: number) => `${String(index).padStart(5, "0")}-${"n".repeat(200)}`;
    for (let index = 600; index > 0; index--) writeFileSync(at("huge", name(index)), "");
    const cut = disk.readDirectory(at("huge"), { limit: 150 });
    expect(cut.kind === "directory" && cut.truncated).toBe(true);
    expect(cut.kind === "directory" && cut.entries.map((entry) => entry.name)).toEqual(
      Array.from({ length: 150 }, (_, index) => name(index + 1)),
    );
    const all = disk.readDirectory(at("huge"), { limit: 600 });
    expect(all.kind === "directory" && [all.truncated, all.entries.length]).toEqual([false, 600]);
  });

  it.runIf(process.platform === "linux")("marks names that are not UTF-8 (row C17)", () => {
    mkdirSync(at("odd"));
    mkdirSync(Buffer.concat([Buffer.from(`${at("odd")}/bad-`), Buffer.from([0xff])]));
    mkdirSync(at("odd", "real-\uFFFD"));
    expect(disk.readDirectory(at("odd"), { limit: 9 })).toMatchObject({
      entries: [
        { name: "bad-\uFFFD", type: "unknown" },
        { name: "real-\uFFFD", type: "directory" },
      ],
    });
  });
});

describe("realPath and status", () => {
  it.runIf(posix)("resolve links or say why not", () => {
    mkdirSync(at("real"));
    symlinkSync("real", at("to-real"));
    symlinkSync("void", at("to-void"));
    symlinkSync("round", at("round"));
    const real = disk.realPath(at("real"));
    expect(disk.realPath(at("to-real"))).toEqual(real);
    expect(disk.realPath(at("to-void"))).toEqual({ kind: "failure", code: "ENOENT" });
    expect(disk.realPath(at("round"))).toEqual({ kind: "failure", code: "ELOOP" });
    expect(disk.status(at("to-real"), { follow: false }).kind).toBe("link");
    expect(disk.status(at("to-real"), { follow: true }).kind).toBe("directory");
    expect(disk.status(at("to-void"), { follow: true })).toEqual({ kind: "absent" });
    expect(disk.status(at("round"), { follow: true })).toEqual({ kind: "failure", code: "ELOOP" });
  });
});

describe("nodeCodec", () => {
  it("decodes ASCII, UTF-8 and UTF-16", () => {
    const bytes = new TextEncoder().encode("aé😀z");
    expect(nodeCodec.isAscii(bytes)).toBe(false);
    expect(nodeCodec.isUtf8(bytes)).toBe(true);
    expect(nodeCodec.decode(bytes, 0, bytes.length)).toBe("aé😀z");
    expect(nodeCodec.decode(bytes, 0, 1)).toBe("a");
    expect(nodeCodec.decode(Uint8Array.of(0x61, 0xff, 0x62), 0, 3)).toBe("a\uFFFDb");
    expect(nodeCodec.decode(new TextEncoder().encode("\uFEFFx"), 0, 4)).toBe("\uFEFFx");
    expect(nodeCodec.decodeUtf16(Uint8Array.of(0xff, 0xfe, 0x61, 0), true)).toBe("a");
    expect(nodeCodec.decodeUtf16(Uint8Array.of(0, 0x61, 0xd8), false)).toBe("a\uFFFD");
  });

  it("digests with SHA-256", () => {
    expect(nodeCodec.digest(new TextEncoder().encode("abc"))).toBe(
      "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
  });
});
