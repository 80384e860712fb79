import type { Environment } from "../core/environment.ts";

/**
 * The same environment for callers: its variables can be asked for, but printing or serializing the object does not
 * show them, since they hold other programs' secrets.
 */
export function withoutShownVariables({ variables, ...rest }: Environment): Environment {
  const shown = Object.defineProperty({ ...rest, variables }, "variables", {
    value: variables,
    enumerable: false,
  });
  return Object.freeze(shown);
}
