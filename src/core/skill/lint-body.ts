import type { DiagnosticCode } from "../diagnostics/table.ts";
import { hiddenCharacters, showCodePoints } from "../text/hidden-characters.ts";

export interface BodyFinding {
  readonly code: DiagnosticCode;
  readonly message: string;
  /** Line within the body, from 1, and column. */
  readonly line: number;
  readonly column: number;
}

/** What the standard advises (field.md A2). */
const mostLines = 500;
const mostTokens = 5000;

/**
 * Portability of the text: empty, long, hidden characters, placeholders inside code blocks (case a-substitution).
 * `names` are the skill's argument names, `takes` whether it declares arguments at all. Linear.
 */
export function lintBody(
  body: string,
  options: { readonly names: readonly string[]; readonly takes: boolean },
): readonly BodyFinding[] {
  if (body.trim() === "") {
    return [
      { code: "standard/body-empty", message: "there is no text below the frontmatter", line: 1, column: 1 },
    ];
  }
  const lines = body.split(/\r\n|\n|\r/);
  return [...lengthFindings(body, lines), ...hiddenFindings(lines), ...placeholderFindings(lines, options)];
}

/** More text than the standard advises, by lines and by an estimate of tokens. */
export function lengthFindings(body: string, lines: readonly string[]): readonly BodyFinding[] {
  const count = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  // The usual estimate where no tokenizer is at hand.
  const tokens = Math.ceil(body.length / 4);
  if (count <= mostLines && tokens <= mostTokens) return [];
  const message = `the text has ${count} lines and ${body.length} characters, about ${tokens} tokens; less than ${mostLines} lines and ${mostTokens} tokens are advised`;
  return [{ code: "standard/body-long", message, line: 1, column: 1 }];
}

function hiddenFindings(lines: readonly string[]): readonly BodyFinding[] {
  const found: BodyFinding[] = [];
  for (const [index, line] of lines.entries()) {
    const hidden = hiddenCharacters(index === 0 ? line.replace(/^\ufeff/, "") : line);
    const first = hidden[0];
    if (first === undefined || found.length >= 20) continue;
    const message = `the text has hidden characters: ${showCodePoints(hidden)}`;
    found.push({ code: "standard/hidden-characters", message, line: index + 1, column: first.index + 1 });
  }
  return found;
}

const placeholder = /\$(?:\{?ARGUMENTS\}?|\{?[0-9]+\}?|[A-Za-z_][\w-]*)/g;

/** Placeholders that an argument would replace inside code blocks. */
export function placeholderFindings(
  lines: readonly string[],
  options: { readonly names: readonly string[]; readonly takes: boolean },
): readonly BodyFinding[] {
  const found: BodyFinding[] = [];
  const seen = new Set<string>();
  let fence = "";
  let takes = options.takes;
  for (const [index, line] of lines.entries()) {
    if (/^\s*[`~]/.test(line)) {
      const text = line.trim();
      const mark = /^(`{3,}|~{3,})/.exec(text)?.[1];
      if (mark !== undefined && (fence === "" || (mark.startsWith(fence) && text === mark))) {
        fence = fence === "" ? mark : "";
        continue;
      }
    }
    if (!line.includes("$")) continue;
    for (const match of line.matchAll(placeholder)) {
      const name = match[0].slice(1).replace(/[{}]/g, "");
      const ours = name === "ARGUMENTS" || /^[0-9]+$/.test(name) || options.names.includes(name);
      if (!ours || isEscaped(line, match.index)) continue;
      if (fence === "") takes = true;
      else if (!seen.has(name) && seen.size < 20) {
        seen.add(name);
        found.push({
          code: "standard/argument-in-code",
          message: `unescaped $${name} inside a code block will be replaced when arguments are given${meaning(name)}`,
          line: index + 1,
          column: match.index + 1,
        });
      }
    }
  }
  return takes ? found : [];
}

/** Counted backwards, because a pattern that begins with any number of backslashes takes quadratic time on many. */
function isEscaped(line: string, at: number): boolean {
  let first = at;
  while (line[first - 1] === "\\") first -= 1;
  return (at - first) % 2 === 1;
}

function meaning(name: string): string {
  if (!/^[0-9]+$/.test(name)) return "";
  return `, by argument number ${Number(name) + 1}; counting starts at $0 here, some agents start at $1`;
}
