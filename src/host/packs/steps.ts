/**
 * Work on the disk in single steps: between two of them another process may do anything, and a kill may end it. Run
 * straight through in the product; a test interleaves several and cuts them off (test/packs/interleaving.test.ts).
 */
export type Steps<T> = Generator<void, T, void>;

export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
