/**
 * Whether a sed script only reads, prints and replaces: no files written (`w`), no commands run (`e`). Anything that is not
 * understood does more.
 */
export function isHarmlessSed(script: string): boolean {
  // A separator in brackets ends the pattern for one sed and not for another.
  if (/\[[^\]]*\//.test(script)) return false;
  const address = /^(?:\d+(?:~\d+)?|\$|\/(?:[^/\\\n]|\\[^\n])*\/I?)/;
  let rest = script;
  let depth = 0;
  const skip = (pattern: RegExp): boolean => {
    const found = pattern.exec(rest);
    if (found !== null) rest = rest.slice(found[0].length);
    return found !== null;
  };
  while (rest !== "") {
    if (skip(/^[\s;]+/)) continue;
    if (skip(address)) {
      skip(/^\s*/);
      if (skip(/^,\s*/) && !skip(address) && !skip(/^[+~]\d+/)) return false;
      skip(/^\s*!?\s*/);
    }
    if (skip(/^\{/)) {
      depth += 1;
      continue;
    }
    const done =
      skip(/^\}/) ||
      skip(/^s\/(?:[^/\\\n]|\\[^\n])*\/(?:[^/\\\n]|\\[^\n])*\/[gpiI\d]*/) ||
      skip(/^s\|(?:[^|\\\n[]|\\[^\n])*\|(?:[^|\\\n[]|\\[^\n])*\|[gpiI\d]*/) ||
      skip(/^y\/(?:[^/\\\n]|\\[^\n])*\/(?:[^/\\\n]|\\[^\n])*\//) ||
      skip(/^[pPdDnNgGhHxl=]/) ||
      skip(/^[qQ]\d*/) ||
      // Their text goes to the end of the line.
      skip(/^[aic]\s*\\?[ \t]*[^\s\\][^\n\\]*(?=\n|$)/);
    if (!done || !/^\s*(?:[;}\n]|$)/.test(rest)) return false;
  }
  return depth >= 0;
}

/**
 * Whether an awk program can only print what it reads: nothing run, no other files read or written, no variables of the
 * environment. Comparisons with `<` and `>` cannot be told from files, and so do not count as harmless.
 */
export function isHarmlessAwk(program: string): boolean {
  return !/[|<>@]|getline|system|close|fflush|ARG|ENVIRON|SYMTAB|FUNCTAB|PROCINFO|nextfile/.test(program);
}
