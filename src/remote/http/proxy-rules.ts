import { BlockList, isIP } from "node:net";
import type { Environment } from "../../core/environment.ts";

/** Through which proxy an address is reached. */
export interface ProxyRules {
  /** Null = directly; "unusable" = a proxy is set that cannot be used. */
  proxyFor(url: URL): URL | null | "unusable";
}

/**
 * `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`, each also in capitals; the lower-case form wins. `no_proxy` is a
 * list of hosts, `.suffixes`, `host:port`, networks (`10.0.0.0/8`) or `*`.
 */
export function proxyRules({ variables }: Environment): ProxyRules {
  const value = (name: string): string => (variables[name] ?? variables[name.toUpperCase()] ?? "").trim();
  const direct = noProxyRule(value("no_proxy"));
  return {
    proxyFor(url) {
      const name = url.protocol === "https:" ? "https_proxy" : "http_proxy";
      const written = value(name) || value("all_proxy");
      if (written === "" || direct(url)) return null;
      return proxyAddress(written) ?? "unusable";
    },
  };
}

function proxyAddress(written: string): URL | null {
  try {
    const url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(written) ? written : `http://${written}`);
    return url.protocol === "http:" || url.protocol === "https:" ? url : null;
  } catch {
    return null;
  }
}

function noProxyRule(text: string): (url: URL) => boolean {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== "");
  if (entries.includes("*")) return () => true;
  const rules = entries.map((entry) => entryRule(entry.toLowerCase()));
  return (url) => {
    const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
    const port = url.port || (url.protocol === "https:" ? "443" : "80");
    return rules.some((rule) => rule(host, port));
  };
}

type Rule = (host: string, port: string) => boolean;

function entryRule(entry: string): Rule {
  const network = /^(.+)\/(\d{1,3})$/.exec(entry);
  const version = network === null ? 0 : isIP(network[1] ?? "");
  if (network !== null && version !== 0) {
    const list = new BlockList();
    try {
      list.addSubnet(network[1] ?? "", Number(network[2]), version === 4 ? "ipv4" : "ipv6");
    } catch {
      return () => false;
    }
    return (host) => isIP(host) === version && list.check(host, version === 4 ? "ipv4" : "ipv6");
  }
  const plain = entry.replace(/^\[(.*)\]/, "$1");
  const cut = isIP(plain) === 0 ? /^(.*):(\d+)$/.exec(plain) : null;
  const name = (cut?.[1] ?? plain).replace(/^\*?\./, "");
  const port = cut?.[2] ?? null;
  return (host, hostPort) =>
    name !== "" && (host === name || host.endsWith(`.${name}`)) && (port === null || port === hostPort);
}
