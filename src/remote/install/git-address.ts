import { SkilletError } from "../../core/error.ts";

export interface GitAddress {
  readonly text: string;
  readonly skill: null;
  readonly url: string;
  readonly ref: string | null;
}

/** A branch, tag or commit that git cannot take for anything else. */
export function hasRefForm(ref: string): boolean {
  return ref.length <= 250 && /^[\w][\w./+-]*$/.test(ref) && !/\.\.|\/\/|\/$|\.lock(?:\/|$)|\.$/.test(ref);
}

/**
 * An address for git: `ssh://host/path`, `git@host:path`, `https://host/path.git`, each with `git+` in front if wanted
 * and `#REF` behind. Null when it is none. Everything that would make git run a program (`ext::`, `--upload-pack`), or
 * that carries a password, is refused (row F07).
 */
export function gitAddress(given: string): GitAddress | null {
  const [bare = "", ref] = given.replace(/^git\+/i, "").split("#", 2);
  if (ref !== undefined && !hasRefForm(ref)) return null;
  const whole = { text: ref === undefined ? bare : `${bare}#${ref}`, skill: null, ref: ref ?? null };
  const scp = /^(?:([\w][\w.-]*)@)?([a-z0-9][a-z0-9.-]*):(?!\/\/)([\w~][\w./~+-]*)$/i.exec(bare);
  if (
    scp !== null &&
    (scp[1] !== undefined || bare.endsWith(".git")) &&
    !/(?:^|\/)\.\.(?:\/|$)/.test(scp[3] ?? "")
  ) {
    return { ...whole, url: bare };
  }
  if (!/^(?:ssh|https?):\/\//i.test(bare)) return null;
  let url: URL;
  try {
    url = new URL(bare);
  } catch {
    return null;
  }
  const user = url.protocol === "ssh:" ? /^[\w.-]*$/ : /^$/;
  if (url.password !== "" || !user.test(url.username) || url.username.startsWith("-")) {
    throw new SkilletError("usage", `The address of ${url.host} has a user name or password in it.`, {
      hint: "Use a variable (GITHUB_TOKEN) or git's own credential helper; an address ends up in files and logs.",
    });
  }
  const safe = /^[a-z0-9][a-z0-9.-]*$/i.test(url.hostname) || /^\[[0-9a-f:.]+\]$/i.test(url.hostname);
  if (!safe || url.search !== "" || url.pathname.length < 2) return null;
  return { ...whole, url: bare };
}
