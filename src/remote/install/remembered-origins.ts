import type { Environment } from "../../core/environment.ts";
import { stateFolder } from "../../core/places.ts";
import { writeFileAtomic } from "../../host/atomic-write.ts";
import { toNative } from "../../host/native-path.ts";
import { readRegular } from "./read-folder.ts";

/** More would be no memory of a person's own choices any more. */
const most = 200;

/**
 * Origins that the user named on a command line of this machine and installed from. They count as the user's own later
 * too, when a project's lock speaks of them; a lock alone grants nothing.
 */
export function rememberedOrigins(environment: Environment): readonly string[] {
  try {
    const read = readRegular(toNative(fileOf(environment)), 64 * 1024);
    if (typeof read === "string") return [];
    const value: unknown = JSON.parse(Buffer.from(read.bytes).toString("utf8"));
    return Array.isArray(value)
      ? value.filter((one): one is string => typeof one === "string").slice(0, most)
      : [];
  } catch {
    return [];
  }
}

/** Adds the origins of addresses to those remembered; what is no web address is passed over. */
export function rememberOrigins(addresses: readonly string[], environment: Environment): void {
  const known = rememberedOrigins(environment);
  const origins = addresses.flatMap((address) => {
    const plain = address
      .replace(/^oci:\/\/(?=(localhost|127\.))/, "http://")
      .replace(/^oci:\/\//, "https://");
    return /^https?:/.test(plain) && URL.canParse(plain) ? [new URL(plain).origin] : [];
  });
  const all = [...new Set([...known, ...origins])].sort();
  if (all.length === known.length || all.length > most) return;
  writeFileAtomic(fileOf(environment), `${JSON.stringify(all, null, 2)}\n`, {
    action: "remember the source",
    mode: 0o600,
    folderMode: 0o700,
  });
}

function fileOf(environment: Environment): string {
  return `${stateFolder(environment)}/install-origins.json`;
}
