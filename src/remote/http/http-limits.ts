import type { HttpLimits } from "./http-types.ts";

/** Bounds where a caller names none. */
export const defaultHttpLimits: HttpLimits = {
  bytes: 25 * 1_048_576,
  redirects: 5,
  tries: 3,
  retryDelay: 200,
  retryAfter: 30_000,
  connect: 10_000,
  headers: 10_000,
  idle: 15_000,
  total: 60_000,
};
