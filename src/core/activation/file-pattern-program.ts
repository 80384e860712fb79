/**
 * File patterns as a small non-deterministic machine: every state is visited at most once per character, so no
 * pattern can backtrack (row B17), and alternatives in braces need no expansion.
 */

/** UTF-16 units. */
const longestPattern = 1_024;
const deepestBraces = 5;
const slash = 0x2f;

type State =
  | { readonly kind: "character"; readonly code: number }
  /** One character of a name. */
  | { readonly kind: "any" }
  | {
      readonly kind: "set";
      readonly negated: boolean;
      readonly ranges: readonly (readonly [number, number])[];
    }
  /** Any run inside one name; also goes on without reading. */
  | { readonly kind: "run" }
  /** Any run with slashes; also goes on without reading. */
  | { readonly kind: "deep-run" }
  /** Goes on at other states without reading. */
  | { readonly kind: "fork"; readonly to: number[] };

export interface PatternProgram {
  readonly kind: "program";
  /** Reading state `i` goes on at `i + 1`; reaching the length accepts. */
  readonly states: readonly State[];
}

export interface PatternProblem {
  readonly kind: "problem";
  readonly message: string;
}

class Unreadable extends Error {}

interface Reader {
  readonly text: readonly string[];
  at: number;
  readonly states: State[];
}

function code(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/** Reads `[…]` after its opening bracket. */
function readSet(reader: Reader): State {
  const { text } = reader;
  const negated = text[reader.at] === "!" || text[reader.at] === "^";
  if (negated) reader.at++;
  const ranges: [number, number][] = [];
  for (let first = true; ; first = false) {
    const from = text[reader.at++];
    if (from === undefined) throw new Unreadable("has a [ without its ]");
    if (from === "]" && !first) return { kind: "set", negated, ranges };
    const to = text[reader.at + 1];
    if (text[reader.at] !== "-" || to === undefined || to === "]") {
      ranges.push([code(from), code(from)]);
      continue;
    }
    reader.at += 2;
    if (code(to) < code(from))
      throw new Unreadable(`has the range ${from}-${to}, which is the wrong way round`);
    ranges.push([code(from), code(to)]);
  }
}

/** Reads `{a,b}` after its opening brace. Layout: fork, then each alternative followed by a jump to the end. */
function readGroup(reader: Reader, depth: number, segmentStart: boolean): void {
  if (depth > deepestBraces) throw new Unreadable(`has more than ${deepestBraces} braces inside each other`);
  const { text, states } = reader;
  const fork: State = { kind: "fork", to: [] };
  states.push(fork);
  const jumps: number[][] = [];
  for (;;) {
    fork.to.push(states.length);
    readSequence(reader, depth, segmentStart);
    const jump: State = { kind: "fork", to: [] };
    states.push(jump);
    jumps.push(jump.to);
    const end = text[reader.at++];
    if (end === undefined) throw new Unreadable("has a { without its }");
    if (end === "}") break;
  }
  for (const jump of jumps) jump.push(states.length);
}

function readStars(reader: Reader, segmentStart: boolean, inGroup: boolean): void {
  const { text, states } = reader;
  const from = reader.at;
  while (text[reader.at] === "*") reader.at++;
  const next = text[reader.at];
  const segmentEnd = next === undefined || next === "/" || (inGroup && (next === "," || next === "}"));
  if (reader.at - from < 2 || !segmentStart || !segmentEnd) {
    states.push({ kind: "run" });
    return;
  }
  if (next !== "/") {
    states.push({ kind: "deep-run" });
    return;
  }
  // Zero or more whole folders: skip the run and its slash, or take both.
  reader.at++;
  const here = states.length;
  states.push(
    { kind: "fork", to: [here + 1, here + 3] },
    { kind: "deep-run" },
    { kind: "character", code: slash },
  );
}

function readSequence(reader: Reader, depth: number, segmentStart: boolean): void {
  const { text, states } = reader;
  let start = segmentStart;
  for (;;) {
    const character = text[reader.at];
    if (character === undefined || (depth > 0 && (character === "," || character === "}"))) return;
    if (character === "*") {
      readStars(reader, start, depth > 0);
      start = text[reader.at - 1] === "/";
      continue;
    }
    reader.at++;
    if (character === "?") states.push({ kind: "any" });
    else if (character === "[") states.push(readSet(reader));
    else if (character === "{") readGroup(reader, depth + 1, start);
    else states.push({ kind: "character", code: code(character) });
    start = character === "/";
  }
}

/** Compiles one pattern, or says in words what is wrong with it. Never throws. */
export function compilePattern(pattern: string): PatternProgram | PatternProblem {
  const problem = (message: string): PatternProblem => ({ kind: "problem", message });
  const trimmed = pattern.trim();
  if (trimmed === "") return problem("is empty");
  if (trimmed.length > longestPattern) return problem(`is longer than ${longestPattern} characters`);
  if (trimmed.startsWith("!")) return problem("starts with !, but exclusions are not supported");
  let normal = trimmed.replaceAll("\\", "/").replace(/^(?:\.\/)+/, "");
  const anchored = /\/./.test(normal);
  normal = normal.replace(/^\/+/, "");
  if (normal === "" || normal.endsWith("/")) normal += "**";
  if (!anchored) normal = `**/${normal}`;
  const reader: Reader = { text: [...normal], at: 0, states: [] };
  try {
    readSequence(reader, 0, true);
  } catch (error) {
    if (error instanceof Unreadable) return problem(error.message);
    throw error;
  }
  return { kind: "program", states: reader.states };
}

function reads(state: State, character: number): boolean {
  switch (state.kind) {
    case "character":
      return state.code === character;
    case "any":
    case "run":
      return character !== slash;
    case "deep-run":
      return true;
    case "set":
      return (
        character !== slash &&
        state.ranges.some(([from, to]) => from <= character && character <= to) !== state.negated
      );
    case "fork":
      return false;
  }
}

/** Whole match of `path` (slashes forward). */
export function runPattern(program: PatternProgram, path: string): boolean {
  const { states } = program;
  const seen = new Int32Array(states.length + 1).fill(-1);
  let step = 0;
  const enter = (from: number, into: number[]): void => {
    const stack = [from];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (seen[at] === step) continue;
      seen[at] = step;
      const state = states[at];
      if (state?.kind === "fork") stack.push(...state.to);
      else {
        into.push(at);
        if (state?.kind === "run" || state?.kind === "deep-run") stack.push(at + 1);
      }
    }
  };
  let current: number[] = [];
  enter(0, current);
  for (const character of path) {
    step++;
    const next: number[] = [];
    const value = code(character);
    for (const at of current) {
      const state = states[at];
      if (state === undefined || !reads(state, value)) continue;
      enter(state.kind === "run" || state.kind === "deep-run" ? at : at + 1, next);
    }
    if (next.length === 0) return false;
    current = next;
  }
  return current.includes(states.length);
}
