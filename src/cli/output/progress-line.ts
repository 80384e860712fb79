import type { Context } from "../command.ts";
import { safeLine } from "./safe-text.ts";

/** One line on a terminal's stderr that is written over; silent everywhere else. */
export function progressLine({ io, quiet, json }: Context): { show(text: string): void; clear(): void } {
  const active = io.stderr.isTTY && !quiet && !json;
  const width = (io.stderr.columns ?? 80) - 1;
  let shown = false;
  return {
    show(text) {
      if (!active) return;
      shown = true;
      io.stderr.write(`\r\u001b[2K${safeLine(text).slice(0, width)}`);
    },
    clear() {
      if (shown) io.stderr.write("\r\u001b[2K");
      shown = false;
    },
  };
}
