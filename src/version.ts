import { readFileSync } from "node:fs";

declare const __SKILLET_VERSION__: string | undefined;

/** This package's version. The build writes it in; from source it is read out of package.json. */
export const version: string =
  typeof __SKILLET_VERSION__ === "string" ? __SKILLET_VERSION__ : versionFromPackage();

function versionFromPackage(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  if (typeof manifest === "object" && manifest !== null && "version" in manifest)
    return String(manifest.version);
  return "0.0.0";
}
