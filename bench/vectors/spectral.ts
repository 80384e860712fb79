import type { Random } from "../random.ts";
import type { SparseMatrix } from "./cooccurrence.ts";

const extra = 16;
const rounds = 2;

/**
 * The strongest directions of a symmetric matrix, as one vector a row: rows × `width`, scaled by the square root of the
 * eigenvalue (randomised subspace iteration).
 */
export function spectralVectors(
  matrix: SparseMatrix,
  { width, random }: { readonly width: number; readonly random: Random },
): Float32Array {
  const broad = width + extra;
  let basis: Float32Array = Float32Array.from({ length: matrix.size * broad }, () => random.below(2) * 2 - 1);
  for (let round = 0; round < rounds; round++) basis = orthonormal(times(matrix, basis, broad), broad);
  const image = times(matrix, basis, broad);
  const { values, vectors } = eigen(gram(basis, image, broad), broad);
  const order = [...values.keys()]
    .sort((a, b) => Math.abs(values[b] as number) - Math.abs(values[a] as number))
    .slice(0, width);
  const out = new Float32Array(matrix.size * width);
  for (const [column, from] of order.entries()) {
    const scale = Math.sqrt(Math.abs(values[from] as number));
    for (let row = 0; row < matrix.size; row++) {
      let sum = 0;
      for (let k = 0; k < broad; k++)
        sum += (basis[row * broad + k] as number) * (vectors[k * broad + from] as number);
      out[row * width + column] = sum * scale;
    }
  }
  return out;
}

function times(
  { size, starts, columns, values }: SparseMatrix,
  right: Float32Array,
  width: number,
): Float32Array {
  const out = new Float32Array(size * width);
  for (let row = 0; row < size; row++) {
    const target = out.subarray(row * width, row * width + width);
    for (let at = starts[row] as number; at < (starts[row + 1] as number); at++) {
      const value = values[at] as number;
      const from = (columns[at] as number) * width;
      for (let k = 0; k < width; k++) target[k] = (target[k] as number) + value * (right[from + k] as number);
    }
  }
  return out;
}

/** Left transposed times right, width × width; its lower half alone, which is all there is to a symmetric one. */
function gram(left: Float32Array, right: Float32Array, width: number): Float64Array {
  const out = new Float64Array(width * width);
  for (let row = 0; row < left.length; row += width)
    for (let i = 0; i < width; i++) {
      const value = left[row + i] as number;
      const at = i * width;
      for (let j = 0; j <= i; j++) out[at + j] = (out[at + j] as number) + value * (right[row + j] as number);
    }
  return out;
}

/** The same span with orthonormal columns (Cholesky, twice for accuracy). */
function orthonormal(matrix: Float32Array, width: number): Float32Array {
  for (let pass = 0; pass < 2; pass++) {
    const factor = cholesky(gram(matrix, matrix, width), width);
    for (let row = 0; row < matrix.length; row += width)
      for (let i = 0; i < width; i++) {
        let value = matrix[row + i] as number;
        for (let j = 0; j < i; j++) value -= (factor[i * width + j] as number) * (matrix[row + j] as number);
        matrix[row + i] = value / (factor[i * width + i] as number);
      }
  }
  return matrix;
}

function cholesky(matrix: Float64Array, width: number): Float64Array {
  const out = new Float64Array(width * width);
  for (let i = 0; i < width; i++)
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * width + j] as number;
      for (let k = 0; k < j; k++) sum -= (out[i * width + k] as number) * (out[j * width + k] as number);
      out[i * width + j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / (out[j * width + j] as number);
    }
  return out;
}

/** Eigenvalues and, by column, eigenvectors of a small symmetric matrix, given by its lower half (cyclic Jacobi). */
function eigen(
  matrix: Float64Array,
  width: number,
): { readonly values: Float64Array; readonly vectors: Float64Array } {
  const a = matrix.slice();
  for (let i = 0; i < width; i++) for (let j = 0; j < i; j++) a[j * width + i] = a[i * width + j] as number;
  const vectors = new Float64Array(width * width);
  for (let i = 0; i < width; i++) vectors[i * width + i] = 1;
  const turn = (
    target: Float64Array,
    one: number,
    other: number,
    [c, s, step]: readonly [number, number, number],
  ): void => {
    for (let k = 0; k < width; k++) {
      const x = target[one + k * step] as number;
      const y = target[other + k * step] as number;
      target[one + k * step] = c * x - s * y;
      target[other + k * step] = s * x + c * y;
    }
  };
  for (let sweep = 0; sweep < 8; sweep++)
    for (let p = 0; p < width - 1; p++)
      for (let q = p + 1; q < width; q++) {
        const off = a[p * width + q] as number;
        if (Math.abs(off) < 1e-9) continue;
        const theta = ((a[q * width + q] as number) - (a[p * width + p] as number)) / (2 * off);
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const c = 1 / Math.sqrt(t * t + 1);
        turn(a, p, q, [c, t * c, width]);
        turn(a, p * width, q * width, [c, t * c, 1]);
        turn(vectors, p, q, [c, t * c, width]);
      }
  return { values: Float64Array.from({ length: width }, (_, i) => a[i * width + i] as number), vectors };
}
