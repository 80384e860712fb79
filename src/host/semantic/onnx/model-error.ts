import { SkilletError } from "../../../core/error.ts";

/** What keeps a model from being used, and what to do about it. */
export function modelError(message: string, hint: string, cause?: unknown): SkilletError {
  return new SkilletError("failed", message, { hint, cause });
}

/** What a library says, as one line of bounded length without its full stop. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\s+/g, " ").trim().replace(/\.$/, "").slice(0, 300);
}
