import { SkilletError } from "../../core/error.ts";

/** One artifact of a registry. */
export interface OciReference {
  /** `https://ghcr.io`; http only for this machine. */
  readonly origin: string;
  readonly host: string;
  readonly name: string;
  readonly tag: string | null;
  readonly digest: string | null;
}

/** Reads `HOST[:PORT]/NAME[:TAG][@sha256:…]`. Throws `SkilletError` "usage". */
export function parseReference(text: string): OciReference {
  const parts =
    /^([a-z0-9][a-z0-9.-]*(?::[0-9]{1,5})?)\/([a-z0-9]+(?:(?:[._]|__|-+|\/)[a-z0-9]+)*)(?::([\w][\w.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$/i.exec(
      text,
    );
  const [, host = "", name = "", tag = null, digest = null] = parts ?? [];
  if (parts === null || name !== name.toLowerCase()) {
    throw new SkilletError("usage", `oci://${text.slice(0, 200)} is no address of a registry.`, {
      hint: "Write oci://HOST/NAME:TAG, the name in small letters.",
    });
  }
  const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+)(?::|$)/i.test(host);
  const real = host.toLowerCase() === "docker.io" ? "registry-1.docker.io" : host.toLowerCase();
  return { origin: `${loopback ? "http" : "https"}://${real}`, host: host.toLowerCase(), name, tag, digest };
}
