import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import type { Policy } from "../../core/policy/policy.ts";
import type { SkillFile } from "../digest/skill-file.ts";
import { treeDigest } from "../digest/tree-digest.ts";

/** A detached Ed25519 signature over the text of a tree digest. */
export interface Signature {
  /** `ed25519:` and the base64 of the public key's 32 bytes. */
  readonly key: string;
  /** Base64 of 64 bytes. */
  readonly signature: string;
}

/** File in a skill's folder that holds its signatures; it is not part of what is signed. */
export const signatureFile = "SIGNATURE.json";

/** What DER puts before the 32 bytes of an Ed25519 public key. */
const prefix = Buffer.from("302a300506032b6570032100", "hex");

/** The digest that a signature of these files is made over: the tree digest without the file of signatures. */
export function signedDigest(files: readonly SkillFile[]): string {
  return treeDigest(files.filter(({ path }) => path !== signatureFile));
}

/** True when the signature fits the digest. False for anything malformed. */
export function verifySignature(digest: string, { key, signature }: Signature): boolean {
  const publicKey = publicKeyOf(key);
  if (publicKey === null || !/^[A-Za-z0-9+/]{86}==$/.test(signature)) return false;
  return verify(null, Buffer.from(digest, "utf8"), publicKey, Buffer.from(signature, "base64"));
}

/** Signs a digest with a private key (PEM). Throws when it is no Ed25519 key. */
export function signDigest(digest: string, pem: string): Signature {
  const privateKey = createPrivateKey(pem);
  if (privateKey.asymmetricKeyType !== "ed25519") throw new TypeError("The key is no Ed25519 key.");
  const der = createPublicKey(privateKey).export({ format: "der", type: "spki" });
  return {
    key: `ed25519:${der.subarray(prefix.length).toString("base64")}`,
    signature: sign(null, Buffer.from(digest, "utf8"), privateKey).toString("base64"),
  };
}

/** The first publisher of the policy of whom a signature fits, of those handed over and those in the folder; or null. */
export function publisherOf(
  policy: Pick<Policy, "publishers">,
  files: readonly SkillFile[],
  signatures: readonly Signature[],
): { readonly name: string; readonly key: string } | null {
  if (policy.publishers.length === 0) return null;
  const all = [...signatures, ...signaturesIn(files)].slice(0, 32);
  if (all.length === 0) return null;
  const digest = signedDigest(files);
  for (const { name, keys } of policy.publishers)
    for (const one of all)
      if (keys.includes(one.key) && verifySignature(digest, one)) return { name, key: one.key };
  return null;
}

/** `{"signatures": [{"key", "signature"}]}` of the folder's own file. */
function signaturesIn(files: readonly SkillFile[]): readonly Signature[] {
  const file = files.find(({ path }) => path === signatureFile);
  if (file === undefined || file.bytes.length > 65_536) return [];
  try {
    const value = JSON.parse(Buffer.from(file.bytes).toString("utf8")) as { signatures?: unknown };
    if (!Array.isArray(value.signatures)) return [];
    return value.signatures.flatMap((one: { key?: unknown; signature?: unknown } | null) =>
      typeof one?.key === "string" && typeof one.signature === "string"
        ? [{ key: one.key, signature: one.signature }]
        : [],
    );
  } catch {
    return [];
  }
}

function publicKeyOf(key: string): KeyObject | null {
  const bytes = /^ed25519:([A-Za-z0-9+/]{43}=)$/.exec(key)?.[1];
  if (bytes === undefined) return null;
  try {
    const der = Buffer.concat([prefix, Buffer.from(bytes, "base64")]);
    return createPublicKey({ key: der, format: "der", type: "spki" });
  } catch {
    return null;
  }
}
