/** Entries of one page of `skills/list`, `resources/list`, `prompts/list` and a directory. */
export const pageSize = 100;

/** One page of an ordered list. A cursor names the last item that was given, so it holds when the list changes. */
export function pageAfter<T>(
  items: readonly T[],
  nameOf: (item: T) => string,
  cursor: string | undefined,
): { readonly page: readonly T[]; readonly nextCursor?: string } {
  const sorted = [...items].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0));
  const after = cursor === undefined ? null : Buffer.from(cursor, "base64url").toString("utf8");
  const from = after === null ? 0 : sorted.findIndex((item) => nameOf(item) > after);
  const page = from < 0 ? [] : sorted.slice(from, from + pageSize);
  const last = page.at(-1);
  const more = last !== undefined && from + pageSize < sorted.length;
  return more ? { page, nextCursor: Buffer.from(nameOf(last)).toString("base64url") } : { page };
}
