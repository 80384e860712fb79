import { createHash } from "node:crypto";
import { createReadStream, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "../../atomic-write.ts";
import type { ModelFolder } from "./model-folder.ts";

/** Two writes within this many milliseconds may leave a file's times the same; what is so young is not remembered. */
const settled = 2_000;

/**
 * Names the content of a model: its weights, tokenizer and settings, and which file was chosen. Reading all of it takes a second
 * for a gigabyte, so what was read stays remembered in `cache` by size, times and identity of every file; null = nowhere.
 */
export async function modelDigest(model: ModelFolder, cache: string | null): Promise<string> {
  const state = modelState(model);
  const note =
    cache === null
      ? null
      : join(cache, `${createHash("sha256").update(`${model.folder}\0${model.file}`).digest("hex")}.json`);
  const known = note === null ? null : remembered(note, state);
  if (known !== null) return known;
  const digest = createHash("sha256").update(model.file);
  for (const file of model.files)
    digest.update(`\0${file}\0${await contentDigest(join(model.folder, file))}`);
  const found = digest.digest("hex");
  if (note !== null && isSettled(model) && modelState(model) === state)
    remember(note, { state, digest: found });
  return found;
}

/** Size, times and identity of every file: another text after any change. */
export function modelState({ folder, files }: ModelFolder): string {
  return files
    .map((file) => {
      const stats = statSync(join(folder, file), { bigint: true, throwIfNoEntry: false });
      if (stats === undefined) return `${file}: none`;
      const { dev, ino, size, mtimeNs, ctimeNs } = stats;
      return `${file}: ${[dev, ino, size, mtimeNs, ctimeNs].join(" ")}`;
    })
    .join("\n");
}

function isSettled({ folder, files }: ModelFolder): boolean {
  return files.every((file) => {
    const stats = statSync(join(folder, file), { throwIfNoEntry: false });
    return stats === undefined || Date.now() - Math.max(stats.mtimeMs, stats.ctimeMs) > settled;
  });
}

/** Digest of a file's bytes; of nothing where it cannot be read, which loading it then says. */
async function contentDigest(path: string): Promise<string> {
  const digest = createHash("sha256");
  try {
    for await (const bytes of createReadStream(path, { highWaterMark: 1 << 20 }))
      digest.update(bytes as Buffer);
  } catch {
    return "";
  }
  return digest.digest("hex");
}

function remembered(note: string, state: string): string | null {
  try {
    const known = JSON.parse(readFileSync(note, "utf8")) as {
      readonly state?: unknown;
      readonly digest?: unknown;
    };
    const whole = typeof known.digest === "string" && /^[0-9a-f]{64}$/.test(known.digest);
    return whole && known.state === state ? (known.digest as string) : null;
  } catch {
    return null;
  }
}

function remember(note: string, known: { readonly state: string; readonly digest: string }): void {
  try {
    writeFileAtomic(note, JSON.stringify(known), {
      action: "remember a model's digest",
      mode: 0o600,
      folderMode: 0o700,
    });
  } catch {
    // It is made again next time.
  }
}
