/** Where something comes from, in parts that rules compare. */
export interface Origin {
  /** `https`, `ssh`, `oci`, `file`, …, lower case. */
  readonly scheme: string;
  /** With a port where one is named; "" for a local folder. */
  readonly host: string;
  /** Begins with a slash, has no query. */
  readonly path: string;
}

/**
 * The parts of an address: an URL, git's `user@host:path`, a local path. Null for what is none of these. Never throws.
 */
export function originOf(address: string): Origin | null {
  if (/^(?:\/|~\/|\.{1,2}\/|[A-Za-z]:[\\/])/.test(address))
    return { scheme: "file", host: "", path: address.replaceAll("\\", "/") };
  const short = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)(.+)$/.exec(address);
  if (short !== null && /^[^/]*@/.test(address))
    return {
      scheme: "ssh",
      host: (short[1] ?? "").toLowerCase(),
      path: `/${(short[2] ?? "").replace(/^\/+/, "")}`,
    };
  const url = parsed(address.replace(/^git\+/, ""));
  if (url === null) return null;
  if (url.protocol === "file:") return { scheme: "file", host: "", path: decoded(url.pathname) };
  return { scheme: url.protocol.slice(0, -1), host: url.host.toLowerCase(), path: url.pathname || "/" };
}

/** One rule of `policy.origins`, ready to compare; null when it cannot be read. */
export type OriginRule = (origin: Origin) => boolean;

/**
 * Reads a rule: `local` (folders of this machine), a path and what lies below it, `HOST`, `*.HOST`, `HOST/PATH` (any secure
 * transport), or the same with a scheme in front. A path covers itself and what lies below it.
 */
export function originRule(text: string): OriginRule | null {
  const rule = text.trim();
  if (rule === "local") return ({ scheme }) => scheme === "file";
  if (rule.startsWith("/") || /^[A-Za-z]:[\\/]/.test(rule)) {
    const path = rule.replaceAll("\\", "/");
    return (origin) => origin.scheme === "file" && isBelow(path, origin.path);
  }
  const parts =
    /^(?:([a-z][a-z0-9+.-]*):\/\/)?((?:\*\.)?(?:[a-z0-9][a-z0-9._-]*|\[[0-9a-f:.]+\])(?::\d{1,5})?)(\/[^?#]*)?$/i.exec(
      rule,
    );
  if (parts === null) return null;
  const scheme = parts[1]?.toLowerCase() ?? null;
  const host = (parts[2] ?? "").toLowerCase();
  const path = parts[3] ?? "/";
  if (scheme === "file") return (origin) => origin.scheme === "file" && isBelow(path, origin.path);
  return (origin) =>
    (scheme === null ? secure.has(origin.scheme) : origin.scheme === scheme) &&
    hostFits(host, origin.host) &&
    isBelow(path, origin.path);
}

const secure = new Set(["https", "ssh", "oci"]);

function hostFits(rule: string, host: string): boolean {
  if (!rule.startsWith("*.")) return host === rule;
  return host.endsWith(rule.slice(1)) && host.length > rule.length - 1;
}

function isBelow(folder: string, path: string): boolean {
  if (/%2e|%2f|%5c/i.test(path) || path.split("/").includes("..")) return false;
  const bare = folder.replace(/\/+$/, "");
  return path === bare || path.startsWith(`${bare}/`) || path === `${bare}.git`;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function parsed(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
