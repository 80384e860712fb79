import type { Diagnostic } from "../diagnostic.ts";
import { makeDiagnostic } from "../diagnostics/make.ts";
import { basename } from "../path.ts";
import { isScript } from "../policy/is-script.ts";
import { printable } from "../text/printable.ts";
import { scanText } from "./scan-text.ts";

/** A file of a skill. */
export interface ScannedFile {
  /** Relative to the skill's folder. */
  readonly path: string;
  readonly executable: boolean;
  readonly bytes: Uint8Array;
}

const compiled = /\.(?:pyc|pyo|class|beam|elc)$/i;
const notPrograms =
  /\.(?:png|jpe?g|gif|webp|svg|ico|bmp|pdf|mp3|mp4|wav|woff2?|ttf|otf|zip|gz|json|ya?ml|toml|csv|txt|md|markdown)$/i;
const prose = /\.(?:md|markdown|txt|rst|adoc|mdx)$|^[^.]+$/i;

/**
 * What is suspicious about one file: its text where it is one (`decode` gives null for bytes that are none), and a program
 * where nobody expects one. `shown`: how the file is named in what is found.
 */
export function scanFile(
  file: ScannedFile,
  { shown, decode }: { readonly shown: string; readonly decode: (bytes: Uint8Array) => string | null },
): readonly Diagnostic[] {
  const place = hiddenProgram(file);
  const found =
    place === null
      ? []
      : [
          makeDiagnostic("risk/hidden-file", {
            path: shown,
            message: `${printable(file.path)} is ${place}.`,
          }),
        ];
  if (!prose.test(basename(file.path))) return found;
  const text = decode(file.bytes);
  return text === null ? found : [...found, ...scanText(text, shown)];
}

function hiddenProgram({ path, executable, bytes }: ScannedFile): string | null {
  if (compiled.test(path)) return "compiled code, which cannot be read";
  const isHidden = path.split("/").some((segment) => segment.startsWith(".") && segment.length > 1);
  const head = bytes.subarray(0, 4);
  if (isHidden && isScript({ path, executable, head })) return "a program in a hidden place";
  if (notPrograms.test(path) && isScript({ path: "", executable: false, head }))
    return "a program, though its name says otherwise";
  return null;
}
