/** Media types that we write. */
export const mediaTypes = {
  manifest: "application/vnd.oci.image.manifest.v1+json",
  artifact: "application/vnd.skillet.skill.v1",
  empty: "application/vnd.oci.empty.v1+json",
  layer: "application/vnd.oci.image.layer.v1.tar+gzip",
} as const;

export interface OciLayer {
  readonly digest: string;
  readonly size: number;
  readonly mediaType: string;
}

/** Bytes of the smallest config that the rules allow. */
export const emptyConfig = new TextEncoder().encode("{}");

/** Layers of an image manifest, or null when it is none (an index of several platforms has no layers of its own). */
export function parseManifest(text: string): readonly OciLayer[] | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const layers = typeof value === "object" && value !== null && "layers" in value ? value.layers : null;
  if (!Array.isArray(layers) || layers.length === 0 || layers.length > 64) return null;
  const found = layers.flatMap((layer: unknown): readonly OciLayer[] => {
    if (typeof layer !== "object" || layer === null) return [];
    const { digest, size, mediaType } = layer as Readonly<Record<string, unknown>>;
    const whole =
      typeof digest === "string" && /^sha256:[0-9a-f]{64}$/.test(digest) && Number.isSafeInteger(size);
    return whole ? [{ digest, size: size as number, mediaType: String(mediaType ?? "") }] : [];
  });
  return found.length === layers.length ? found : null;
}

/** The manifest of one packed skill: equal content gives equal bytes, so that its digest can be pinned. */
export function writeManifest(skill: {
  readonly name: string;
  readonly description: string | null;
  readonly tree: string;
  readonly layer: { readonly digest: string; readonly size: number };
  readonly config: { readonly digest: string; readonly size: number };
}): string {
  return JSON.stringify({
    schemaVersion: 2,
    mediaType: mediaTypes.manifest,
    artifactType: mediaTypes.artifact,
    config: { mediaType: mediaTypes.empty, ...skill.config },
    layers: [
      {
        mediaType: mediaTypes.layer,
        ...skill.layer,
        annotations: { "org.opencontainers.image.title": `${skill.name}.tar.gz` },
      },
    ],
    annotations: {
      "org.opencontainers.image.title": skill.name,
      ...(skill.description === null ? {} : { "org.opencontainers.image.description": skill.description }),
      "dev.skillet.tree": skill.tree,
    },
  });
}
