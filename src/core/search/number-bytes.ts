export type Numbers = Uint8Array | Uint16Array | Uint32Array;

/** Whether this machine keeps numbers as files have them. */
const sameOrder = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** The numbers as bytes, lowest first; on most machines the same memory. */
export function littleEndian(numbers: Numbers): Uint8Array {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  return sameOrder ? bytes : turned(bytes, numbers.BYTES_PER_ELEMENT);
}

/** The numbers of so many bits that `littleEndian` gave; the same memory where that can be. */
export function numbersOf(bytes: Uint8Array, bits: number): Numbers {
  const width = bits / 8;
  if (width === 1) return bytes;
  const own = sameOrder && bytes.byteOffset % width === 0 ? bytes : bytes.slice();
  const ordered = sameOrder ? own : turned(own, width);
  const length = ordered.byteLength / width;
  return width === 2
    ? new Uint16Array(ordered.buffer, ordered.byteOffset, length)
    : new Uint32Array(ordered.buffer, ordered.byteOffset, length);
}

function turned(bytes: Uint8Array, width: number): Uint8Array {
  const copy = bytes.slice();
  for (let at = 0; at < copy.length; at += width) copy.subarray(at, at + width).reverse();
  return copy;
}
