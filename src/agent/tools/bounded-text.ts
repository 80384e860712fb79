/** UTF-16 units of one tool's output that a model gets. */
export const outputLimit = 30_000;

/** A long text with its middle left out, so that beginning and end stay; never cuts a pair of surrogates. */
export function boundedText(text: string, limit = outputLimit): string {
  if (text.length <= limit) return text;
  const part = Math.floor(limit / 2);
  const head = text.slice(0, /[\ud800-\udbff]/.test(text[part - 1] ?? "") ? part - 1 : part);
  const from = text.length - part;
  const tail = text.slice(/[\udc00-\udfff]/.test(text[from] ?? "") ? from + 1 : from);
  return `${head}\n\n[… ${text.length - head.length - tail.length} characters left out …]\n\n${tail}`;
}
