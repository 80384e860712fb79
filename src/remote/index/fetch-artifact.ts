import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import { printable } from "../../core/text/printable.ts";
import { extractArchive } from "../archive/extract-archive.ts";
import { archiveLimits } from "../archive/limits.ts";
import type { SkillFile } from "../digest/skill-file.ts";
import { showAddress } from "../http/show-address.ts";
import { inside, skillFolders } from "../install/skill-folders.ts";
import { withSkillFile } from "../install/with-skill-file.ts";
import { bytesDigest, isPage, notASkill, ofEntry } from "./entry-findings.ts";
import type { FetchEntryOptions, FetchedEntry } from "./fetch-entry.ts";
import type { ArtifactEntry } from "./index-types.ts";

/** Fetches an artifact, compares its digest and takes the skill out of it. */
export async function fetchArtifact(entry: ArtifactEntry, options: FetchEntryOptions): Promise<FetchedEntry> {
  const { client, limits } = options;
  const url = new URL(entry.url);
  const shown = showAddress(url);
  const own = url.origin === new URL(options.index).origin;
  if (!own && !options.mayLeave(url)) {
    const message = `${entry.name}: its address ${shown} is on another server than the index.`;
    return failed(
      makeDiagnostic("remote/entry", {
        path: shown,
        message,
        hint: "If it is meant, name that server in `policy.redirects` of your own settings",
      }),
    );
  }
  const packed = entry.kind === "archive";
  const answer = await client.fetch({
    url: entry.url,
    limits: { bytes: packed ? limits.archiveBytes : limits.fileBytes },
    refuseTypes: ["text/html", "application/xhtml+xml"],
    ...(own && options.headers !== undefined ? { headers: options.headers } : {}),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  if (answer.kind === "failed") return failed(ofEntry(entry.name, answer.diagnostic));
  if (answer.kind === "unchanged") return failed(notASkill(entry.name, entry.url, "nothing came"));
  const { bytes } = answer;
  const digest = bytesDigest(bytes);
  if (digest !== entry.digest) {
    const message = `${entry.name}: the digest differs from the index: ${digest} came, ${entry.digest} was stated.`;
    return failed(makeDiagnostic("remote/digest", { path: shown, message }));
  }
  if (!packed) {
    if (isPage(bytes))
      return failed(notASkill(entry.name, entry.url, "a web page stands where SKILL.md should be"));
    return whole([{ path: "SKILL.md", bytes, executable: false }], []);
  }
  return unpackSkill(bytes, { name: entry.name, label: shown, options });
}

/** The one skill of an archive: the shallowest SKILL.md is its root (case r-archive-shapes). */
export function unpackSkill(
  bytes: Uint8Array,
  at: { readonly name: string; readonly label: string; readonly options: Pick<FetchEntryOptions, "limits"> },
): FetchedEntry {
  const { limits } = at.options;
  const { files, links, diagnostics } = extractArchive(bytes, {
    packedBytes: limits.archiveBytes,
    bytes: Math.max(limits.skillBytes, 1),
    entries: Math.max(archiveLimits.entries, limits.files),
    label: at.label,
  });
  const fatal = diagnostics.find(({ severity }) => severity === "error");
  if (fatal !== undefined) return failed(ofEntry(at.name, fatal));
  const { outer } = skillFolders(files.map(({ path }) => path));
  const named = outer.filter((folder) => folder === at.name || folder.endsWith(`/${at.name}`));
  const folder = outer.length === 1 ? outer[0] : named.length === 1 ? named[0] : undefined;
  if (folder === undefined) {
    const why =
      outer.length === 0 ? "there is no SKILL.md in the archive" : "the archive holds several skills";
    return failed(notASkill(at.name, at.label, why));
  }
  const link = links.find(({ path }) => inside(folder, path) !== null);
  if (link !== undefined) {
    const message = `${at.name}: the archive has a link in the skill: ${printable(link.path.slice(0, 200))}.`;
    return failed(makeDiagnostic("archive/link", { path: at.label, message }));
  }
  const own = files.flatMap((file): readonly SkillFile[] => {
    const path = inside(folder, file.path);
    return path === null || path === "" ? [] : [{ ...file, path }];
  });
  return whole(withSkillFile(own).files, diagnostics);
}

function whole(files: readonly SkillFile[], diagnostics: readonly Diagnostic[]): FetchedEntry {
  return { kind: "files", files, etags: new Map(), diagnostics };
}

function failed(diagnostic: Diagnostic): FetchedEntry {
  return { kind: "failed", diagnostics: [diagnostic] };
}
