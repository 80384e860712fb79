interface Version {
  readonly numbers: readonly [number, number, number];
  readonly preview: readonly string[];
}

/**
 * Whether `a` is a version before `b` by the order of semantic versions. False for equal ones and for names that are
 * no version: what is not known to be older is left alone (rows G12, G19, K05).
 */
export function isOlderVersion(a: string, b: string): boolean {
  const [left, right] = [parse(a), parse(b)];
  if (left === null || right === null) return false;
  for (let at = 0; at < 3; at++) {
    const difference = (left.numbers[at] ?? 0) - (right.numbers[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  if (left.preview.length === 0 || right.preview.length === 0)
    return left.preview.length > 0 && right.preview.length === 0;
  for (let at = 0; ; at++) {
    const [one, other] = [left.preview[at], right.preview[at]];
    if (one === undefined || other === undefined) return one === undefined && other !== undefined;
    if (one !== other) return comesFirst(one, other);
  }
}

function comesFirst(one: string, other: string): boolean {
  const [a, b] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (a && b) return Number(one) < Number(other);
  return a === b ? one < other : a;
}

function parse(text: string): Version | null {
  const found = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]+))?(?:\+.*)?$/.exec(text);
  if (found === null) return null;
  return {
    numbers: [Number(found[1]), Number(found[2]), Number(found[3])],
    preview: found[4]?.split(".") ?? [],
  };
}
