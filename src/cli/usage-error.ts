import { SkilletError } from "../core/error.ts";

/** The command line itself is wrong: exit 2. */
export function usageError(message: string, hint: string | null): SkilletError {
  return new SkilletError("usage", message, hint === null ? {} : { hint });
}
