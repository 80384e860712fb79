import { createHash } from "node:crypto";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import { printable } from "../../core/text/printable.ts";
import { showAddress } from "../http/show-address.ts";

/** The same finding with the entry's name in front. */
export function ofEntry(name: string, diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, message: `${printable(name)}: ${diagnostic.message}` };
}

/** Something other than a skill came from an address. */
export function notASkill(name: string, url: string, why: string): Diagnostic {
  const message = `${printable(name)}: ${why} (${showAddress(url)}).`;
  return makeDiagnostic("remote/not-a-skill", { path: showAddress(url), message });
}

/** Markup of a web page at its beginning. */
export function isPage(bytes: Uint8Array): boolean {
  return /^\ufeff?\s*<(?:!doctype|html|head|body|\?xml)/i.test(
    Buffer.from(bytes.subarray(0, 256)).toString("utf8"),
  );
}

/** `sha256:…` of bytes as they are. */
export function bytesDigest(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}
