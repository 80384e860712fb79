import { randomUUID } from "node:crypto";
import {
  chmodSync,
  closeSync,
  copyFileSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { Failure, messageOf, usage } from "./failure.ts";

export interface OutputFile {
  readonly path: string;
  readonly bytes: Uint8Array | string;
}

/**
 * Writes files completely or not at all: each goes to a private sibling, is flushed, and all are renamed only after the
 * last one was written. What was there before stays until then, and comes back when one of several cannot be renamed.
 * `force` allows to replace existing files; they keep their permissions, and links stay links to the new content.
 */
export function writeWhole(files: readonly OutputFile[], options: { readonly force: boolean }): void {
  const targets = files.map(({ path }) => checkTarget(path, options.force));
  const twice = targets.find(({ path }, at) => targets.findIndex((one) => one.path === path) !== at);
  if (twice !== undefined) throw usage(`two outputs have the same name: ${twice.path}`);
  const undo: (() => void)[] = [];
  const done: (() => void)[] = [];
  try {
    const written = files.map(({ bytes }, at) => {
      const { path, mode } = targets[at] as Target;
      undo.push(makeFolder(dirname(path)));
      const temporary = sibling(path, "tmp");
      undo.push(() => rmSync(temporary, { force: true }));
      writeFlushed(temporary, typeof bytes === "string" ? Buffer.from(bytes, "utf8") : bytes);
      if (mode !== null) chmodSync(temporary, mode);
      return temporary;
    });
    written.forEach((temporary, at) => {
      const { path, mode } = targets[at] as Target;
      // The last rename either happens or not; only those before it may have to be taken back.
      if (at < written.length - 1) {
        const old = mode === null ? null : keepOld(path);
        undo.push(() => (old === null ? rmSync(path, { force: true }) : renameSync(old, path)));
        if (old !== null) done.push(() => rmSync(old, { force: true }));
      }
      renameSync(temporary, path);
    });
  } catch (error) {
    for (const step of undo.reverse()) quietly(step);
    if (error instanceof Failure) throw error;
    throw new Failure(`cannot write ${files[0]?.path ?? ""}: ${messageOf(error)}; nothing was replaced`);
  }
  for (const step of done) quietly(step);
}

interface Target {
  /** Absolute, links resolved. */
  readonly path: string;
  /** Permissions of the file that is there; null = none is. */
  readonly mode: number | null;
}

/**
 * Where an output goes. Wrong usage when `path` cannot be one: a folder, a device or pipe, a link that leads nowhere, or
 * a file that is there without `force`.
 */
export function checkTarget(path: string, force: boolean): Target {
  const own = quietly(() => lstatSync(path));
  if (own === undefined) return { path: resolve(path), mode: null };
  const stat = own.isSymbolicLink() ? quietly(() => statSync(path)) : own;
  if (stat === undefined) throw usage(`the output ${path} is a link that leads nowhere`);
  if (!stat.isFile()) throw usage(`the output ${path} is ${kindOf(stat)}`, "name a file");
  if (!force) throw usage(`${path} exists already`, "choose another name, or add --force to replace it");
  return { path: realpathSync(path), mode: stat.mode & 0o7777 };
}

function kindOf(stat: Stats): string {
  return stat.isDirectory() ? "a folder" : stat.isFIFO() ? "a pipe" : "no regular file";
}

/** A name beside the file that no other run takes, even after one that was killed. */
const sibling = (path: string, ending: string): string =>
  join(dirname(path), `.${[...basename(path)].slice(0, 40).join("")}.${randomUUID().slice(0, 8)}.${ending}`);

/** Makes a folder with those above it; gives what takes it back. */
function makeFolder(folder: string): () => void {
  const first = mkdirSync(folder, { recursive: true });
  return () => {
    if (first === undefined) return;
    for (let at = folder; at.length >= first.length; at = dirname(at)) rmdirSync(at);
  };
}

function keepOld(path: string): string {
  const old = sibling(path, "old");
  try {
    linkSync(path, old);
  } catch {
    copyFileSync(path, old);
  }
  return old;
}

function quietly<T>(step: () => T): T | undefined {
  try {
    return step();
  } catch {
    return undefined;
  }
}

function writeFlushed(path: string, bytes: Uint8Array): void {
  const file = openSync(path, "wx", 0o666);
  try {
    for (let offset = 0; offset < bytes.length; ) offset += writeSync(file, bytes, offset);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
