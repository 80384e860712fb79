import { readFileSync, statSync } from "node:fs";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { Failure, messageOf, usage } from "./failure.ts";
import { type OutputFile, writeWhole } from "./write-whole.ts";

/** One option of a command, as `--help` shows it. */
export interface OptionSpec {
  /** Placeholder of the value; without it the option is a switch. */
  readonly value?: string;
  readonly short?: string;
  readonly multiple?: boolean;
  readonly help: string;
}

export interface CommandSpec {
  readonly usage: string;
  readonly summary: string;
  readonly options?: Readonly<Record<string, OptionSpec>>;
  /** Lines after the options. */
  readonly notes?: readonly string[];
  readonly run: (call: Call) => void | Promise<void>;
}

/** What a command was called with, and its ways to the outside. */
export interface Call {
  readonly positionals: readonly string[];
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  flag(name: string): boolean;
  /** A number between the bounds, in plain digits; a whole one unless `fraction`. */
  number(
    name: string,
    bounds: { readonly min: number; readonly max: number; readonly fraction?: boolean },
  ): number | undefined;
  /** The positional at `index`; its absence is wrong usage. */
  needed(index: number, what: string): string;
  print(text: string): void;
  warn(text: string): void;
  /** Writes all files or none, and names them on stdout; with `aside` on stderr, where stdout is for a text. */
  write(files: readonly OutputFile[], options?: { readonly aside?: boolean }): void;
}

const common: Readonly<Record<string, OptionSpec>> = {
  force: { short: "f", help: "replace an output file that exists" },
  help: { short: "h", help: "show this text" },
};

export interface Program {
  readonly name: string;
  readonly about: string;
  readonly commands: Readonly<Record<string, CommandSpec>>;
}

/** Runs a script's command line. Data goes to stdout, everything else to stderr; sets the exit code. */
export async function runProgram(program: Program): Promise<void> {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
  });
  try {
    await dispatch(program, process.argv.slice(2));
  } catch (error) {
    const failure = error instanceof Failure ? error : unexpected(error);
    process.stderr.write(`${program.name}: ${inOneLine(failure.message)}\n`);
    if (failure.hint !== null) process.stderr.write(`  ${inOneLine(failure.hint)}\n`);
    process.exitCode = failure.exitCode;
  }
}

