import { makeDiagnostic } from "../diagnostics/make.ts";
import type { SkillReader, SkillSource } from "../skill/document.ts";

/**
 * The reader of a program that takes every file for UTF-8: what it makes of a UTF-16 file stays as it is, and the real
 * cause is said first, also where the program's own reason is another one ("no frontmatter").
 */
export function readAsUtf8(reader: SkillReader, program: string): SkillReader {
  return {
    body: reader.body,
    read: (source, context) => {
      const read = reader.read(source, context);
      if (!isUtf16(source)) return read;
      const message = `The file is UTF-16, and ${program} takes it for UTF-8.`;
      const diagnostics = [makeDiagnostic("text/utf16", { path: source.path, message }), ...read.diagnostics];
      if (read.skip === null) return { ...read, diagnostics };
      return { ...read, diagnostics, skip: { ...read.skip, message: `${message} ${read.skip.message}` } };
    },
  };
}

function isUtf16({ bytes }: SkillSource): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}
