import { programName } from "./command-options.ts";

/** Programs that run the command that stands behind their own options. */
const wrappers: ReadonlySet<string> = new Set(
  "env nice nohup time timeout command exec xargs stdbuf ionice setsid busybox toybox taskset chrt caffeinate npx bunx pnpx setarch fakeroot".split(
    " ",
  ),
);

/** Verbs behind which a command stands. */
const runningVerbs: ReadonlyMap<string, RegExp> = new Map([
  ...["npm", "pnpm", "yarn", "bun", "bundle", "direnv"].map((name): [string, RegExp] => [
    name,
    /^(?:exec|x|dlx)$/,
  ]),
  ...["uv", "poetry", "pipenv", "hatch", "pdm", "rye"].map((name): [string, RegExp] => [name, /^run$/]),
]);

/**
 * The commands that a command runs, as far as they stand in its words: `nice -n 5 npm test` → `npm test`, and also
 * `5 npm test`, since which word belongs to an option is for the program to know. Outermost first.
 */
export function innerCommands(words: readonly string[]): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  let open: readonly (readonly string[])[] = [words];
  // Wrappers in wrappers; a line with more of them than this is no everyday command.
  for (let depth = 0; depth < 6 && open.length > 0 && found.length < 50; depth++) {
    open = open.flatMap(directlyInside);
    found.push(...open);
  }
  return found;
}

function directlyInside([first = "", ...rest]: readonly string[]): readonly (readonly string[])[] {
  const name = programName(first);
  if (wrappers.has(name)) return startsOf(rest);
  return runningVerbs.get(name)?.test(rest[0] ?? "") === true ? startsOf(rest.slice(1)) : [];
}

function startsOf(words: readonly string[]): readonly (readonly string[])[] {
  const starts: (readonly string[])[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word.startsWith("-") || /^[A-Za-z_]\w*=/.test(word)) continue;
    starts.push(words.slice(at));
    const value = at > 0 && /^-[^=]*$/.test(words[at - 1] ?? "") && words[at - 1] !== "--";
    if (!value && !/^[\d.]+[smhd]?$/.test(word)) break;
  }
  return starts;
}