/** Names from files and documents may hold control characters: they are shown, and do nothing. */
function inOneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (sign) =>
    sign === "\n" ? "\\n" : `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}

function unexpected(error: unknown): Failure {
  if (process.env.DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  return new Failure(`the document could not be processed: ${messageOf(error)}`, {
    hint: "the file may be damaged, or uses something this script does not know",
  });
}

async function dispatch(program: Program, args: readonly string[]): Promise<void> {
  const [name, ...rest] = args;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    const of = rest[0] === undefined ? undefined : program.commands[rest[0]];
    process.stdout.write(of ? commandHelp(program, rest[0] ?? "", of) : programHelp(program));
    return;
  }
  const command = Object.hasOwn(program.commands, name) ? program.commands[name] : undefined;
  if (command === undefined)
    throw usage(`there is no command "${name}"`, `known: ${Object.keys(program.commands).join(", ")}`);
  const options = { ...command.options, ...common };
  const { values, positionals } = parse(options, rest);
  if (values.help === true) {
    process.stdout.write(commandHelp(program, name, command));
    return;
  }
  await command.run(callOf(values, positionals));
}

type Values = Readonly<Record<string, unknown>>;

function parse(
  options: Readonly<Record<string, OptionSpec>>,
  args: readonly string[],
): { readonly values: Values; readonly positionals: readonly string[] } {
  const config: NonNullable<ParseArgsConfig["options"]> = {};
  for (const [name, spec] of Object.entries(options))
    config[name] = {
      type: spec.value === undefined ? "boolean" : "string",
      ...(spec.short === undefined ? {} : { short: spec.short }),
      ...(spec.multiple ? { multiple: true } : {}),
    };
  try {
    return parseArgs({ args: [...args], options: config, allowPositionals: true, strict: true });
  } catch (error) {
    throw usage(messageOf(error).split(". ")[0] ?? "wrong options", "--help shows what there is");
  }
}

function callOf(values: Values, positionals: readonly string[]): Call {
  const text = (name: string): string | undefined => {
    const value = values[name];
    return typeof value === "string" ? value : undefined;
  };
  return {
    positionals,
    text,
    texts: (name) => {
      const value = values[name];
      return Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)];
    },
    flag: (name) => values[name] === true,
    number: (name, { min, max, fraction = false }) => {
      const value = text(name);
      if (value === undefined) return undefined;
      const number = Number(value);
      const plain = fraction ? /^-?(?:\d+\.?\d*|\.\d+)$/ : /^-?\d+$/;
      if (!plain.test(value) || number < min || number > max)
        throw usage(
          `--${name} must be a ${fraction ? "" : "whole "}number from ${min} to ${max}, not "${value}"`,
        );
      return number;
    },
    needed: (index, what) => {
      const value = positionals[index];
      if (value === undefined) throw usage(`${what} is missing`, "--help shows how to call it");
      return value;
    },
    print: (out) => void process.stdout.write(out.endsWith("\n") ? out : `${out}\n`),
    warn: (out) => void process.stderr.write(`warning: ${inOneLine(out)}\n`),
    write: (files, { aside = false } = {}) => {
      writeWhole(files, { force: values.force === true });
      const stream = aside ? process.stderr : process.stdout;
      for (const { path } of files) stream.write(`wrote ${inOneLine(path)}\n`);
    },
  };
}

function programHelp(program: Program): string {
  const width = Math.max(...Object.keys(program.commands).map((name) => name.length));
  const lines = Object.entries(program.commands).map(
    ([name, spec]) => `  ${name.padEnd(width)}  ${spec.summary}`,
  );
  return `${program.about}

Usage: node ${program.name}.mjs COMMAND …

Commands:
${lines.join("\n")}

\`COMMAND --help\` shows a command's options. Input files stay as they are unless they are named as output with --force.
Exit codes: 0 done, 1 the work failed or the document was refused, 2 wrong usage, 3 a file was not found.
`;
}

function commandHelp(program: Program, name: string, command: CommandSpec): string {
  const rows = Object.entries({ ...command.options, ...common }).map(([option, spec]) => {
    const short = spec.short === undefined ? "" : `-${spec.short}, `;
    return [`${short}--${option}${spec.value === undefined ? "" : ` ${spec.value}`}`, spec.help] as const;
  });
  const width = Math.max(...rows.map(([left]) => left.length));
  const notes = command.notes === undefined ? "" : `\n${command.notes.join("\n")}\n`;
  return `${command.summary}

Usage: node ${program.name}.mjs ${name} ${command.usage}

Options:
${rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n")}
${notes}`;
}

const largest = 512 * 1024 * 1024;

/** Bytes of an input file. */
export function readInput(path: string): Buffer {
  let size: number;
  try {
    const stat = statSync(path);
    if (!stat.isFile()) throw usage(`${path} is not a file`);
    size = stat.size;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`cannot read ${path}: there is no such file`, { exitCode: 3 });
  }
  if (size > largest) throw new Failure(`refused: ${path} has ${size} bytes; the limit is ${largest}`);
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Failure(`cannot read ${path}: ${messageOf(error)}`, { exitCode: 3 });
  }
}

/** An input file as text: UTF-8 or UTF-16 with a mark, else UTF-8, else GB18030. */
export function readText(path: string): string {
  return decodeText(readInput(path));
}

export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("gb18030").decode(bytes);
  }
}

/** JSON from an input file, or given directly as text that begins with `{` or `[`. */
export function readJson(value: string): unknown {
  const text = /^\s*[{[]/.test(value) ? value : readText(value);
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw usage(`this is not JSON: ${messageOf(error)}`);
  }
}
