import { printable } from "../../core/text/printable.ts";

const longest = 300;

/**
 * An address for people and logs: without user name, password, query and fragment, which may hold secrets, and safe for
 * a terminal.
 */
export function showAddress(address: string | URL): string {
  const url = typeof address === "string" ? parsed(address) : address;
  if (url === null) return cut(printable(withoutSecrets(String(address))));
  const origin = url.host === "" ? `${url.protocol}` : `${url.protocol}//${url.host}`;
  return cut(printable(`${origin}${url.pathname}${url.search === "" ? "" : "?…"}`));
}

/** For what is no address: cuts out what stands before an `@`, and everything behind a question mark. */
function withoutSecrets(text: string): string {
  return text
    .slice(0, 2_000)
    .replace(/\/\/[^/\s]*@/g, "//")
    .replace(/[?#].*$/s, "?…");
}

function cut(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}

function parsed(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
