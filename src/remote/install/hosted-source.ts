import { hasRefForm } from "./git-address.ts";
import type { GitSource } from "./source.ts";

/** Hosts whose addresses say repository, branch and folder; `marker` stands between repository and branch. */
const hosts: ReadonlyMap<string, { readonly marker: string; readonly groups: boolean }> = new Map([
  ["github.com", { marker: "", groups: false }],
  ["www.github.com", { marker: "", groups: false }],
  ["gitlab.com", { marker: "-", groups: true }],
  ["bitbucket.org", { marker: "", groups: false }],
  ["codeberg.org", { marker: "", groups: false }],
]);

/**
 * The repository behind an address of a code host as it stands in a browser: the repository itself, `/tree/BRANCH/…`
 * or `/blob/BRANCH/…/SKILL.md`. Null for other addresses. A branch may have slashes, so what follows `tree` is kept
 * whole (`GitSource.tree`) and told apart with the repository's own branches.
 */
export function hostedSource(url: URL, given: string, github: string): GitSource | null {
  const own = new URL(github);
  const isOwn = url.host === own.host && own.host !== "github.com";
  const host = isOwn ? { marker: "", groups: false } : hosts.get(url.host);
  if (host === undefined || url.search !== "") return null;
  const base = isOwn ? own.pathname.replace(/\/+$/, "") : "";
  if (!url.pathname.startsWith(`${base}/`)) return null;
  let segments: readonly string[];
  try {
    segments = url.pathname
      .slice(base.length + 1)
      .replace(/\/+$/, "")
      .split("/")
      .map(decodeURIComponent);
  } catch {
    return null;
  }
  if (segments.some((segment) => !/^[^\\/\0-\x1f]+$/.test(segment) || segment === "." || segment === ".."))
    return null;
  const words = host.marker === "-" ? ["-"] : ["tree", "blob", "src"];
  const cut = host.groups ? segments.indexOf("-") : 2;
  const repository = cut < 0 ? segments : segments.slice(0, cut);
  const rest = cut < 0 ? [] : segments.slice(host.groups ? cut + 1 : cut);
  if (repository.length < 2 || repository.some((segment) => !/^[\w][\w.-]*$/.test(segment))) return null;
  const name = repository.join("/").replace(/\.git$/, "");
  const root = isOwn ? github : `https://${url.host.replace(/^www\./, "")}`;
  const source: GitSource = {
    kind: "git",
    text: given.split("#")[0] ?? given,
    skill: null,
    url: `${root}/${name}.git`,
    ref: null,
    path: null,
    tree: null,
  };
  const ref = url.hash === "" ? null : url.hash.slice(1);
  if (ref !== null && !hasRefForm(ref)) return null;
  if (rest.length === 0) return ref === null ? source : { ...source, ref, text: given };
  const [word = "", ...inside] = rest;
  if (!["tree", "blob", "src", ...words].includes(word) || inside.length === 0) return null;
  const tree = inside.at(-1) === "SKILL.md" ? inside.slice(0, -1) : inside;
  return tree.length === 0 ? null : { ...source, tree: tree.join("/") };
}
