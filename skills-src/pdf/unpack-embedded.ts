import { unpackBytes } from "../common/unpack-bytes.ts";

/** Files of a folder that the build embedded: a length, their names and sizes as JSON, their bytes. */
export function unpackEmbedded(packed: string): ReadonlyMap<string, Uint8Array> {
  const bytes = unpackBytes(packed);
  const size = bytes.readUInt32LE(0);
  const list = JSON.parse(bytes.toString("utf8", 4, 4 + size)) as readonly (readonly [string, number])[];
  let at = 4 + size;
  return new Map(
    list.map(([name, length]) => {
      at += length;
      return [name, new Uint8Array(bytes.subarray(at - length, at))];
    }),
  );
}
