import { readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { usedWithin } from "./vector-file.ts";

/** Milliseconds that a vector is kept without being used: 30 days. */
const unused = 30 * 86_400_000;
/** Vectors that are kept at most; those used last stay. */
const most = 100_000;
const marker = "pruned";

/**
 * Removes vectors that were not used for 30 days, whoever they belong to (skills that are gone, other texts, other models),
 * and the ones used longest ago beyond 100,000. Looks once a day, which an empty file in the folder remembers; never throws.
 */
export function pruneVectors(
  folder: string,
  limits: { readonly most?: number; readonly now?: number } = {},
): void {
  const now = limits.now ?? Date.now();
  try {
    const last = statSync(join(folder, marker), { throwIfNoEntry: false })?.mtimeMs;
    if (last !== undefined && Math.abs(now - last) < usedWithin) return;
    writeFileSync(join(folder, marker), "", { mode: 0o600 });
    utimesSync(join(folder, marker), now / 1000, now / 1000);
    const files = vectorFiles(folder).sort((a, b) => b.used - a.used);
    for (const [place, { path, used }] of files.entries())
      if (place >= (limits.most ?? most) || now - used > unused) rmSync(path, { force: true });
  } catch {
    // Nothing was kept yet, or the folder cannot be written.
  }
}

/** Vectors, and what an interrupted process left beside them. */
function vectorFiles(folder: string): { readonly path: string; readonly used: number }[] {
  const parts = readdirSync(folder).filter((name) => /^[0-9a-f]{2}$/.test(name));
  return parts.flatMap((part) =>
    readdirSync(join(folder, part))
      .filter((name) => /^[0-9a-f]{64}\.f32(?:\.\d+)?$/.test(name))
      .flatMap((name) => {
        const path = join(folder, part, name);
        const stats = statSync(path, { throwIfNoEntry: false });
        return stats === undefined ? [] : [{ path, used: stats.mtimeMs }];
      }),
  );
}
