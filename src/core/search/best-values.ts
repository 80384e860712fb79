/** The largest values so far, at most so many; a heap with the least of them on top. Keeps its array. */
export class BestValues {
  private heap = new Float64Array(64);
  private most = 0;
  private filled = 0;

  clear(most: number): void {
    if (most > this.heap.length) this.heap = new Float64Array(most);
    this.most = most;
    this.filled = 0;
  }

  /** The least of them; 0 while there are fewer than asked for. */
  get least(): number {
    return this.filled < this.most ? 0 : (this.heap[0] as number);
  }

  add(value: number): void {
    const { heap, most } = this;
    if (this.filled < most) {
      let at = this.filled++;
      while (at > 0) {
        const above = (at - 1) >> 1;
        if ((heap[above] as number) <= value) break;
        heap[at] = heap[above] as number;
        at = above;
      }
      heap[at] = value;
      return;
    }
    if (value <= (heap[0] as number)) return;
    let at = 0;
    for (;;) {
      let below = at * 2 + 1;
      if (below >= most) break;
      if (below + 1 < most && (heap[below + 1] as number) < (heap[below] as number)) below++;
      if ((heap[below] as number) >= value) break;
      heap[at] = heap[below] as number;
      at = below;
    }
    heap[at] = value;
  }
}
