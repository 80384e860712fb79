/** Checked access to what a model wrote as a call's arguments. */
export interface Arguments {
  text(name: string): string | null;
  number(name: string): number | null;
  flag(name: string): boolean;
  value(name: string): unknown;
}

/** Arguments of any shape; what has another type than asked for counts as missing, numbers in texts are taken. */
export function readArguments(input: unknown): Arguments {
  const value = (name: string): unknown =>
    typeof input === "object" && input !== null && Object.hasOwn(input, name)
      ? Reflect.get(input, name)
      : undefined;
  return {
    value,
    text: (name) => {
      const found = value(name);
      return typeof found === "string" ? found : null;
    },
    number: (name) => {
      const found = value(name);
      if (typeof found === "number" && Number.isFinite(found)) return found;
      return typeof found === "string" && /^-?\d{1,9}$/.test(found.trim()) ? Number(found) : null;
    },
    flag: (name) => value(name) === true || value(name) === "true",
  };
}

/** The answer to a call that lacks something. */
export function missing(tool: string, what: string): { output: string; failed: true; summary: string } {
  return {
    output: `\`${what}\` is missing or has the wrong type. Call ${tool} again with it.`,
    failed: true,
    summary: `no ${what}`,
  };
}
