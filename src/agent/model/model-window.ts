/** Context windows by the beginning of a model's id, first match wins; tokens. Settings of the user stand above. */
const windows: readonly (readonly [RegExp, number])[] = [
  [/^claude-/, 200_000],
  [/^gpt-(?:[5-9]|\d\d)/, 400_000],
  [/^gpt-4\.1/, 1_000_000],
  [/^gpt-4/, 128_000],
  [/^o\d/, 200_000],
  [/^gemini-/, 1_000_000],
  [/^kimi/, 128_000],
];

/** Tokens that fit a model's context; null = not known. The part behind the last slash of an id counts. */
export function knownWindow(id: string): number | null {
  const name = id.slice(id.lastIndexOf("/") + 1).toLowerCase();
  return windows.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}
