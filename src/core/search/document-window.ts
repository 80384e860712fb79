/** Documents of a window at most: few enough that their numbers stay close to the processor. */
export const windowSize = 8_192;
/** The first windows are smaller, so that it is soon known what a score must reach. */
const firstSize = 512;

/** Sums of neighbouring documents. */
export class DocumentWindow {
  /** Its first document, and the one after its last. */
  start = 0;
  end = 0;
  /** By document - `start`: its sum, and the weight of the query's words that were found in it. */
  readonly sums = new Float64Array(windowSize);
  readonly matched = new Float64Array(windowSize);
  /** Which documents were met, a bit each. */
  readonly met = new Uint32Array(windowSize / 32);

  /** Opens the first window of a query, or a later one. */
  open(start: number, first: boolean): void {
    const size = first ? firstSize : Math.min(windowSize, (this.end - this.start) * 2);
    this.start = start;
    this.end = start + size;
  }

  /** Opens the same documents as another window. */
  openLike({ start, end }: DocumentWindow): void {
    this.start = start;
    this.end = end;
  }

  /** Tells the documents that were met, ascending, as places in `sums` and `matched`, and forgets that they were. */
  eachMet(tell: (at: number) => void): void {
    const { met } = this;
    for (let word = 0; word * 32 < this.end - this.start; word++) {
      let bits = met[word] as number;
      if (bits === 0) continue;
      met[word] = 0;
      for (; bits !== 0; bits &= bits - 1) tell(word * 32 + 31 - Math.clz32(bits & -bits));
    }
  }

  add(document: number, value: number, cover: number): void {
    const at = document - this.start;
    this.sums[at] = (this.sums[at] as number) + value;
    this.matched[at] = (this.matched[at] as number) + cover;
    this.met[at >>> 5] = (this.met[at >>> 5] as number) | (1 << (at & 31));
  }
}

/** Of several sums of a document only the largest counts, of equal ones the first. */
export class BestWindow extends DocumentWindow {
  override add(document: number, value: number, cover: number): void {
    const at = document - this.start;
    if (value <= (this.sums[at] as number)) return;
    this.sums[at] = value;
    this.matched[at] = cover;
    this.met[at >>> 5] = (this.met[at >>> 5] as number) | (1 << (at & 31));
  }
}
