import { rowProducts, transpose } from "./products.ts";

export interface ContrastOptions {
  readonly width: number;
  /** Pairs that are told apart at a time, a multiple of four. */
  readonly batch: number;
  /** Cosines are divided by it before they compete. */
  readonly temperature: number;
}

/** Tokens of the two texts of each pair of a batch. */
export interface Batch {
  readonly left: readonly Int32Array[];
  readonly right: readonly Int32Array[];
}

/** One side of a batch: the direction of each text's sum of tokens as a unit vector, and that sum's length. */
interface Side {
  readonly texts: readonly Int32Array[];
  readonly units: Float32Array;
  readonly lengths: Float32Array;
}

/** How fast Adam's running means of the gradient and of its square forget. */
const decay = { mean: 0.9, square: 0.999 };

/**
 * Learns a table of token vectors (tokens × width) in place, batch by batch: the sum of the tokens of one text of a pair
 * comes to point where that of the other does, and not where those of the other pairs do (InfoNCE in both directions; Adam
 * for the rows that occur). The call takes a batch and a learning rate and gives the loss.
 */
export function createContrast(
  table: Float32Array,
  { width, batch, temperature }: ContrastOptions,
): (pairs: Batch, rate: number) => number {
  const means = new Float32Array(table.length);
  const squares = new Float32Array(table.length);
  const gradient = new Float32Array(table.length);
  const marked = new Uint8Array(table.length / width);
  const products = new Float32Array(batch * batch);
  const changes = new Float32Array(batch * width);
  let step = 0;

  /** Through the unit length back to the tokens. */
  const spread = ({ texts, units, lengths }: Side): void => {
    for (const [number, text] of texts.entries()) {
      const at = number * width;
      let along = 0;
      for (let k = at; k < at + width; k++) along += (changes[k] as number) * (units[k] as number);
      const share = 1 / (lengths[number] as number);
      for (let k = at; k < at + width; k++)
        changes[k] = ((changes[k] as number) - along * (units[k] as number)) * share;
      for (const token of text) {
        marked[token] = 1;
        const to = token * width;
        for (let k = 0; k < width; k++)
          gradient[to + k] = (gradient[to + k] as number) + (changes[at + k] as number);
      }
    }
  };

  const adjust = (rate: number): void => {
    const early = Math.sqrt(1 - decay.square ** step) / (1 - decay.mean ** step);
    for (const [row, mark] of marked.entries()) {
      if (mark === 0) continue;
      for (let at = row * width; at < (row + 1) * width; at++) {
        const slope = gradient[at] as number;
        gradient[at] = 0;
        const mean = decay.mean * (means[at] as number) + (1 - decay.mean) * slope;
        const square = decay.square * (squares[at] as number) + (1 - decay.square) * slope * slope;
        means[at] = mean;
        squares[at] = square;
        table[at] = (table[at] as number) - (rate * early * mean) / (Math.sqrt(square) + 1e-10);
      }
    }
    marked.fill(0);
  };

  return ({ left, right }, rate) => {
    step++;
    const one = sideOf(left, table, width);
    const other = sideOf(right, table, width);
    rowProducts(one.units, other.units, { width, out: products });
    const loss = toSlopes(products, { batch, temperature });
    rowProducts(products, transpose(other.units, width), { width: batch, out: changes });
    spread(one);
    rowProducts(transpose(products, batch), transpose(one.units, width), { width: batch, out: changes });
    spread(other);
    adjust(rate);
    return loss;
  };
}

function sideOf(texts: readonly Int32Array[], table: Float32Array, width: number): Side {
  const units = new Float32Array(texts.length * width);
  const lengths = new Float32Array(texts.length);
  for (const [number, text] of texts.entries()) {
    const at = number * width;
    for (const token of text) {
      const from = token * width;
      for (let k = 0; k < width; k++) units[at + k] = (units[at + k] as number) + (table[from + k] as number);
    }
    let square = 1e-12;
    for (let k = at; k < at + width; k++) square += (units[k] as number) ** 2;
    const length = Math.sqrt(square);
    lengths[number] = length;
    for (let k = at; k < at + width; k++) units[k] = (units[k] as number) / length;
  }
  return { texts, units, lengths };
}

/** Makes of the cosines of all texts of both sides the loss, and in their place its derivative by each. */
function toSlopes(
  products: Float32Array,
  { batch, temperature }: { readonly batch: number; readonly temperature: number },
): number {
  const rows = new Float64Array(batch);
  const columns = new Float64Array(batch);
  for (let row = 0; row < batch; row++)
    for (let column = 0; column < batch; column++) {
      const at = row * batch + column;
      const value = Math.exp(((products[at] as number) - 1) / temperature);
      products[at] = value;
      rows[row] = (rows[row] as number) + value;
      columns[column] = (columns[column] as number) + value;
    }
  const scale = 1 / (2 * batch * temperature);
  let loss = 0;
  for (let row = 0; row < batch; row++)
    for (let column = 0; column < batch; column++) {
      const at = row * batch + column;
      const value = products[at] as number;
      const byRow = value / (rows[row] as number);
      const byColumn = value / (columns[column] as number);
      const own = row === column;
      products[at] = scale * (byRow + byColumn - (own ? 2 : 0));
      if (own) loss -= (Math.log(byRow) + Math.log(byColumn)) / (2 * batch);
    }
  return loss;
}
