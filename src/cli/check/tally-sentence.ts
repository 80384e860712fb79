import { count } from "../output/words.ts";
import type { Tally } from "./finding.ts";

/** `3 files, 1 error, 2 warnings` */
export function tallySentence({ files, errors, warnings, infos }: Tally): string {
  const parts = [count(files, "file"), count(errors, "error"), count(warnings, "warning")];
  return [...parts, ...(infos === 0 ? [] : [count(infos, "note")])].join(", ");
}
