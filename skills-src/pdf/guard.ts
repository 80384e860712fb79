import { inflateSync } from "node:zlib";
import { Failure, refused } from "../common/failure.ts";

const mostPerStream = 256 * 1024 * 1024;
const mostInAll = 1024 * 1024 * 1024;

/**
 * Looks at a PDF before a library unpacks it: the streams are inflated within bounds, so that no bomb is unpacked
 * without any. Streams of encrypted files do not inflate and are left to the library's own checks.
 */
export function guardPdf(bytes: Buffer, what: string): void {
  const start = bytes.subarray(0, 1024).indexOf("%PDF-");
  if (start === -1) throw new Failure(`${what} is no PDF: it does not begin like one`);
  if (bytes.length < 64) throw new Failure(`${what} is damaged: it ends after ${bytes.length} bytes`);
  let total = 0;
  for (let at = bytes.indexOf("stream"); at !== -1; at = bytes.indexOf("stream", at + 6)) {
    if (bytes.toString("latin1", at - 3, at) === "end") continue;
    const head = bytes.toString("latin1", Math.max(0, at - 2000), at);
    const dictionary = head.slice(head.lastIndexOf(" obj") + 1);
    const layers = dictionary.match(/\/(?:FlateDecode|Fl)\b/g)?.length ?? 0;
    if (layers === 0) continue;
    if (layers > 4) throw refused(`${what} packs a stream ${layers} times over`);
    const from = bytes[at + 6] === 13 ? at + 8 : at + 7;
    const end = bytes.indexOf("endstream", from);
    let data: Buffer = bytes.subarray(from, end === -1 ? undefined : end);
    for (let layer = 0; layer < layers; layer += 1) {
      const made = inflateBounded(data, what);
      if (made === null) break;
      total += made.length;
      data = made;
    }
    if (total > mostInAll) throw refused(`${what} would unpack to more than ${mostInAll} bytes`);
  }
}

function inflateBounded(data: Buffer, what: string): Buffer | null {
  try {
    return inflateSync(data, { maxOutputLength: mostPerStream, finishFlush: 2 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE")
      throw refused(`a stream of ${what} would unpack to more than ${mostPerStream} bytes`);
    return null;
  }
}
