import type { Environment } from "../../core/environment.ts";
import { writeTarGz } from "../archive/write-archive.ts";
import type { HttpClient } from "../http/http-types.ts";
import { rawDigest } from "../install/fetch-web.ts";
import type { FetchedSkill } from "../install/fetched-skill.ts";
import { emptyConfig, mediaTypes, writeManifest } from "./manifest.ts";
import { type OciReference, parseReference } from "./reference.ts";
import { ociError, type RegistryClient, registryClient } from "./registry-client.ts";

export interface PushOptions {
  readonly client: HttpClient;
  readonly environment: Environment;
  readonly signal?: AbortSignal | undefined;
  /** Only tell what would be pushed. */
  readonly dryRun: boolean;
}

export interface Pushed {
  readonly reference: string;
  /** Digest of the manifest: what others pin. */
  readonly digest: string;
  readonly tree: string;
  readonly bytes: number;
}

/**
 * Pushes one skill as an artifact that any registry keeps: packed files, an empty config, a manifest. Equal skills have
 * equal digests. Throws `SkilletError` when the registry refuses.
 */
export async function pushOci(text: string, skill: FetchedSkill, options: PushOptions): Promise<Pushed> {
  const reference = parseReference(text);
  if (reference.digest !== null) throw ociError(reference, "a push is to a tag, not to a digest");
  const layer = await writeTarGz(skill.files);
  const manifest = new TextEncoder().encode(
    writeManifest({
      name: skill.name,
      description: skill.description,
      tree: skill.digest,
      layer: { digest: rawDigest(layer), size: layer.length },
      config: { digest: rawDigest(emptyConfig), size: emptyConfig.length },
    }),
  );
  const tag = reference.tag ?? "latest";
  const digest = rawDigest(manifest);
  if (!options.dryRun) {
    const registry = registryClient(reference, options);
    await pushBlob(registry, reference, layer);
    await pushBlob(registry, reference, emptyConfig);
    await registry.request({
      method: "PUT",
      path: `manifests/${tag}`,
      type: mediaTypes.manifest,
      body: manifest,
    });
  }
  return {
    reference: `oci://${reference.host}/${reference.name}:${tag}`,
    digest,
    tree: skill.digest,
    bytes: layer.length,
  };
}

async function pushBlob(registry: RegistryClient, reference: OciReference, bytes: Uint8Array): Promise<void> {
  const digest = rawDigest(bytes);
  const there = await registry.request({ method: "HEAD", path: `blobs/${digest}`, statuses: [404] });
  if (there.status !== 404) return;
  const begun = await registry.request({ method: "POST", path: "blobs/uploads/" });
  const place = begun.headers.get("location");
  if (place === undefined) throw ociError(reference, "the registry names no place for the upload");
  const url = new URL(place, `${reference.origin}/v2/${reference.name}/`);
  url.searchParams.set("digest", digest);
  await registry.request({ method: "PUT", path: url.href, type: "application/octet-stream", body: bytes });
}
