/** A settings object as read from JSON. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Objects are merged key by key, anything else is replaced; keys of `base` keep their place (lists do not add up). */
export function mergeSettings(base: Fields, over: Fields): Fields {
  const merged: Record<string, unknown> = Object.assign(Object.create(null), base);
  for (const [key, value] of Object.entries(over)) {
    const known = merged[key];
    merged[key] = isFields(known) && isFields(value) ? mergeSettings(known, value) : value;
  }
  return merged;
}
