import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitArguments } from "./argument-words.ts";
import { findPlaceholders, oneBasedArguments, substituteArguments, zeroBasedArguments } from "./arguments.ts";

/** Processor time in milliseconds: unlike the clock it does not depend on what else the machine does. */
const cpu = (): number => process.cpuUsage().user / 1_000;

const plot = [
  "Plot: $0",
  "Crop: $1",
  "Third: $2",
  "All: $ARGUMENTS",
  "Second again: $ARGUMENTS[1]",
  "Price tag: \\$1",
  "Shell: $HOME and $(pwd)",
  "",
  "```awk",
  "{ print $1 }",
  "```",
].join("\n");

const filled = (zero: string, one: string, all: string, again = one): string =>
  [
    `Plot: ${zero}`,
    `Crop: ${one}`,
    "Third: $2",
    `All: ${all}`,
    `Second again: ${again}`,
    "Price tag: $1",
    "Shell: $HOME and $(pwd)",
    "",
    "```awk",
    `{ print ${one} }`,
    "```",
  ].join("\n");

const zero = (body: string, text: string, names: string[] = []): string =>
  substituteArguments(body, text, { ...zeroBasedArguments, names });
const one = (body: string, text: string): string =>
  substituteArguments(body, text, { ...oneBasedArguments, names: [] });

describe("counting from 0 (case a-substitution)", () => {
  it.each([
    ['north "snow peas"', filled("north", "snow peas", 'north "snow peas"')],
    ["", filled("$0", "$1", "", "$ARGUMENTS[1]")],
    ["$1 tail", filled("$1", "tail", "$1 tail")],
    ['"a $& b"', filled("a $& b", "$1", '"a $& b"', "$ARGUMENTS[1]")],
    ["C:\\beds\\1 x", filled("C:\\beds\\1", "x", "C:\\beds\\1 x")],
    ["it's late", filled("it's", "late", "it's late")],
    ["$ARGUMENTS $0", filled("$ARGUMENTS", "$0", "$ARGUMENTS $0")],
  ])("arguments %j", (text, expected) => {
    expect(zero(plot, text)).toBe(expected);
  });

  it.each([
    [
      "Bed $bed grows $crop. Unknown: $other.",
      "north peas",
      ["bed", "crop"],
      "Bed north grows peas. Unknown: $other.",
    ],
    [
      "Bed $bed grows $crop. Unknown: $other.",
      "north",
      ["bed", "crop"],
      "Bed north grows . Unknown: $other.",
    ],
    ["$bed $bed-side $beds $bed_", "a b", ["bed", "bed-side"], "a b $beds $bed_"],
    ["\\$bed $bed", "a", ["bed"], "$bed a"],
    ["$constructor $toString", "a", [], "$constructor $toString\n\nARGUMENTS: a"],
    ["Just do it.", "three beds", [], "Just do it.\n\nARGUMENTS: three beds"],
    ["Just do it.\n", "three beds", [], "Just do it.\n\nARGUMENTS: three beds"],
    ["Just do it.", "", [], "Just do it."],
    ["Just do it.", "  ", [], "Just do it."],
    ["It costs $5.", "x", [], "It costs $5.\n\nARGUMENTS: x"],
    ["Escaped \\$0 only", "x", [], "Escaped $0 only\n\nARGUMENTS: x"],
    ["$ARGUMENTSX $ARGUMENTS.", "x", [], "$ARGUMENTSX x."],
    ["$ARGUMENTS[0]$ARGUMENTS[x] $$0", "v", [], "vv[x] $v"],
    ["\\$HOME \\$ARGUMENTS", "v", [], "\\$HOME $ARGUMENTS\n\nARGUMENTS: v"],
    ["$数 $0", "v", ["数"], "v v"],
    ["tail $", "v", [], "tail $\n\nARGUMENTS: v"],
  ])("%j with %j", (body, text, names, expected) => {
    expect(zero(body, text, names)).toBe(expected);
  });
});

describe("counting from 1, the highest takes the rest", () => {
  it.each([
    ["Do alpha with [$ARGUMENTS].", 'x y "z w"', 'Do alpha with [x y "z w"].'],
    ["First [$1] second [$2].", "x y z", "First [x] second [y z]."],
    ["cost $5 and $HOMEX and $10 and \\$1", "x y", "cost  and $HOMEX and  and \\x"],
    ["[$2] then [$1]", "a b c d", "[b c d] then [a]"],
    ["[$ARGUMENTS]", "", "[]"],
    ["Hidden body\n\n\nBase directory", "x", "Hidden body\n\n\nBase directory\n\nx"],
    ["Hidden body", "", "Hidden body"],
    ["[$1]", 'say "two words"', "[say two words]"],
    ["$1", "$1 $ARGUMENTS $&", "$1 $ARGUMENTS $&"],
  ])("%j with %j", (body, text, expected) => {
    expect(one(body, text)).toBe(expected);
  });
});

describe("splitArguments", () => {
  it.each([
    ["", []],
    ["  a \t b\nc ", ["a", "b", "c"]],
    ['a"b c"d', ["ab cd"]],
    ["--name='x y'", ["--name=x y"]],
    ["it's bob's", ["it's", "bob's"]],
    ["don't 'a b'", ["don't", "a b"]],
    ['"say \\"hi\\" now" x', ['say "hi" now', "x"]],
    ['"C:\\dir\\" x', ["C:\\dir\\", "x"]],
    ['"" x', ["", "x"]],
    ['"open x', ['"open', "x"]],
    ['a " b', ["a", '"', "b"]],
  ])("shell %j", (text, expected) => {
    expect(splitArguments(text, "shell")).toEqual(expected);
  });

  it.each([
    ['x "y z" w', ["x", "y z", "w"]],
    ['a"b c"d', ["a", "b c", "d"]],
    ["it's late", ["it", "s", "late"]],
    ["see [Image 1] now", ["see", "[Image 1]", "now"]],
    ['""', [""]],
  ])("pairs %j", (text, expected) => {
    expect(splitArguments(text, "pairs")).toEqual(expected);
  });

  it("stays linear in hostile input", () => {
    const start = cpu();
    for (const unit of ["'", '"', " '", ' "a', '\\"', '"\\"', "'\"", '\\" "'])
      for (const quoting of ["shell", "pairs"] as const) splitArguments(unit.repeat(40_000), quoting);
    expect(cpu() - start).toBeLessThan(6_000);
  });
});

describe("any text", () => {
  const piece = fc.constantFrom(
    "$0",
    "$1",
    "$ARGUMENTS",
    "$ARGUMENTS[1]",
    "\\$1",
    "$",
    "\\",
    "a",
    " ",
    "$bed",
    "\n",
    "'",
    '"',
    "😀",
  );
  const text = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(""));

  it("is left alone where there is no placeholder, and values appear whole", () => {
    fc.assert(
      fc.property(text, text, (body, value) => {
        const placeholders = findPlaceholders(body, { ...zeroBasedArguments, names: ["bed"] });
        const result = zero(body, value, ["bed"]);
        if (placeholders.length === 0 && value.trim() === "") expect(result).toBe(body);
        if (placeholders.some((one) => one.position === "all" && !one.escaped))
          expect(result).toContain(value);
        expect(one(body, value)).toBeTypeOf("string");
      }),
    );
  });
});
