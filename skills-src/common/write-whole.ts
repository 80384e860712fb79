import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
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
 * last one was written. What was there before stays until then. `force` allows to replace existing files.
 */
export function writeWhole(files: readonly OutputFile[], options: { readonly force: boolean }): void {
  for (const { path } of files) checkTarget(path, options.force);
  const written: { readonly temporary: string; readonly path: string }[] = [];
  try {
    for (const { path, bytes } of files) {
      const target = resolve(path);
      mkdirSync(dirname(target), { recursive: true });
      const temporary = join(dirname(target), `.${basename(target).slice(0, 80)}.${process.pid}.tmp`);
      written.push({ temporary, path: target });
      writeFlushed(temporary, typeof bytes === "string" ? Buffer.from(bytes, "utf8") : bytes);
    }
    for (const { temporary, path } of written) renameSync(temporary, path);
  } catch (error) {
    for (const { temporary } of written) rmSync(temporary, { force: true });
    if (error instanceof Failure) throw error;
    throw new Failure(`cannot write ${files[0]?.path ?? ""}: ${messageOf(error)}; nothing was replaced`);
  }
}

/** Ends with wrong usage when `path` cannot be an output: a folder, or a file that is there without `force`. */
export function checkTarget(path: string, force: boolean): void {
  if (!existsSync(path)) return;
  if (statSync(path).isDirectory()) throw usage(`the output ${path} is a folder`);
  if (!force) throw usage(`${path} exists already`, "choose another name, or add --force to replace it");
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
