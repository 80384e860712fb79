import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import type { FileSystem } from "../../core/file-system.ts";
import { contains, dirname, resolve } from "../../core/path.ts";
import { printable } from "../../core/text/printable.ts";

const most = 50;
/** `[text](target)`, `![text](<target>)` and `[label]: target`. The repetitions cannot overlap, so this is linear. */
const inlineLink = /\]\(\s*(?:<([^<>\n]{1,1024})>|([^\s()<>]{1,1024}))/g;
const definition = /^ {0,3}\[[^\]\n]{1,200}\]:\s*(?:<([^<>\n]{1,1024})>|(\S{1,1024}))/;

/**
 * Relative links of a skill's text whose file is missing, or lies outside the skill's folder. `text` is the whole
 * file, `bodyLine` the line (from 1) on which the text behind the frontmatter begins. Code is left out.
 */
export function linkFindings(
  fileSystem: FileSystem,
  { path, text, bodyLine }: { readonly path: string; readonly text: string; readonly bodyLine: number },
): readonly Diagnostic[] {
  const folder = dirname(path);
  const found: Diagnostic[] = [];
  for (const { line, column, target } of relativeLinks(text, bodyLine)) {
    if (found.length >= most) break;
    const file = resolve(folder, target);
    const range = { line, column, endLine: line, endColumn: column + target.length };
    const shown = printable(target);
    if (!contains(folder, file))
      found.push(
        makeDiagnostic("link/outside", {
          path,
          range,
          message: `"${shown}" leads out of the skill's folder.`,
        }),
      );
    else if (fileSystem.status(file, { follow: true }).kind === "absent")
      found.push(makeDiagnostic("link/missing", { path, range, message: `There is no file "${shown}".` }));
  }
  return found;
}

interface Link {
  readonly line: number;
  readonly column: number;
  readonly target: string;
}

function* relativeLinks(text: string, bodyLine: number): Generator<Link> {
  const lines = text.split("\n");
  let fence: string | null = null;
  for (let index = bodyLine - 1; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const mark = line.match(/^ {0,3}(`{3,}|~{3,})/)?.[1] ?? null;
    if (mark !== null && (fence === null || (mark[0] === fence[0] && mark.length >= fence.length))) {
      fence = fence === null ? mark : null;
      continue;
    }
    if (fence !== null) continue;
    const plain = line.replace(/(`+)[^`]*\1/g, (code) => " ".repeat(code.length));
    const matches = [
      ...plain.matchAll(inlineLink),
      ...[plain.match(definition)].filter((match) => match !== null),
    ];
    for (const match of matches) {
      const written = match[1] ?? match[2] ?? "";
      const target = fileOf(written);
      if (target === null) continue;
      yield { line: index + 1, column: (match.index ?? 0) + match[0].lastIndexOf(written) + 1, target };
    }
  }
}

/** The file that a link names, or null for addresses, anchors, placeholders and absolute paths. */
function fileOf(written: string): string | null {
  const path = written.split(/[?#]/, 1)[0] ?? "";
  if (path === "" || /^[a-z][a-z0-9+.-]*:/i.test(path) || /^[/~\\]/.test(path) || /[$*{}|]/.test(path))
    return null;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
