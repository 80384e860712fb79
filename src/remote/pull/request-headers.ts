import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import type { Environment } from "../../core/environment.ts";
import { showSource } from "../../core/remote/pulled-roots.ts";
import type { RemoteSource } from "../../core/remote/remote-source.ts";

/**
 * The source's own headers: its token from the variable that the user's settings name. They go to the source's origin
 * alone and are never shown. A token that cannot be part of a header is refused without being quoted.
 */
export function requestHeaders(
  source: RemoteSource,
  { variables }: Environment,
): { readonly value: Readonly<Record<string, string>> } | { readonly problem: Diagnostic } {
  if (source.token === null) return { value: {} };
  const token = (variables[source.token] ?? "").trim();
  const path = showSource(source);
  if (token === "") {
    const message = `The source needs a token, and the variable ${source.token} is not set.`;
    return { problem: makeDiagnostic("remote/token", { path, message }) };
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    const message = `The variable ${source.token} holds something that is no token.`;
    return { problem: makeDiagnostic("remote/token", { path, message }) };
  }
  return { value: { authorization: `Bearer ${token}` } };
}
