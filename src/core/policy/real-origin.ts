import type { FileSystem } from "../file-system.ts";
import { basename, dirname, isAbsolute, join, normalize } from "../path.ts";
import { originOf, originRule } from "./origin.ts";
import type { Policy } from "./policy.ts";

/**
 * Where an address really leads: of a path on this machine (also as `file:`) the real path of what exists, everything
 * else as it is. A link below an allowed path is thereby judged by where it leads.
 */
export function realOrigin(address: string, fileSystem: FileSystem): string {
  const origin = originOf(address);
  if (origin?.scheme !== "file") return address;
  const path = origin.path.replace(/^\/(?=[A-Za-z]:\/)/, "");
  return isAbsolute(path) ? realOf(path, fileSystem) : address;
}

/** The policy with the paths in `origins` resolved likewise, so that real paths are compared with real paths. */
export function realPolicy(policy: Policy, fileSystem: FileSystem): Policy {
  if (policy.origins === null) return policy;
  const origins = policy.origins.map((rule) => {
    const path = rule.text.trim().replaceAll("\\", "/");
    const matches = isAbsolute(path) ? originRule(realOf(path, fileSystem)) : null;
    return matches === null ? rule : { ...rule, matches };
  });
  return { ...policy, origins };
}

function realOf(path: string, fileSystem: FileSystem): string {
  const real = fileSystem.realPath(path);
  if (real.kind === "path") return real.path;
  const plain = normalize(path);
  const parent = dirname(plain);
  return parent === plain ? plain : join(realOf(parent, fileSystem), basename(plain));
}
