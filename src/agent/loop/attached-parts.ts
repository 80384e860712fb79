import { extname } from "node:path";
import { escapeXml } from "../../core/text/escape-xml.ts";
import type { ImagePart } from "../conversation/message.ts";
import type { Workspace } from "../permission/workspace.ts";
import { boundedText } from "../tools/bounded-text.ts";
import type { FileMemory } from "../tools/file-memory.ts";
import { isBinary, readTool, readWhole } from "../tools/read.ts";

/** What files that a user named with `@` become. */
export interface AttachedParts {
  readonly texts: readonly string[];
  readonly images: readonly ImagePart[];
  /** Paths of those that were used, as named. */
  readonly used: readonly string[];
  /** One sentence for each that could not be used. */
  readonly problems: readonly string[];
}

const imageTypes: ReadonlyMap<string, string> = new Map([
  [".png", "image/png"],
  [".jpg", "image/jpeg"],
  [".jpeg", "image/jpeg"],
  [".gif", "image/gif"],
  [".webp", "image/webp"],
]);

/** Bytes of one picture. */
const imageLimit = 5 * 1024 * 1024;
const textLimit = 60_000;

/** `@path` and `@"path with blanks"` in a message, each once, in order; an address or a mail address is none. */
export function mentionedFiles(text: string): readonly string[] {
  const found = text.matchAll(/(?<![\w@/.])@(?:"([^"\n]+)"|([^\s"'`<>|,;:()[\]{}]+))/gu);
  const paths = [...found].map(([, quoted, plain = ""]) => quoted ?? plain.replace(/[.!?]+$/u, ""));
  return [...new Set(paths.filter((path) => path !== ""))];
}

/** Text of a file that stands in a message: it cannot end its frame or pose as a note of ours. */
function harmless(text: string): string {
  return text.replace(/<(?=\s*\/?\s*(?:attached_file|system-reminder))/gi, "&lt;");
}

/** Reads the files that the user named: texts and folders as text, pictures as pictures. Never throws. */
export async function attachedParts(
  paths: readonly string[],
  { workspace, files }: { readonly workspace: Workspace; readonly files: FileMemory },
): Promise<AttachedParts> {
  const texts: string[] = [];
  const images: ImagePart[] = [];
  const problems: string[] = [];
  const used: string[] = [];
  for (const path of paths) {
    const absolute = workspace.absolute(path);
    const read = readWhole(absolute);
    if (read.kind === "failure") {
      // "@someone" in a sentence is no file.
      if (read.reason !== "not there" || /[./]/.test(path))
        problems.push(`@${path} was not attached: ${read.reason}.`);
      continue;
    }
    const mime = imageTypes.get(extname(path).toLowerCase());
    if (read.kind === "bytes" && mime !== undefined) {
      if (read.bytes.length > imageLimit)
        problems.push(`@${path} was not attached: the picture is too large.`);
      else {
        images.push({ type: "image", mime, base64: Buffer.from(read.bytes).toString("base64") });
        used.push(path);
      }
      continue;
    }
    used.push(path);
    if (read.kind === "bytes" && isBinary(read.bytes)) {
      texts.push(`<attached_file path="${escapeXml(path)}" bytes="${read.bytes.length}" />`);
      continue;
    }
    const { output } = await readTool.run(
      { path },
      {
        workspace,
        files,
        signal: new AbortController().signal,
        variables: {},
        // The user named it.
        permit: async () => ({ allowed: true }),
        progress: () => {},
        edited: () => {},
        todo: { get: () => [], set: () => {} },
      },
    );
    const frame = harmless(output);
    texts.push(
      `<attached_file path="${escapeXml(path)}">\n${boundedText(frame, textLimit)}\n</attached_file>`,
    );
  }
  return { texts, images, used, problems };
}
