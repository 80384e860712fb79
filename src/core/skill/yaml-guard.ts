import { CST, Lexer } from "yaml";
import type { DiagnosticCode } from "../diagnostics/table.ts";
import type { ReadLimits } from "./document.ts";

export type GuardVerdict =
  | { readonly kind: "ok"; readonly aliases: boolean }
  | { readonly kind: "refused"; readonly code: DiagnosticCode; readonly message: string };

const harmless: GuardVerdict = { kind: "ok", aliases: false };
const withAliases: GuardVerdict = { kind: "ok", aliases: true };

/**
 * Decides before the YAML library sees a text whether it may: deep nesting can end the whole process, huge mappings
 * take minutes (security.md section 0, A02, A03, A04). Linear: a count of characters clears ordinary texts, else the
 * library's own lexer (flat, no recursion once indicator chains are bounded) gives the nesting that its parser would
 * see. The nesting is counted at most one level a line too high, never too low.
 */
export function guardYaml(text: string, limits: ReadLimits): GuardVerdict {
  const quick = quickCounts(text);
  if (quick.chain > limits.depth) return tooDeep(limits);
  const lines = limits.keys * linesPerKey;
  if (quick.lines > lines) {
    return {
      kind: "refused",
      code: "frontmatter/too-many-keys",
      message: `the frontmatter has more than ${lines} lines`,
    };
  }
  const few = quick.depth <= limits.depth && quick.keys <= limits.keys && quick.quotes <= limits.keys * 2;
  if (few && !quick.references) return harmless;
  return lexed(text, limits);
}

/** Lines allowed for each allowed key: texts may have several, but every line costs the library time. */
const linesPerKey = 4;

interface QuickCounts {
  readonly lines: number;
  /** Longest run of `- `, `? `, `: `, tags and anchors on one line. */
  readonly chain: number;
  /** An upper bound of the nesting. */
  readonly depth: number;
  readonly keys: number;
  readonly quotes: number;
  /** Something that may be an alias or an anchor. */
  readonly references: boolean;
}

function quickCounts(text: string): QuickCounts {
  let longest = 0;
  let chain = 0;
  let brackets = 0;
  let keys = 0;
  let quotes = 0;
  let references = false;
  let widest = 0;
  let indent = 0;
  let leading = true;
  let before = 0x0a;
  let lines = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    const blank = unit === 0x20 || unit === 0x09;
    if (unit === 0x0a) {
      lines++;
      leading = true;
      indent = 0;
      chain = 0;
    } else if (leading) {
      if (blank) indent++;
      else {
        leading = false;
        if (indent > widest) widest = indent;
      }
    }
    const start = before === 0x20 || before === 0x09 || before === 0x0a;
    if (start && !blank && unit !== 0x0a) {
      if (isIndicator(text, index, unit)) chain++;
      else chain = 0;
      if (chain > longest) longest = chain;
    }
    if (unit === 0x5b || unit === 0x7b) brackets++;
    else if (unit === 0x3a || unit === 0x2c || unit === 0x3f) keys++;
    else if (unit === 0x22 || unit === 0x27) quotes++;
    else if (unit === 0x2a || unit === 0x26) {
      if (start || before === 0x5b || before === 0x7b || before === 0x2c || before === 0x3a)
        references = true;
    }
    before = unit;
  }
  return { lines, chain: longest, depth: 2 * (widest + 1) + longest + brackets, keys, quotes, references };
}

function isIndicator(text: string, index: number, unit: number): boolean {
  if (unit === 0x21 || unit === 0x26) return true;
  if (unit !== 0x2d && unit !== 0x3f && unit !== 0x3a) return false;
  const next = text.charCodeAt(index + 1);
  return next === 0x20 || next === 0x09 || next === 0x0a || Number.isNaN(next);
}

function tooDeep(limits: ReadLimits): GuardVerdict {
  return {
    kind: "refused",
    code: "frontmatter/too-deep",
    message: `the frontmatter is nested deeper than ${limits.depth} levels; nesting too deep to be read safely`,
  };
}

/** A key, its colon, blanks, its value and a line end, and as much again. */
const tokensPerKey = 16;

function lexed(text: string, limits: ReadLimits): GuardVerdict {
  const columns: number[] = [];
  let column = 0;
  let lineStart = true;
  let push = false;
  let flow = 0;
  let keys = 0;
  let tokens = 0;
  let aliases = false;
  let content = false;
  for (const token of new Lexer().lex(text)) {
    // The token behind the scalar mark is its text, whatever it looks like.
    const type: string | null = content ? "text" : CST.tokenType(token);
    content = type === "scalar";
    if (type === "newline") {
      column = 0;
      lineStart = true;
      continue;
    }
    if (type === "doc-mode" || type === "scalar") continue;
    if (type === "flow-error-end") {
      flow = 0;
      continue;
    }
    if (type !== "space" && type !== "comment") {
      if ((lineStart || push) && flow === 0) {
        if (lineStart) while (columns.length > 0 && (columns.at(-1) as number) >= column) columns.pop();
        columns.push(column);
      }
      lineStart = false;
      push = false;
    }
    switch (type) {
      case "seq-item-ind":
        push = true;
        break;
      case "explicit-key-ind":
      case "map-value-ind":
        push = true;
        keys++;
        break;
      case "flow-map-start":
      case "flow-seq-start":
        flow++;
        break;
      case "flow-map-end":
      case "flow-seq-end":
        flow = Math.max(0, flow - 1);
        break;
      case "comma":
        keys++;
        break;
      case "alias":
      case "anchor":
        aliases = true;
        break;
      default:
    }
    if (columns.length + flow > limits.depth + 1) return tooDeep(limits);
    // A token that stands where none may costs the library ever more time the more there are of them.
    tokens++;
    if (keys > limits.keys || tokens > limits.keys * tokensPerKey) {
      return {
        kind: "refused",
        code: "frontmatter/too-many-keys",
        message: `the frontmatter has more than ${limits.keys} keys or items`,
      };
    }
    const lastBreak = token.lastIndexOf("\n");
    column = lastBreak < 0 ? column + token.length : token.length - lastBreak - 1;
    if (lastBreak >= 0) lineStart = column === 0;
  }
  return aliases ? withAliases : harmless;
}
