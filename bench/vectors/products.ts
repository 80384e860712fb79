/** All dot products of the rows of two matrices with `width` columns: rows of one × rows of the other. */
export function rowProducts(
  one: Float32Array,
  other: Float32Array,
  { width, out }: { readonly width: number; readonly out: Float32Array },
): void {
  const rows = one.length / width;
  const columns = other.length / width;
  // Two by four at a time: each number that is read serves several products.
  for (let i = 0; i + 1 < rows; i += 2)
    for (let j = 0; j + 3 < columns; j += 4) {
      let a0 = 0;
      let a1 = 0;
      let a2 = 0;
      let a3 = 0;
      let b0 = 0;
      let b1 = 0;
      let b2 = 0;
      let b3 = 0;
      const x = i * width;
      const y = j * width;
      for (let k = 0; k < width; k++) {
        const p = one[x + k] as number;
        const q = one[x + width + k] as number;
        const r0 = other[y + k] as number;
        const r1 = other[y + width + k] as number;
        const r2 = other[y + 2 * width + k] as number;
        const r3 = other[y + 3 * width + k] as number;
        a0 += p * r0;
        a1 += p * r1;
        a2 += p * r2;
        a3 += p * r3;
        b0 += q * r0;
        b1 += q * r1;
        b2 += q * r2;
        b3 += q * r3;
      }
      const at = i * columns + j;
      out[at] = a0;
      out[at + 1] = a1;
      out[at + 2] = a2;
      out[at + 3] = a3;
      out[at + columns] = b0;
      out[at + columns + 1] = b1;
      out[at + columns + 2] = b2;
      out[at + columns + 3] = b3;
    }
}

/** Rows and columns exchanged. */
export function transpose(matrix: Float32Array, width: number): Float32Array {
  const rows = matrix.length / width;
  const out = new Float32Array(matrix.length);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < width; column++)
      out[column * rows + row] = matrix[row * width + column] as number;
  return out;
}
