/**
 * One signal for the end of a work: when its time in milliseconds is over, or somebody else's signal says so. `release` when it
 * is done. Signals joined by `AbortSignal.any` can be lost to the collector on Node 20, these cannot.
 */
export function endOf(from: {
  readonly signal?: AbortSignal | null | undefined;
  readonly timeout?: number | null | undefined;
}): { readonly signal: AbortSignal; release(): void } {
  const { signal, timeout } = from;
  const end = new AbortController();
  const stop = (): void => end.abort(signal?.reason);
  const late = (): void => end.abort(new DOMException("The time is over.", "TimeoutError"));
  const timer = timeout == null ? undefined : setTimeout(late, Math.ceil(timeout));
  if (signal?.aborted === true) stop();
  signal?.addEventListener("abort", stop, { once: true });
  return {
    signal: end.signal,
    release: () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    },
  };
}
