import { type LookupAddress, lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { addressKind } from "./address-kind.ts";
import { FetchProblem } from "./http-failure.ts";

/** All addresses of a host name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** The system's own resolution. */
export function systemResolve(hostname: string): Promise<readonly LookupAddress[]> {
  return new Promise((done, fail) => {
    lookup(hostname, { all: true }, (error, addresses) => {
      if (error === null) done(addresses);
      else fail(error);
    });
  });
}

/**
 * A look-up for one connection that gives only checked addresses, so that the name cannot mean something else between
 * the check and the connection (row E23). One private address among them is enough to refuse.
 */
export function checkedLookup(resolve: Resolve, allowPrivate: boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const wanted = addresses.filter(
          ({ family }) => options.family === undefined || options.family === 0 || options.family === family,
        );
        const [first] = wanted;
        if (first === undefined)
          return callback(new FetchProblem("unreachable", "the name has no address"), "", 0);
        if (!allowPrivate && addresses.some(({ address }) => addressKind(address) !== "public"))
          return callback(
            new FetchProblem("private", "its name leads to this machine or into a private network"),
            "",
            0,
          );
        if (options.all === true) return callback(null, [...wanted]);
        return callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, "", 0),
    );
  };
}
