import { listFiles } from "../../core/activation/list-files.ts";
import type { Diagnostic } from "../../core/diagnostic.ts";
import type { FileSystem, TextCodec } from "../../core/file-system.ts";
import { basename, dirname } from "../../core/path.ts";
import { scanFile } from "../../core/risk/scan-file.ts";
import { scanText } from "../../core/risk/scan-text.ts";
import { isSkillFile } from "./check-targets.ts";

/** Files of one skill that are looked into, and bytes of one. */
const limits = { files: 500, bytes: 1024 * 1024 };

/**
 * Signs of an attack in a skill: in the text of its file and, where it has a folder, in what lies beside it. Folders of
 * skills inside it are looked at as skills of their own.
 */
export function riskFindings(
  source: { readonly path: string; readonly text: string | null },
  { fileSystem, codec }: { readonly fileSystem: FileSystem; readonly codec: TextCodec },
): readonly Diagnostic[] {
  const own = source.text === null ? [] : scanText(source.text, source.path);
  if (!isSkillFile(basename(source.path))) return own;
  const folder = dirname(source.path);
  const { files } = listFiles(fileSystem, folder, {
    limit: limits.files,
    depth: 8,
    hidden: true,
    ignore: new Set(["node_modules", ".git"]),
    accept: () => true,
  });
  const inner = files.filter((path) => path.includes("/") && isSkillFile(basename(path))).map(dirname);
  const beside = files.filter(
    (path) =>
      !isSkillFile(basename(path)) && !inner.some((other) => other !== "." && path.startsWith(`${other}/`)),
  );
  const found = beside.flatMap((path) => {
    const shown = `${folder}/${path}`;
    const read = fileSystem.readFile(shown, { limit: limits.bytes, follow: false });
    // Links, devices and very large files are left alone.
    if (read.kind !== "file") return [];
    const decode = (bytes: Uint8Array): string | null =>
      codec.isUtf8(bytes) && !bytes.subarray(0, 8000).includes(0)
        ? codec.decode(bytes, 0, bytes.length)
        : null;
    return scanFile({ path, executable: false, bytes: read.bytes }, { shown, decode });
  });
  return [...own, ...found];
}
