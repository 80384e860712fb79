/** Bytes of a number below 2^31 with seven bits a byte. */
export function numberLength(value: number): number {
  if (value < 1 << 7) return 1;
  if (value < 1 << 14) return 2;
  if (value < 1 << 21) return 3;
  return value < 1 << 28 ? 4 : 5;
}

/** Writes a number below 2^31, its lowest seven bits first; returns the place after it. */
export function putNumber(bytes: Uint8Array, start: number, value: number): number {
  let at = start;
  let rest = value;
  while (rest > 127) {
    bytes[at++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  bytes[at++] = rest;
  return at;
}

/** The number that starts at a place, and the place after it. */
export function readNumber(bytes: Uint8Array, start: number): readonly [value: number, end: number] {
  let at = start;
  let byte = bytes[at++] as number;
  let value = byte & 127;
  for (let shift = 7; byte > 127; shift += 7) {
    byte = bytes[at++] as number;
    value |= (byte & 127) << shift;
  }
  return [value, at];
}
