export interface DebounceOptions {
  /** Milliseconds without a call before the work is done. */
  readonly quiet: number;
  /** Milliseconds after the first call when the work is done at the latest. */
  readonly most: number;
  readonly persistent: boolean;
  readonly now: () => number;
  readonly work: () => void;
}

export interface Debounce {
  call(): void;
  /** Forgets what is pending. */
  cancel(): void;
}

/** Gathers calls that come close together into one piece of work (feature X7: 200 ms of quiet, one second at most). */
export function createDebounce({ quiet, most, persistent, now, work }: DebounceOptions): Debounce {
  let timer: NodeJS.Timeout | null = null;
  let first = 0;
  let last = 0;
  const run = (): void => {
    timer = null;
    const time = now();
    // The timer is not set anew for every call: a burst of thousands would be nothing but timers.
    const due = Math.min(last + quiet, first + most);
    if (time < due) wait(due - time);
    else work();
  };
  const wait = (time: number): void => {
    timer = setTimeout(run, Math.max(1, Math.ceil(time)));
    if (!persistent) timer.unref();
  };
  return {
    call() {
      last = now();
      if (timer !== null) return;
      first = last;
      wait(quiet);
    },
    cancel() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
