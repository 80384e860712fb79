/** Options of a program, as letters and as long names without dashes. */
export interface Options {
  readonly short?: string;
  readonly long?: readonly string[];
}

/**
 * Whether one of these options is among the words, in any spelling that programs take: alone, combined with others
 * (`-uo`), glued to its value (`-oFILE`), shortened (`--outp=FILE`). Rather once too often: a value may look like one.
 */
export function hasOption(words: readonly string[], { short = "", long = [] }: Options): boolean {
  return words.some((word) => {
    if (word.startsWith("--")) {
      const [typed = ""] = word.slice(2).split("=");
      return typed !== "" && long.some((name) => name.startsWith(typed));
    }
    return /^-./.test(word) && [...word.slice(1)].some((letter) => short.includes(letter));
  });
}

/** Words that are no options. Those behind one of `valued` (`-n`) are its value. */
export function operandsOf(words: readonly string[], valued: readonly string[] = []): readonly string[] {
  const end = words.indexOf("--");
  const before = end < 0 ? words : words.slice(0, end);
  return [
    ...before.filter(
      (word, index) => (word === "-" || !word.startsWith("-")) && !valued.includes(before[index - 1] ?? ""),
    ),
    ...(end < 0 ? [] : words.slice(end + 1)),
  ];
}

/** Every text in a command's words that a program may take for a path: operands, values of options, glued or not. */
export function possiblePaths(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => {
    const value = word.includes("=") ? [word.slice(word.indexOf("=") + 1)] : [];
    // `HEAD:.env`, `host:path`, `@file`.
    const behind = /^[\w./~^{}-]*[:@](?=[^/\\]|\/(?!\/))(.+)$/.exec(word)?.[1];
    const more = [...value, ...(behind === undefined ? [] : [behind.replace(/^@/, "")])];
    if (!word.startsWith("-")) return [word, ...more];
    // `-f/etc/hosts`, `-xf../a`, `-f.env`: where the letters end is for the program to know.
    const glued = /^-[A-Za-z]{1,3}([/~.@].*)$/.exec(word)?.[1];
    const one = /^-[A-Za-z](.+)$/.exec(word)?.[1];
    return [
      ...more,
      ...(glued === undefined ? [] : [glued.replace(/^@/, "")]),
      ...(one === undefined ? [] : [one]),
    ];
  });
}

/** A program's name without its folder. */
export function programName(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1);
}
