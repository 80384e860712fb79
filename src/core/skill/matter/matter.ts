import type { TextRange } from "../../diagnostic.ts";
import { blockScalarColons } from "./loose-colons.ts";
import { loadYaml } from "./yaml.ts";
import type { YamlLimits, YamlValue } from "./yaml-value.ts";

export interface MatterLimits extends YamlLimits {
  /** UTF-16 units of the block between the fences. */
  readonly block: number;
}

/** Why a block could not be read. */
export interface MatterProblem {
  /**
   * What failed: the language's own rules, a block that no fence closes (then all of the file is taken for fields), a
   * language that is not read, or one of our bounds.
   */
  readonly kind: "yaml" | "unclosed" | "json" | "language" | "script" | keyof MatterLimits;
  /** A clause without capital or full stop. */
  readonly message: string;
  readonly range: TextRange | null;
}

export interface Matter {
  /** A `Map`, also where there is no block; any other kind of value when the block holds one. */
  readonly data: YamlValue;
  /** Everything after the closing fence; "" when the block is never closed. */
  readonly content: string;
  readonly fenced: boolean;
}

export type MatterParse =
  | ({ readonly ok: true } & Matter)
  | { readonly ok: false; readonly problem: MatterProblem };

export type MatterRead =
  | ({
      readonly ok: true;
      /** What was wrong before colons were taken as text; null = nothing. */
      readonly repaired: MatterProblem | null;
    } & Matter)
  | {
      readonly ok: false;
      readonly problem: MatterProblem;
      /** The mirrored parser's second try found the same text in its cache and went on as if it were empty. */
      readonly silent: boolean;
    };

const fence = "---";
const scriptLanguages = new Set(["js", "javascript", "coffee", "coffeescript", "cson"]);

/**
 * Splits text into frontmatter and content by the rules of the package that OpenCode and MiMo use (spec
 * mimo-opencode 1.5–1.6, golden `fm.*`): the block opens only in the first line, a word behind the fence names its
 * language, any later line that starts with `---` closes it and the rest of that line belongs to the content. YAML and
 * JSON are read; scripts never run. `text` may start with one byte order mark.
 */
export function parseMatter(text: string, limits: MatterLimits): MatterParse {
  const start = text.startsWith("\ufeff") ? 1 : 0;
  const plain = text.slice(start);
  const none: MatterParse = { ok: true, data: new Map(), content: plain, fenced: false };
  if (!plain.startsWith(fence) || plain[fence.length] === "-") return none;

  const { language, length } = languageOf(plain);
  const blockStart = fence.length + length;
  const closing = plain.indexOf(`\n${fence}`, blockStart);
  const block = plain.slice(blockStart, closing < 0 ? plain.length : closing);
  const content = closing < 0 ? "" : plain.slice(afterBreak(plain, closing + 1 + fence.length));
  if (isBlank(block)) return { ok: true, data: new Map(), content, fenced: true };

  const at = (offset: number): TextRange => rangeAt(text, start + blockStart + offset);
  if (block.length > limits.block) {
    const message = `the frontmatter is longer than ${limits.block} characters`;
    return { ok: false, problem: { kind: "block", message, range: at(0) } };
  }
  const loaded = load(block, language, limits);
  if (!loaded.ok) {
    const { kind, message, offset } = loaded;
    if (closing < 0 && kind === "yaml") {
      const unclosed = "the frontmatter opened on line 1 is never closed: no later line starts with ---";
      return { ok: false, problem: { kind: "unclosed", message: unclosed, range: rangeAt(text, start) } };
    }
    return {
      ok: false,
      problem: { kind, message, range: offset === null ? rangeAt(text, start) : at(offset) },
    };
  }
  return { ok: true, data: loaded.value ?? new Map(), content, fenced: true };
}

/**
 * `parseMatter` with the second try that forgives unquoted colons (spec mimo-opencode 1.6). When that changes nothing,
 * the mirrored parser silently goes on with no data at all; callers decide what becomes of it.
 */
export function readMatter(text: string, limits: MatterLimits): MatterRead {
  const first = parseMatter(text, limits);
  if (first.ok) return { ...first, repaired: null };
  if (first.problem.kind in limits) return { ...first, silent: false };
  const loose = blockScalarColons(text);
  if (loose === text) return { ...first, silent: true };
  const second = parseMatter(loose, limits);
  return second.ok
    ? { ...second, repaired: first.problem }
    : { ok: false, problem: first.problem, silent: false };
}

/** The word behind the opening fence, and how much of the text it takes. Blanks alone are part of the block. */
function languageOf(text: string): { readonly language: string; readonly length: number } {
  const feed = text.indexOf("\n", fence.length);
  // Without any line end the mirrored parser cuts the last character off.
  const end = feed < 0 ? text.length - 1 : text[feed - 1] === "\r" ? feed - 1 : feed;
  const raw = text.slice(fence.length, Math.max(fence.length, end));
  const language = raw.trim();
  return { language, length: language === "" ? 0 : raw.length };
}

/** The place behind one carriage return and one line feed at `at`, as far as they are there. */
function afterBreak(text: string, at: number): number {
  const next = text[at] === "\r" ? at + 1 : at;
  return text[next] === "\n" ? next + 1 : next;
}

/** Nothing but white space and comment lines (a lone `#` is none). */
function isBlank(block: string): boolean {
  return block.split("\n").every((line) => {
    const text = line.trimStart();
    return text === "" || (text.startsWith("#") && text.length > 1);
  });
}

type BlockLoad =
  | { readonly ok: true; readonly value: YamlValue | undefined }
  | {
      readonly ok: false;
      readonly kind: MatterProblem["kind"];
      readonly message: string;
      readonly offset: number | null;
    };

function load(block: string, language: string, limits: MatterLimits): BlockLoad {
  const name = language.toLowerCase();
  if (name === "" || name === "yaml" || name === "yml") {
    const result = loadYaml(block, limits);
    return result.ok
      ? result
      : { ok: false, kind: result.limit ?? "yaml", message: result.message, offset: result.offset };
  }
  if (language === "json") {
    try {
      return { ok: true, value: fromJson(JSON.parse(block), limits.depth) };
    } catch {
      return { ok: false, kind: "json", message: "the block is not valid JSON", offset: 0 };
    }
  }
  const script = scriptLanguages.has(name);
  const shown = language.length > 40 ? `${language.slice(0, 40)}…` : language;
  const message = script
    ? `the frontmatter is a script (${shown}), and scripts are never run`
    : `no reader for frontmatter in the language ${JSON.stringify(shown)}`;
  return { ok: false, kind: script ? "script" : "language", message, offset: null };
}

function fromJson(value: unknown, depth: number): YamlValue {
  if (depth < 0) throw new RangeError("too deep");
  if (Array.isArray(value)) return value.map((item) => fromJson(item, depth - 1));
  if (typeof value === "object" && value !== null)
    return new Map(Object.entries(value).map(([key, item]) => [key, fromJson(item, depth - 1)]));
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
}

function rangeAt(text: string, offset: number): TextRange {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: offset - lineStart + 1 };
}
