import { printable } from "../../core/text/printable.ts";
import type { IndexEntry } from "./index-types.ts";
import type { EntryResult } from "./parse-index.ts";

const longestAddress = 4_096;

/** An entry of form 0.2: type, address and digest. Own addresses count from the index's. */
export function artifactEntry(
  item: Readonly<Record<string, unknown>>,
  base: Pick<IndexEntry, "name" | "version" | "signatures">,
  index: string,
): EntryResult {
  const { name } = base;
  const lost = (message: string): EntryResult => ({
    entry: null,
    problems: [{ name, code: "remote/entry", message }],
  });
  const { type, url, digest } = item;
  if (type !== "skill-md" && type !== "archive") {
    if (typeof type !== "string") return lost("it has no `type`");
    const message = `its type "${printable(type.slice(0, 40))}" is unknown; skipped`;
    return { entry: null, problems: [{ name, code: "remote/unknown-type", message }] };
  }
  if (typeof url !== "string" || url === "") return lost("it has no `url` that is a text");
  if (url.length > longestAddress) return lost("its `url` is too long");
  if (/[\u0000-\u0020\u007f\\]/.test(url))
    return lost("its `url` holds characters that have no place in one");
  if (!URL.canParse(url, index)) return lost("its `url` is no address");
  const resolved = new URL(url, index);
  if (resolved.protocol !== "https:" && resolved.protocol !== "http:")
    return lost(`its \`url\` leads to ${printable(resolved.protocol.slice(0, 20))}, not to https`);
  if (resolved.username !== "" || resolved.password !== "")
    return lost("its `url` holds a user name or password");
  if (digest === undefined) return lost("it has no `digest`");
  if (typeof digest !== "string" || !/^sha256:[0-9a-f]{64}$/.test(digest))
    return lost("its `digest` is not sha256: and 64 small hex digits");
  return { entry: { ...base, kind: type, url: resolved.href, digest }, problems: [] };
}
