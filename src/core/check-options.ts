import { SkilletError } from "./error.ts";
import { closestNames } from "./text/closest-names.ts";

/** What a value may be: a type by its word, or one of some words. */
export type OptionKind =
  | "text"
  | "texts"
  | "flag"
  | "number"
  | "time"
  | "function"
  | "record"
  | "list"
  | "object"
  | "anything"
  | readonly string[];

/** Timers of the system count in 31 bits; a longer time would be over at once. */
const longestTime = 2_147_483_647;

/** The options of one call: name → kind. */
export type OptionKinds<Options> = Readonly<Record<keyof Options & string, OptionKind>>;

const wanted: Readonly<Record<Extract<OptionKind, string>, string>> = {
  text: "a text",
  texts: "a list of texts",
  flag: "true or false",
  number: "a number from 0 on",
  time: "milliseconds from 0 to 2147483647",
  function: "a function",
  record: "an object of texts",
  list: "a list",
  object: "an object",
  anything: "anything",
};

/**
 * The border for callers without types: an unknown option or a value of the wrong type throws `SkilletError` "usage",
 * so that a slip never counts as "no limit". What is undefined or null counts as left out.
 */
export function checkOptions<Options extends object>(
  call: string,
  options: Options | undefined,
  kinds: OptionKinds<Options>,
): void {
  if (options === undefined) return;
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw usage(`${call} takes its options as an object, not as ${shown(options)}.`, Object.keys(kinds));
  const known = new Map<string, OptionKind>(Object.entries(kinds));
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    const kind = known.get(name);
    if (kind === undefined) throw unknownOption(call, name, [...known.keys()]);
    if (value === undefined || value === null || isOf(value, kind)) continue;
    const what =
      typeof kind === "string" ? wanted[kind] : kind.map((word) => JSON.stringify(word)).join(" or ");
    throw usage(`The option ${JSON.stringify(name)} of ${call} has to be ${what}, not ${shown(value)}.`);
  }
}

/** The same for a value that is no option, e.g. a skill's name. */
export function checkText(call: string, what: string, value: unknown): void {
  if (typeof value !== "string") throw usage(`${call} takes ${what} as a text, not as ${shown(value)}.`);
}

/** The same for a number that is no option. */
export function checkNumber(call: string, what: string, value: unknown): void {
  if (!isOf(value, "number"))
    throw usage(`${call} takes ${what} as ${wanted.number}, not as ${shown(value)}.`);
}

/** Names that stand for an option elsewhere, first of all flags of the command. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ["as", "profile"],
  ["lang", "language"],
  ["config", "configFile"],
  ["args", "arguments"],
  ["window", "contextWindow"],
  ["for", "request"],
]);

function unknownOption(call: string, name: string, known: readonly string[]): SkilletError {
  const other = elsewhere.get(name);
  const near = other !== undefined && known.includes(other) ? other : closestNames(name, known, 1)[0];
  const meant = near === undefined ? "" : ` Did you mean ${JSON.stringify(near)}?`;
  return usage(`${call} has no option ${JSON.stringify(name)}.${meant}`, known);
}

function usage(message: string, known: readonly string[] = []): SkilletError {
  return new SkilletError(
    "usage",
    message,
    known.length === 0 ? {} : { hint: `Options: ${known.join(", ")}` },
  );
}

function isOf(value: unknown, kind: OptionKind): boolean {
  switch (kind) {
    case "text":
      return typeof value === "string";
    case "flag":
      return typeof value === "boolean";
    case "number":
      return typeof value === "number" && Number.isFinite(value) && value >= 0;
    case "time":
      return typeof value === "number" && value >= 0 && value <= longestTime;
    case "anything":
      return true;
    case "function":
      return typeof value === "function";
    case "texts":
      return Array.isArray(value) && value.every((one) => typeof one === "string");
    case "list":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && !Array.isArray(value);
    case "record":
      return (
        typeof value === "object" &&
        value !== null &&
        !Array.isArray(value) &&
        Object.values(value).every((one) => typeof one === "string")
      );
    default:
      return typeof value === "string" && kind.includes(value);
  }
}

function shown(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" || typeof value === "function")
    return typeof value === "object" ? "an object" : "a function";
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
