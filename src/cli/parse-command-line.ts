import { parseArgs } from "node:util";
import { type Flag, type FlagValues, flagNamed, flags, flagValues } from "./flags.ts";
import { suggest } from "./suggest.ts";
import { usageError } from "./usage-error.ts";

/** One command line, taken apart. Flags may stand anywhere before `--`; what follows `--` is never a flag. */
export interface CommandLine {
  /** First operand before `--`, else null. */
  readonly word: string | null;
  /** The other operands, those after `--` too. */
  readonly operands: readonly string[];
  readonly flags: FlagValues;
  /** Names of the flags given, in order. */
  readonly given: readonly string[];
}

const options = Object.fromEntries(
  flags.map((flag) => [
    flag.name,
    {
      type: flag.value === undefined ? ("boolean" as const) : ("string" as const),
      ...(flag.short === undefined ? {} : { short: flag.short }),
    },
  ]),
);

/**
 * Takes a command line apart. A flag means the same in every command, so this needs no command to be known; whether
 * the command takes the flag is `checkFlags`. Throws a `usage` error.
 */
export function parseCommandLine(args: readonly string[]): CommandLine {
  // Bytes that are no UTF-8 arrive like this: what was meant is gone, so no name or path can be right.
  const broken = args.find((arg) => /[\ufffd\p{Surrogate}]/u.test(arg));
  if (broken !== undefined && args[0] !== "__complete")
    throw usageError(
      `An argument is not UTF-8: "${broken.slice(0, 60)}".`,
      "Write it in UTF-8, or name the file by another path.",
    );
  const { tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<string, string[]>();
  const operands: string[] = [];
  let word: string | null = null;
  let open = true;
  for (const token of tokens) {
    if (token.kind === "option-terminator") open = false;
    else if (token.kind === "option") {
      const flag = known(token.name, token.rawName);
      const list = values.get(flag.name) ?? [];
      const value = checkedValue(flag, token.value, token.inlineValue === true);
      values.set(flag.name, value === null ? list : [...list, value]);
    } else {
      // A line being completed may end in an empty word; an empty search asks for everything.
      if (token.value === "" && word !== "__complete" && word !== "search")
        throw usageError("An argument is empty.", "Leave it out, or put something in.");
      if (word === null && operands.length === 0 && open) word = token.value;
      else operands.push(token.value);
    }
  }
  return { word, operands, flags: flagValues(values), given: [...values.keys()] };
}

/** Throws when a flag is given that neither `own` nor the global flags name. `command` is "" for a bare request. */
export function checkFlags(line: CommandLine, command: string, own: readonly string[]): void {
  const stray = line.given.find((name) => flagNamed(name)?.global !== true && !own.includes(name));
  if (stray !== undefined)
    throw usageError(
      command === "" ? `--${stray} belongs to a command.` : `skillet ${command} has no flag --${stray}.`,
      `See skillet help${command === "" ? "" : ` ${command}`}.`,
    );
}

function known(name: string, rawName: string): Flag {
  const flag = flagNamed(name);
  if (flag !== undefined) return flag;
  const [near] = rawName.startsWith("--")
    ? suggest(
        name,
        flags.map((entry) => entry.name),
      )
    : [];
  throw usageError(
    `There is no flag ${rawName}.`,
    near === undefined
      ? "See skillet help. A word that begins with a dash goes after --."
      : `Did you mean --${near}?`,
  );
}

function checkedValue(flag: Flag, value: string | undefined, inline: boolean): string | null {
  if (flag.value === undefined) {
    if (value !== undefined) throw usageError(`--${flag.name} takes no value.`, null);
    return null;
  }
  const form = `--${flag.name} ${flag.value}`;
  const isFlag =
    !inline && /^-./.test(value ?? "") && !(flag.minimum !== undefined && /^-\d/.test(value ?? ""));
  if (value === undefined || value === "" || isFlag)
    throw usageError(`--${flag.name} needs a value.`, `Write ${form}.`);
  if (flag.choices !== undefined && !flag.choices.includes(value))
    throw usageError(`--${flag.name} knows no "${value}".`, `One of: ${flag.choices.join(", ")}.`);
  if (flag.minimum !== undefined && !(/^\d{1,12}$/.test(value) && Number(value) >= flag.minimum))
    throw usageError(`--${flag.name} needs a whole number from ${flag.minimum} on, not "${value}".`, null);
  if (flag.name === "env" && !/^[^=]+=/.test(value))
    throw usageError(`--env needs NAME=VALUE, not "${value}".`, null);
  return value;
}
