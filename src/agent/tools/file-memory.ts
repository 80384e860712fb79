import { createHash } from "node:crypto";

/** Which content of which file the model has seen, so that it cannot overwrite what it does not know. */
export interface FileMemory {
  seen(path: string, content: string | Uint8Array): void;
  /** "unseen": never read here; "changed": other content than was read. */
  compare(path: string, content: string | Uint8Array): "known" | "unseen" | "changed";
}

export function createFileMemory(): FileMemory {
  const digests = new Map<string, string>();
  const digest = (content: string | Uint8Array): string =>
    createHash("sha256").update(content).digest("base64");
  return {
    seen: (path, content) => void digests.set(path, digest(content)),
    compare(path, content) {
      const known = digests.get(path);
      if (known === undefined) return "unseen";
      return known === digest(content) ? "known" : "changed";
    },
  };
}
