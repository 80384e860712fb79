import { readFileSync } from "node:fs";
import { rootCertificates } from "node:tls";
import { type Environment, variable } from "../../core/environment.ts";
import { toNative } from "../../host/native-path.ts";
import { type ProxyRules, proxyRules } from "./proxy-rules.ts";

/** What the environment says of the way to the network. Never from a project's files (rows E24, H04). */
export interface NetworkSettings {
  readonly proxy: ProxyRules;
  /** Certificates to trust in place of Node's own list; null = that list. */
  readonly certificates: readonly string[] | null;
  /** Why a certificate file cannot be used; nothing is fetched over https then. */
  readonly broken: string | null;
}

const certificateVariables = ["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"];
const largestFile = 16 * 1_048_576;

/** Reads proxy and certificate variables of the user's environment. */
export function networkSettings(environment: Environment): NetworkSettings {
  const files = certificateVariables.flatMap((name) => {
    const path = variable(environment, name);
    return path === null ? [] : [{ name, path }];
  });
  const extra: string[] = [];
  let broken: string | null = null;
  for (const { name, path } of files) {
    try {
      const text = readFileSync(toNative(path), "utf8");
      if (text.length > largestFile || !text.includes("-----BEGIN CERTIFICATE-----"))
        broken = `the file that ${name} names holds no certificate`;
      else extra.push(text);
    } catch {
      broken = `the certificate file that ${name} names cannot be read`;
    }
  }
  return {
    proxy: proxyRules(environment),
    certificates: extra.length === 0 ? null : [...rootCertificates, ...extra],
    broken,
  };
}
