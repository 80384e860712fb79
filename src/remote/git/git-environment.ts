import { type Environment, variable } from "../../core/environment.ts";

/** Variables of the user's that git needs to find its way; everything else, above all `GIT_*`, stays out. */
const kept = [
  "PATH HOME USER LOGNAME USERPROFILE HOMEDRIVE HOMEPATH SYSTEMROOT WINDIR TEMP TMP TMPDIR APPDATA LOCALAPPDATA",
  "PATHEXT COMSPEC PROGRAMFILES PROGRAMDATA XDG_CONFIG_HOME XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS",
  "http_proxy https_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY",
  "SSL_CERT_FILE SSL_CERT_DIR GIT_SSL_CAINFO GIT_SSL_CAPATH SSH_AUTH_SOCK SSH_AGENT_PID GIT_SSH GIT_SSH_COMMAND GIT_CONFIG_GLOBAL",
].flatMap((names) => names.split(" "));

export interface GitAccess {
  /** How the address may be reached: `https:ssh`, and more where the address itself says so. */
  readonly protocols: string;
  /** Sent to this origin only, never on a command line. */
  readonly token: { readonly origin: string; readonly value: string } | null;
}

/** What may be spoken with `url`: https and ssh; http only on this machine; a local repository only when it was named. */
export function gitAccess(url: string, environment: Environment, plainHttp = false): GitAccess {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const loopback = parsed !== null && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(parsed.hostname);
  const extra =
    parsed?.protocol === "file:"
      ? ":file"
      : parsed?.protocol === "http:" && (loopback || plainHttp)
        ? ":http"
        : "";
  return { protocols: `https:ssh${extra}`, token: tokenFor(parsed, environment) };
}

/** A token counts for GitHub alone, or for the host that `SKILLET_GITHUB_URL` names. */
function tokenFor(url: URL | null, environment: Environment): GitAccess["token"] {
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const own = variable(environment, "SKILLET_GITHUB_URL");
  const github = own !== null && URL.canParse(own) ? new URL(own).origin : "https://github.com";
  if (url.origin !== github) return null;
  for (const name of ["SKILLET_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"]) {
    const value = variable(environment, name);
    if (value !== null && /^[\w.~+/=-]+$/.test(value)) return { origin: url.origin, value };
  }
  return null;
}

/**
 * The environment git runs in: no prompts, no hooks, no programs named by a repository, and nothing of the folder that
 * Skillet was started in (row H04). The user's own git configuration counts, for credential helpers and proxies.
 */
export function gitEnvironment(
  environment: Environment,
  access: GitAccess,
): Readonly<Record<string, string>> {
  const result: Record<string, string> = {};
  for (const name of kept) {
    const value = environment.variables[name];
    if (value !== undefined && value !== "") result[name] = value;
  }
  Object.assign(result, {
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
    SSH_ASKPASS_REQUIRE: "never",
    GCM_INTERACTIVE: "never",
    GIT_ALLOW_PROTOCOL: access.protocols,
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_ATTR_NOSYSTEM: "1",
  });
  // The variable that other programs have for it; git has one of its own.
  const certificates = variable(environment, "SSL_CERT_FILE");
  if (certificates !== null) result.GIT_SSL_CAINFO ??= certificates;
  result.GIT_SSH_COMMAND ??= "ssh -oBatchMode=yes";
  if (access.token !== null) {
    const basic = Buffer.from(`x-access-token:${access.token.value}`).toString("base64");
    result.GIT_CONFIG_COUNT = "1";
    result.GIT_CONFIG_KEY_0 = `http.${access.token.origin}/.extraHeader`;
    result.GIT_CONFIG_VALUE_0 = `Authorization: Basic ${basic}`;
  }
  return result;
}
