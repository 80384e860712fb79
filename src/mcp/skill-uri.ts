import { longestField } from "./bound-requests.ts";

/** Everything that is served lies below this. */
const scheme = "skill://";

/** `skill://NAME/PATH`; names that are no plain URI text are percent-encoded. `path` uses `/`; "" = the skill's root. */
export function skillUri(name: string, path = ""): string {
  const file = path === "" ? "" : `/${path.split("/").map(encode).join("/")}`;
  return `${scheme}${encode(name)}${file}`;
}

/** What a URI of ours names, or null for any other text. Dots, empty segments and encoded slashes are never ours. */
export function partsOf(uri: string): { readonly name: string; readonly path: string } | null {
  if (uri.length > longestField || !uri.startsWith(scheme) || /[?#\\]/.test(uri)) return null;
  const segments: string[] = [];
  for (const written of uri.slice(scheme.length).split("/")) {
    const segment = decoded(written);
    if (segment === null || segment === "" || segment === "." || segment === ".." || /[/\\\0]/.test(segment))
      return null;
    segments.push(segment);
  }
  const [name, ...rest] = segments;
  return name === undefined ? null : { name, path: rest.join("/") };
}

function encode(segment: string): string {
  // Lone surrogates cannot be encoded; they can't be part of a name that a client could ask for either.
  return encodeURIComponent(segment.replace(/\p{Surrogate}/gu, "\ufffd"));
}

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
