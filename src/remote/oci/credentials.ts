import { type Environment, variable } from "../../core/environment.ts";
import { toNative } from "../../host/native-path.ts";
import { readRegular } from "../install/read-folder.ts";

/**
 * `user:password` for a registry: `SKILLET_REGISTRY_AUTH` (`HOST=USER:PASSWORD`, several separated by blanks), else what
 * `docker login` and `oras login` wrote into the home folder. Never from a project. Null = anonymous.
 */
export function registryCredentials(host: string, environment: Environment): string | null {
  for (const entry of (variable(environment, "SKILLET_REGISTRY_AUTH") ?? "").split(/\s+/)) {
    if (entry.startsWith(`${host}=`)) return entry.slice(host.length + 1);
  }
  const folder = variable(environment, "DOCKER_CONFIG") ?? `${environment.home}/.docker`;
  try {
    const read = readRegular(toNative(`${folder}/config.json`), 1024 * 1024);
    if (typeof read === "string") return null;
    const value = JSON.parse(Buffer.from(read.bytes).toString("utf8")) as {
      auths?: Record<string, { auth?: unknown }>;
    };
    const names = host === "docker.io" ? ["https://index.docker.io/v1/", host] : [host, `https://${host}`];
    for (const name of names) {
      const auth = Object.hasOwn(value.auths ?? {}, name) ? value.auths?.[name]?.auth : undefined;
      if (typeof auth === "string" && auth !== "") return Buffer.from(auth, "base64").toString("utf8");
    }
  } catch {
    // No such file, or none that we understand: anonymous.
  }
  return null;
}
