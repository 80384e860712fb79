import { relativeInside } from "../../core/path.ts";

/** Relative to the working folder when inside it, else as it is. */
export function relativePath(path: string, cwd: string): string {
  const inside = relativeInside(cwd, path);
  return inside === null || inside === "" ? path : inside;
}
