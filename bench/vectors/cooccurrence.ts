/** A symmetric matrix of words by words, row by row. */
export interface SparseMatrix {
  readonly size: number;
  readonly starts: Float64Array;
  readonly columns: Int32Array;
  readonly values: Float32Array;
}

/** Tokens to either side that count as neighbours; nearer ones count more. */
const reach = 6;
/** Context counts are raised to this power, which holds rare neighbours back. */
const smoothing = 0.75;
/** Neighbours that were seen less are chance. */
const least = 1.5;

/**
 * Positive pointwise mutual information of tokens that stand near one another within a text, square-rooted so that no
 * pair dominates.
 */
export function positiveInformation(texts: readonly Int32Array[], size: number): SparseMatrix {
  const places = placesByToken(texts, size);
  const rows: { columns: Int32Array; values: Float32Array }[] = [];
  const sums = new Float64Array(size);
  const seen = new Float32Array(size);
  const touched = new Int32Array(size);
  for (let token = 0; token < size; token++) {
    let count = 0;
    for (let at = places.starts[token] as number; at < (places.starts[token + 1] as number); at++) {
      const text = texts[places.texts[at] as number] as Int32Array;
      const middle = places.offsets[at] as number;
      const end = Math.min(text.length - 1, middle + reach);
      for (let near = Math.max(0, middle - reach); near <= end; near++) {
        if (near === middle) continue;
        const other = text[near] as number;
        if (seen[other] === 0) touched[count++] = other;
        seen[other] = (seen[other] as number) + 1 / Math.abs(near - middle);
      }
    }
    const columns = touched.slice(0, count).sort();
    const values = new Float32Array(count);
    for (let at = 0; at < count; at++) {
      const column = columns[at] as number;
      values[at] = seen[column] as number;
      sums[token] = (sums[token] as number) + (seen[column] as number);
      seen[column] = 0;
    }
    rows.push({ columns, values });
  }
  return informationOf(rows, sums);
}

function informationOf(
  rows: readonly { readonly columns: Int32Array; readonly values: Float32Array }[],
  sums: Float64Array,
): SparseMatrix {
  const size = rows.length;
  const smooth = sums.map((sum) => sum ** smoothing);
  const total = smooth.reduce((sum, value) => sum + value, 0);
  const starts = new Float64Array(size + 1);
  const most = rows.reduce((sum, { columns }) => sum + columns.length, 0);
  const columns = new Int32Array(most);
  const values = new Float32Array(most);
  let filled = 0;
  for (const [row, { columns: others, values: counts }] of rows.entries()) {
    for (const [at, other] of others.entries()) {
      const count = counts[at] as number;
      if (count < least) continue;
      // Symmetric: the mean of both directions of smoothing.
      const own = Math.log((count * total) / ((sums[row] as number) * (smooth[other] as number)));
      const back = Math.log((count * total) / ((sums[other] as number) * (smooth[row] as number)));
      const value = (own + back) / 2;
      if (value <= 0) continue;
      columns[filled] = other;
      values[filled++] = Math.sqrt(value);
    }
    starts[row + 1] = filled;
  }
  return { size, starts, columns: columns.slice(0, filled), values: values.slice(0, filled) };
}

/** Where each token stands. */
function placesByToken(texts: readonly Int32Array[], size: number) {
  const starts = new Float64Array(size + 1);
  for (const text of texts) for (const token of text) starts[token + 1] = (starts[token + 1] as number) + 1;
  for (let token = 0; token < size; token++)
    starts[token + 1] = (starts[token + 1] as number) + (starts[token] as number);
  const next = starts.slice();
  const total = starts[size] as number;
  const places = { starts, texts: new Int32Array(total), offsets: new Int32Array(total) };
  for (const [number, text] of texts.entries())
    for (const [offset, token] of text.entries()) {
      const at = next[token] as number;
      next[token] = at + 1;
      places.texts[at] = number;
      places.offsets[at] = offset;
    }
  return places;
}
