import { type Environment, variable } from "../../core/environment.ts";
import { SkilletError } from "../../core/error.ts";
import { isAbsolute, resolve } from "../../core/path.ts";
import { printable } from "../../core/text/printable.ts";
import { toPortable } from "../../host/native-path.ts";
import { isSkillName } from "../lock/safe-names.ts";
import { gitAddress, hasRefForm } from "./git-address.ts";
import { hostedSource } from "./hosted-source.ts";
import type { Source } from "./source.ts";

export interface ParseSourceContext {
  readonly environment: Environment;
  /** What relative paths count from; default the working folder. */
  readonly base?: string;
  /** What stands at a local path; `bare` is a Git repository without a working tree. */
  readonly look: (path: string) => "folder" | "bare" | "file" | "absent";
}

const archiveEnd = /\.(?:zip|skill|tgz|tar\.gz|tar)$/i;

/**
 * Understands what `add` is given: `owner/repo`, `owner/repo@skill`, `owner/repo#branch`, addresses of repositories,
 * trees, archives, sites and single SKILL.md files, `oci://…`, and local paths. Pure but for `look`. Throws
 * `SkilletError` "usage" for what is none of these or could be taken for an option or a command (row F07).
 */
export function parseSource(text: string, context: ParseSourceContext): Source {
  const given = text.trim();
  if (given === "" || given.length > 2000) throw wrong(text, "it is empty or far too long");
  if (printable(given) !== given) throw wrong(text, "it has hidden or control characters");
  if (given.startsWith("-"))
    throw wrong(text, "it looks like an option", "A folder of that name: write ./ in front.");
  if (/^oci:\/\//i.test(given)) return ociSource(given);
  const local = localPath(given, context);
  if (local !== null) return local;
  if (/^https?:\/\//i.test(given)) return webSource(given, context.environment);
  const address = gitAddress(given);
  if (address !== null) return { kind: "git", ...address, path: null, tree: null };
  if (/^[a-z][a-z0-9+.-]*:/i.test(given)) {
    throw wrong(
      text,
      "addresses of this kind are not taken",
      "https, ssh and oci are; a local folder by its path.",
    );
  }
  const short = shorthand(given, context);
  if (short !== null) return short;
  throw wrong(
    text,
    "it is neither owner/repo, an address nor a path that exists",
    "A local folder begins with ./ or /.",
  );
}

function localPath(given: string, { environment, look, base }: ParseSourceContext): Source | null {
  const home = given === "~" || given.startsWith("~/") ? environment.home + given.slice(1) : null;
  const file = /^file:\/\//i.test(given) ? filePath(given) : null;
  const portable = toPortable(home ?? file ?? given);
  const explicit =
    home !== null || file !== null || /^\.{1,2}(?:\/|$)/.test(portable) || isAbsolute(portable);
  const path = resolve(base ?? environment.cwd, portable);
  const kind = explicit || archiveEnd.test(given) ? look(path) : "absent";
  if (kind === "absent") {
    if (!explicit) return null;
    throw new SkilletError("not-found", `There is nothing at ${printable(path)}.`, {
      hint: "Check the path; owner/repo without ./ in front means a repository on GitHub.",
    });
  }
  const named = { text: given, skill: null };
  if (kind === "bare") {
    return { kind: "git", ...named, url: `file://${path}`, ref: null, path: null, tree: null };
  }
  if (kind === "folder") return { kind: "folder", ...named, path };
  if (/\.md$/i.test(path)) return { kind: "file", ...named, url: null, path };
  return { kind: "archive", ...named, url: null, path };
}

function filePath(given: string): string {
  try {
    const url = new URL(given);
    if (url.host === "" && url.search === "" && url.hash === "") return decodeURIComponent(url.pathname);
  } catch {
    // Said below.
  }
  throw wrong(given, "it is no address of a local file");
}

function webSource(given: string, environment: Environment): Source {
  const url = webAddress(given);
  const hosted = hostedSource(url, given, githubOf(environment));
  if (hosted !== null) return hosted;
  const text = url.href.replace(/#.*$/, "");
  const path = url.pathname;
  if (/\.git\/?$/.test(path)) {
    const address = gitAddress(given);
    if (address !== null) return { kind: "git", ...address, path: null, tree: null };
  }
  if (archiveEnd.test(path)) return { kind: "archive", text, skill: null, url: text, path: null };
  if (/\.md$/i.test(path)) return { kind: "file", text, skill: null, url: text, path: null };
  const skill = url.hash === "" ? null : skillName(given, url.hash.slice(1));
  return { kind: "site", text, skill, url: text };
}

function webAddress(given: string): URL {
  // What an address parser would quietly put right is refused: people and programs would read it differently.
  if (!/^https?:\/\/[^/?#\\]/i.test(given) || /\/(?:\.|%2e){1,2}(?:[/?#]|$)/i.test(given)) {
    throw wrong(given, "it is no plain address");
  }
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    throw wrong(given, "it is no valid address");
  }
  if (url.username !== "" || url.password !== "") {
    throw new SkilletError("usage", `The address of ${url.host} has a user name or password in it.`, {
      hint: "Use a variable (GITHUB_TOKEN) or git's own credential helper; an address ends up in files and logs.",
    });
  }
  if (
    /(?:^|[?&_-])(?:token|secret|password|passwd|api_?key|auth|credential|sig|signature)(?:=|[_-])/i.test(
      url.search,
    )
  ) {
    throw new SkilletError("usage", `The address of ${url.host} has a secret in its query.`, {
      hint: "An address ends up in the lock. Download the file and add that.",
    });
  }
  return url;
}

/** `owner/repo`, with `/folder`, `#branch` and `@skill` in that order, each optional. */
function shorthand(given: string, { environment }: ParseSourceContext): Source | null {
  const parts = /^([\w-]+)\/([\w.-]+?)(?:\/([^#@]+?))?\/?(?:#([^@]+))?(?:@(.+))?$/.exec(given);
  if (parts === null) return null;
  const [, owner = "", repo = "", folder, ref, skill] = parts;
  if (/^[-.]/.test(owner) || repo.startsWith(".") || (ref !== undefined && !hasRefForm(ref))) return null;
  if (folder?.split("/").some((segment) => segment === ".." || segment === "." || segment === ""))
    return null;
  return {
    kind: "git",
    text: `${owner}/${repo.replace(/\.git$/, "")}${ref === undefined ? "" : `#${ref}`}`,
    skill: skill === undefined ? null : skillName(given, skill),
    url: `${githubOf(environment)}/${owner}/${repo.replace(/\.git$/, "")}.git`,
    ref: ref ?? null,
    path: folder ?? null,
    tree: null,
  };
}

/** Where `owner/repo` lies: GitHub, or a company's own one by `SKILLET_GITHUB_URL`. */
function githubOf(environment: Environment): string {
  const moved = variable(environment, "SKILLET_GITHUB_URL");
  if (moved === null) return "https://github.com";
  const url = webAddress(moved);
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

function skillName(given: string, name: string): string {
  if (!isSkillName(name)) throw wrong(given, `"${printable(name)}" is no name of a skill`);
  return name;
}

function ociSource(given: string): Source {
  const reference = given.slice("oci://".length);
  const form =
    /^[a-z0-9][a-z0-9.-]*(?::[0-9]{1,5})?(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)+(?::[\w][\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$/i;
  if (!form.test(reference)) {
    throw wrong(given, "a registry address looks like oci://HOST/NAME:TAG or oci://HOST/NAME@sha256:…");
  }
  return { kind: "oci", text: given, skill: null, reference };
}

function wrong(text: string, reason: string, hint?: string): SkilletError {
  const shown = printable(text.replace(/\/\/[^/@\s]*@/, "//***@")).slice(0, 200);
  return new SkilletError("usage", `"${shown}" is no source: ${reason}.`, hint === undefined ? {} : { hint });
}
