/** The closing layer where an answer has to fit a JSON Schema (feature O22). */
export function formatLayer(schema: unknown): string {
  return `Your last answer is read by a program. It must be one JSON value that fits the schema below, with nothing before or behind it and without a code fence. Use tools as usual before that.\n${JSON.stringify(schema)}`;
}
