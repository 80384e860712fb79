import type { Environment } from "../../core/environment.ts";
import { printable } from "../../core/text/printable.ts";
import { extractArchive } from "../archive/extract-archive.ts";
import type { ArchiveLimits } from "../archive/limits.ts";
import type { HttpClient } from "../http/http-types.ts";
import type { Candidate } from "../install/candidate.ts";
import { rawDigest } from "../install/fetch-web.ts";
import type { Fetched } from "../install/fetched-skill.ts";
import { judgeAll } from "../install/judge-all.ts";
import { inside, skillFolders } from "../install/skill-folders.ts";
import type { OciSource } from "../install/source.ts";
import { mediaTypes, parseManifest } from "./manifest.ts";
import { parseReference } from "./reference.ts";
import { ociError, registryClient } from "./registry-client.ts";

export interface FetchOciOptions {
  readonly client: HttpClient;
  readonly environment: Environment;
  readonly limits: ArchiveLimits;
  readonly signal?: AbortSignal | undefined;
  /** Digest of the manifest that a lock holds. */
  readonly revision: string | null;
}

/** The skills of an artifact in a registry; every byte is proven by the manifest, and that by its digest where one is known. */
export async function fetchOci(source: OciSource, options: FetchOciOptions): Promise<Fetched> {
  const reference = parseReference(source.reference);
  const registry = registryClient(reference, options);
  const wanted = options.revision ?? reference.digest;
  const manifest = await registry.request({
    path: `manifests/${wanted ?? reference.tag ?? "latest"}`,
    accept: `${mediaTypes.manifest}, application/vnd.docker.distribution.manifest.v2+json`,
    most: 4 * 1024 * 1024,
  });
  const digest = rawDigest(manifest.bytes);
  if (wanted !== null && digest !== wanted)
    throw ociError(reference, `the manifest has the digest ${digest}, not ${wanted}`);
  const layers = parseManifest(Buffer.from(manifest.bytes).toString("utf8"));
  if (layers === null) throw ociError(reference, "this is no artifact with one manifest");
  const label = printable(source.text);
  const { limits } = options;
  const candidates: Candidate[] = [];
  const diagnostics: Fetched["diagnostics"][number][] = [];
  for (const layer of layers) {
    if (layer.size > limits.packedBytes)
      throw ociError(reference, `a layer has ${layer.size} bytes, more than allowed`);
    const { bytes } = await registry.request({ path: `blobs/${layer.digest}`, most: layer.size });
    if (bytes.length !== layer.size || rawDigest(bytes) !== layer.digest) {
      throw ociError(reference, "a layer is not what its digest says");
    }
    const archive = extractArchive(bytes, { ...limits, label });
    diagnostics.push(...archive.diagnostics);
    for (const folder of skillFolders(archive.files.map(({ path }) => path)).outer) {
      const own = <T extends { readonly path: string }>(entries: readonly T[]): readonly T[] =>
        entries.flatMap((entry) => {
          const path = inside(folder, entry.path);
          return path === null ? [] : [{ ...entry, path }];
        });
      const name = folder.split("/").at(-1) || (reference.name.split("/").at(-1) ?? "");
      candidates.push({ folder, folderName: name, files: own(archive.files), links: own(archive.links) });
    }
  }
  const judged = judgeAll(candidates, { label, limits, links: "refuse", wanted: source.skill });
  return {
    ...{
      kind: "oci",
      source: source.text,
      url: `oci://${reference.host}/${reference.name}`,
      ref: reference.tag,
      revision: digest,
    },
    skills: judged.skills,
    diagnostics: [...diagnostics, ...judged.diagnostics],
  };
}
