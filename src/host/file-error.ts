import { SkilletError, type SkilletErrorCode } from "../core/error.ts";
import { toPortable } from "./native-path.ts";

const reasons: Readonly<Record<string, readonly [reason: string, code: SkilletErrorCode]>> = {
  ENOSPC: ["the disk is full", "failed"],
  EDQUOT: ["your share of the disk is used up", "failed"],
  EFBIG: ["the file would be larger than allowed here", "failed"],
  EMFILE: ["too many files are open", "failed"],
  ENOENT: ["there is nothing at that place", "failed"],
  EIO: ["the disk reports an error", "failed"],
  EBUSY: ["another program uses the file", "failed"],
  EROFS: ["the disk can only be read", "environment"],
  EACCES: ["you have no permission", "environment"],
  EPERM: ["you have no permission", "environment"],
  ENOTDIR: ["a folder was expected on the way, but there is a file", "environment"],
  EEXIST: ["something else is in its place", "environment"],
  EISDIR: ["there is a folder in its place", "environment"],
  ELOOP: ["the links on the way lead in a circle", "environment"],
  ENAMETOOLONG: ["the path is too long", "environment"],
};

/**
 * An error of the file system as one for people: what was tried, where, and why it did not work (rows G15, G17, J11).
 * `action` completes "Cannot …": `store the state`.
 */
export function fileError(
  cause: unknown,
  details: { readonly action: string; readonly path: string; readonly hint?: string | undefined },
): SkilletError {
  if (cause instanceof SkilletError) return cause;
  const system = systemCode(cause);
  const [reason, code] = reasons[system] ?? ["the system refuses", "failed"];
  const message = `Cannot ${details.action}: ${reason} (${system}): ${toPortable(details.path)}`;
  return new SkilletError(
    code,
    message,
    details.hint === undefined ? { cause } : { cause, hint: details.hint },
  );
}

/** The system's code of an error (`ENOSPC`), "unknown error" when it has none. */
export function systemCode(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "unknown error";
}
