/**
 * Less than zero when `a` is the older one, 0 when they are equal or cannot be compared: only versions of dotted numbers with
 * an optional preview (`1.2.0-beta.1`, `v3`) have an order.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  if (left === null || right === null) return 0;
  for (let at = 0; at < Math.max(left.numbers.length, right.numbers.length); at++) {
    const difference = (left.numbers[at] ?? 0) - (right.numbers[at] ?? 0);
    if (difference !== 0) return difference;
  }
  if (left.preview === right.preview) return 0;
  if (left.preview === "" || right.preview === "") return left.preview === "" ? 1 : -1;
  return left.preview < right.preview ? -1 : 1;
}

function partsOf(text: string): { readonly numbers: readonly number[]; readonly preview: string } | null {
  const found = /^v?(\d{1,12}(?:\.\d{1,12}){0,4})(?:-([0-9A-Za-z.-]{1,60}))?(?:\+.*)?$/.exec(text);
  if (found === null) return null;
  return { numbers: (found[1] ?? "").split(".").map(Number), preview: found[2] ?? "" };
}
