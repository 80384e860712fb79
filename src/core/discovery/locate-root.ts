import type { Decision } from "../decision.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { makeDiagnostic } from "../diagnostics/make.ts";
import type { DiagnosticCode } from "../diagnostics/table.ts";
import type { FileSystem } from "../file-system.ts";
import { contains } from "../path.ts";
import type { ScanCodes } from "../profile.ts";
import type { Root } from "./root.ts";

/** A root with the place that it really is. */
export interface RealRoot {
  readonly root: Root;
  /** Null with a decision when it cannot be searched. */
  readonly real: string | null;
  readonly decision: Decision | null;
  readonly diagnostic: Diagnostic | null;
}

/** The real path, or the path itself where there is none. */
export function realPathOr(fileSystem: FileSystem, path: string): string {
  const resolved = fileSystem.realPath(path);
  return resolved.kind === "path" ? resolved.path : path;
}

/** Resolves the root's own links by its rule before anything in it is read. */
export function locateRoot(root: Root, fileSystem: FileSystem, codes: ScanCodes | undefined): RealRoot {
  const here = fileSystem.status(root.path, { follow: false }).kind;
  // Most roots of a plan don't exist, and a look costs a fraction of a path that cannot be resolved.
  if (here === "absent") return absentRoot(root, "ENOENT", { dangling: false, codes });
  const isLink = here === "link";
  const resolved = fileSystem.realPath(root.path);
  if (resolved.kind === "failure") return absentRoot(root, resolved.code, { dangling: isLink, codes });
  const { path: real } = resolved;
  const boundary = root.boundary === null ? null : realPathOr(fileSystem, root.boundary);
  const outside = boundary !== null && !contains(boundary, real);
  if (root.scan.links.root === "never" ? isLink : root.scan.links.root === "inside-boundary" && outside) {
    const message = `This folder is a link to ${real}, outside ${boundary ?? "its place"}; it is not searched.`;
    return {
      root,
      real: null,
      decision: { stage: "root", outcome: "off", reason: "link-outside", path: root.path, message },
      diagnostic: makeDiagnostic("discovery/link-outside", {
        path: root.path,
        message,
        hint: "Name its real folder in `skills.paths` of your own configuration, or trust that folder",
      }),
    };
  }
  const status = fileSystem.status(real, { follow: false });
  if (status.kind !== "directory") {
    const message =
      status.kind === "file"
        ? "This is a file, not a folder of skills."
        : `This cannot be searched (${status.kind}).`;
    return {
      root,
      real: null,
      decision: { stage: "root", outcome: "missing", reason: "not-a-folder", path: root.path, message },
      diagnostic: makeDiagnostic("discovery/not-a-folder", {
        path: root.path,
        message,
        hint: "Name the folder that holds the skill folders",
      }),
    };
  }
  return { root, real, decision: null, diagnostic: null };
}

function absentRoot(
  root: Root,
  code: string,
  { dangling, codes }: { readonly dangling: boolean; readonly codes: ScanCodes | undefined },
): RealRoot {
  const profileCode = codes?.rootUnreadable ?? null;
  if ((code === "ENOENT" || code === "ENOTDIR") && !dangling) {
    const message = "No such folder.";
    return {
      root,
      real: null,
      decision: { stage: "root", outcome: "missing", reason: "absent", path: root.path, message },
      diagnostic: root.expected
        ? makeDiagnostic("discovery/missing-root", {
            path: root.path,
            message: "A configured skills folder does not exist.",
            hint: "Create it, or correct `skills.paths`",
          })
        : profileCode === null
          ? null
          : makeDiagnostic("discovery/missing-root", {
              path: root.path,
              message: "No such folder; the mirrored agent says so of every one that it looks for.",
              severity: "info",
              profileCode,
              hint: "Nothing to do",
            }),
    };
  }
  const { reason, code: finding, message, hint } = dangling ? brokenRoot(code) : unreadableRoot(code);
  return {
    root,
    real: null,
    decision: { stage: "root", outcome: "missing", reason, path: root.path, message },
    diagnostic: makeDiagnostic(finding, { path: root.path, message, hint }),
  };
}

interface RootProblem {
  readonly reason: string;
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly hint: string;
}

function brokenRoot(code: string): RootProblem {
  return code === "ELOOP"
    ? {
        reason: "link-loop",
        code: "discovery/link-loop",
        message: "This link leads back to itself.",
        hint: "Remove the link",
      }
    : {
        reason: "link-broken",
        code: "discovery/link-broken",
        message: "This link points to nothing.",
        hint: "Remove the link or restore what it points to",
      };
}

function unreadableRoot(code: string): RootProblem {
  const message = `The folder cannot be read (${code}).`;
  return {
    reason: "unreadable",
    code: "discovery/unreadable-folder",
    message,
    hint: "Check its permissions",
  };
}
