/** Whether two texts differ by at most one inserted, dropped, replaced or swapped character (UTF-16 units). */
export function withinOneEdit(left: string, right: string): boolean {
  const [short, long] = left.length <= right.length ? [left, right] : [right, left];
  const extra = long.length - short.length;
  if (extra > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  if (at === short.length) return true;
  if (extra === 1) return short.slice(at) === long.slice(at + 1);
  if (short.slice(at + 1) === long.slice(at + 1)) return true;
  return (
    short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2)
  );
}
