import { SkilletError } from "../core/error.ts";
import type { Skills } from "./skills.ts";

/** Calls that answer with a promise: they reject where others throw. */
const promised: ReadonlySet<string> = new Set<keyof Skills>(["expand", "connect", "retrieve", "watch"]);

/**
 * The same set for one holder: once `isClosed` says so, every call throws or rejects with `SkilletError` "usage" (row J09).
 * What was read stays to be looked at (`entries`, `snapshot`, …), and `close` may be called again.
 */
export function refusedWhere(
  skills: Skills,
  isClosed: () => boolean,
  { into = skills, close = skills.close }: { readonly into?: Skills; readonly close?: () => void } = {},
): Skills {
  const refusal = (name: string): SkilletError =>
    new SkilletError("usage", `This set of skills is closed, so ${name} has no answer.`, {
      hint: "Open it again with openSkills",
    });
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(skills))) {
    if (typeof value !== "function") continue;
    const call = value as (...given: unknown[]) => unknown;
    const guarded = promised.has(name)
      ? async (...given: unknown[]) => {
          if (isClosed()) throw refusal(name);
          return call(...given);
        }
      : (...given: unknown[]) => {
          if (isClosed()) throw refusal(name);
          return call(...given);
        };
    Object.defineProperty(into, name, {
      value: name === "close" ? close : guarded,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return into;
}
