import type { SourceKind } from "./remote-source.ts";

/** What an address most likely is, by its form alone. */
export function sourceKind(address: string): SourceKind {
  if (/^oci:/i.test(address)) return "oci";
  if (/^(?:git\+|git:|ssh:)/i.test(address) || /^[\w.-]+@[\w.-]+:/.test(address)) return "git";
  const path = pathOf(address);
  if (/\.(?:zip|tgz|tar\.gz|tar)$/i.test(path)) return "archive";
  if (/\.git\/?$/i.test(path)) return "git";
  if (!/^[a-z][a-z0-9+.-]+:/i.test(address)) {
    return /^[\w.-]+\/[\w.-]+$/.test(address) && !address.startsWith(".") ? "git" : "folder";
  }
  if (/^file:/i.test(address)) return "folder";
  if (/\/skill\.md$/i.test(path)) return "file";
  if (/^https:\/\/(?:github\.com|gitlab\.com|codeberg\.org|bitbucket\.org)\/[^/]+\/[^/]+\/?$/i.test(address))
    return "git";
  return "index";
}

function pathOf(address: string): string {
  return address.replace(/[?#].*$/s, "");
}
