/**
 * The most weight that different things have within one span of places; things are met in rising order of places. The
 * work is linear in what is met.
 */
export class Passage {
  /** The largest sum so far. */
  best = 0;
  private sum = 0;
  private readonly span: number;
  /** By thing: how often it is in the span that ends at the last place. */
  private readonly inside = new Map<number, number>();
  private readonly queue: { readonly thing: number; readonly weight: number; readonly place: number }[] = [];
  private first = 0;

  constructor(span: number) {
    this.span = span;
  }

  meet(thing: number, { weight, place }: { readonly weight: number; readonly place: number }): void {
    const { inside, queue } = this;
    for (let oldest = queue[this.first]; oldest !== undefined; oldest = queue[++this.first]) {
      if (place - oldest.place < this.span) break;
      const left = (inside.get(oldest.thing) as number) - 1;
      inside.set(oldest.thing, left);
      if (left === 0) this.sum -= oldest.weight;
    }
    const known = inside.get(thing) ?? 0;
    inside.set(thing, known + 1);
    if (known === 0) this.sum += weight;
    queue.push({ thing, weight, place });
    if (this.sum > this.best) this.best = this.sum;
  }
}
