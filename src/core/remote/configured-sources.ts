import { configuredFolder } from "../configuration/configured-folders.ts";
import type { Configuration } from "../configuration.ts";
import type { Diagnostic, Result } from "../diagnostic.ts";
import { makeDiagnostic } from "../diagnostics/make.ts";
import type { Environment } from "../environment.ts";
import { dirname } from "../path.ts";
import { printable } from "../text/printable.ts";
import { sourceKey } from "./pulled-record.ts";
import type { RemoteSource, SourceKind } from "./remote-source.ts";
import { sourceKind } from "./source-kind.ts";

const kinds: readonly string[] = ["index", "archive", "git", "folder", "file", "oci"] satisfies SourceKind[];

/**
 * The sources that skills are pulled from: those of the setting `sources` in their order, then `skills.urls`, each address
 * once. What cannot be read is a diagnostic and the others count (docs/remote.md).
 */
export function configuredSources(
  configuration: Configuration,
  environment: Environment,
): Result<readonly RemoteSource[]> {
  const diagnostics: Diagnostic[] = [];
  const path = configuration.origin.sources?.path ?? null;
  const found: RemoteSource[] = [];
  for (const [name, value] of Object.entries(configuration.sources)) {
    const source = readSource(name, value, {
      home: environment.home,
      folder: path === null ? environment.cwd : dirname(path),
    });
    if (typeof source !== "string") found.push(source);
    else
      diagnostics.push(
        makeDiagnostic("config/wrong-type", {
          path,
          message: `The source "${printable(name.slice(0, 60))}" is not used: ${source}.`,
          hint: "Write an address, or an object as docs/remote.md shows it",
        }),
      );
  }
  const { urls, projectUrls } = configuration.skills;
  for (const address of urls)
    found.push(
      plainSource(address, { namedBy: projectUrls.includes(address) ? "project" : "own", trusted: true }),
    );
  const seen = new Set<string>();
  const value = found.filter((source) => {
    const key = sourceKey(source);
    return !seen.has(key) && seen.add(key);
  });
  return { value, diagnostics };
}

/** A source of which only the address is known. */
export function plainSource(
  address: string,
  { namedBy, trusted }: Pick<RemoteSource, "namedBy" | "trusted">,
): RemoteSource {
  return {
    label: address,
    address,
    kind: sourceKind(address),
    namedBy,
    trusted,
    token: null,
    only: null,
    digest: null,
    ref: null,
    folder: null,
  };
}

function readSource(
  name: string,
  value: unknown,
  from: { readonly home: string; readonly folder: string },
): RemoteSource | string {
  const fields = typeof value === "string" ? { url: value } : value;
  if (!isFields(fields)) return "it is neither an address nor an object";
  const known = ["url", "path", "kind", "token", "skills", "digest", "ref", "folder"];
  const unknown = Object.keys(fields).find((key) => !known.includes(key));
  if (unknown !== undefined) return `there is no field "${printable(unknown.slice(0, 60))}"`;
  const text = (key: string): string | null => {
    const found = fields[key];
    return typeof found === "string" && found !== "" ? found : null;
  };
  for (const key of ["url", "path", "kind", "token", "digest", "ref", "folder"])
    if (fields[key] !== undefined && text(key) === null) return `\`${key}\` must be a text`;
  const written = text("url") ?? text("path");
  if (written === null) return "it has no `url`";
  const kind = text("kind");
  if (kind !== null && !kinds.includes(kind)) return `\`kind\` must be one of ${kinds.join(", ")}`;
  const token = text("token");
  if (token !== null && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(token))
    return "`token` must be the name of a variable, not the token itself";
  const digest = text("digest");
  if (digest !== null && !/^sha256:[0-9a-f]{64}$/.test(digest))
    return "`digest` must be sha256: and 64 hex digits";
  const only = fields.skills;
  if (only !== undefined && !(Array.isArray(only) && only.every((item) => typeof item === "string")))
    return "`skills` must be a list of names";
  const usual = (kind as SourceKind | null) ?? (text("path") !== null ? "folder" : sourceKind(written));
  const isPath =
    usual === "folder" ||
    /^(?:\.{0,2}[\\/]|~[\\/]|[A-Za-z]:[\\/])/.test(written) ||
    (usual !== "git" && !/^[a-z][a-z0-9+.-]+:|^[\w.-]+@/i.test(written));
  const address = isPath ? (configuredFolder(written.replace(/^file:\/\//, ""), from) ?? written) : written;
  return {
    label: name,
    address,
    kind: usual,
    namedBy: "own",
    trusted: true,
    token,
    only: (only as readonly string[] | undefined) ?? null,
    digest,
    ref: text("ref"),
    folder: text("folder"),
  };
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
