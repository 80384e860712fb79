import { comparePaths } from "../digest/compare-paths.ts";
import type { SkillFile } from "../digest/skill-file.ts";

/** The epoch: a packed skill says nothing of when it was packed. */
const noTime = new Date(0);

/**
 * Files as a tar.gz whose bytes depend on paths, contents and the right to execute alone: ordered, without owners and
 * times, packed by JavaScript and not by the system's zlib. `SKILL.md` lies at its top.
 */
export async function writeTarGz(files: Iterable<SkillFile>): Promise<Uint8Array> {
  const [{ packTar }, { gzipSync }] = await Promise.all([import("modern-tar"), import("fflate")]);
  const entries = Array.from(files)
    .sort((a, b) => comparePaths(a.path, b.path))
    .map(({ path, bytes, executable }) => ({
      header: {
        name: path,
        size: bytes.length,
        type: "file" as const,
        mode: executable ? 0o755 : 0o644,
        mtime: noTime,
        uid: 0,
        gid: 0,
        uname: "",
        gname: "",
      },
      body: bytes,
    }));
  return gzipSync(await packTar(entries), { level: 9, mtime: 0 });
}
