import { judgeOrigin } from "../../core/policy/judge.ts";
import type { Policy } from "../../core/policy/policy.ts";
import { hostKind } from "../http/address-kind.ts";
import type { HostPolicy } from "../http/http-types.ts";

export interface HostGrants {
  /** Addresses that the user's own settings or command line name: their origins may be private, loopback also plain. */
  readonly own: readonly string[];
  /** The user's own addresses may be plain http anywhere, as the mirrored agent has it. */
  readonly plainHttp?: boolean;
}

/**
 * What the HTTP client asks, from the policy and from what the user named himself. A project's file grants nothing: its
 * addresses are not among `own`.
 */
export function hostPolicy(policy: Policy, grants: HostGrants): HostPolicy {
  const own = new Set(grants.own.flatMap((address) => originOf(address) ?? []));
  const listed = (list: readonly string[], url: URL): boolean =>
    list.some((host) =>
      host.startsWith("*.")
        ? url.hostname.endsWith(host.slice(1))
        : host === url.hostname || host === url.host,
    );
  return {
    refuse(url) {
      const { allowed, message } = judgeOrigin(policy, url.href);
      return allowed || listed(policy.redirects, url) ? null : sentence(message);
    },
    plainHttp: (url) =>
      listed(policy.plainHttp, url) ||
      (own.has(url.origin) && (grants.plainHttp === true || hostKind(url.hostname) === "loopback")),
    privateHost: (url) => listed(policy.privateHosts, url) || own.has(url.origin),
    redirect: (_from, to) => listed(policy.redirects, to),
  };
}

function originOf(address: string): string | null {
  try {
    return new URL(address).origin;
  } catch {
    return null;
  }
}

/** As the end of a sentence. */
function sentence(message: string): string {
  return message.replace(/\.$/, "");
}
