const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

/** The readable text of a page: without markup, scripts and styles; headings, list items and links are marked. Linear. */
export function htmlText(html: string): string {
  const lower = html.toLowerCase();
  let text = "";
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    if (open < 0) {
      text += html.slice(at);
      break;
    }
    text += html.slice(at, open);
    if (html.startsWith("<!--", open)) {
      const end = html.indexOf("-->", open);
      at = end < 0 ? html.length : end + 3;
      continue;
    }
    const close = html.indexOf(">", open);
    if (close < 0) break;
    const [, slash = "", raw = ""] = /^(\/?)([a-zA-Z][a-zA-Z0-9]*)/.exec(html.slice(open + 1, close)) ?? [];
    const name = raw.toLowerCase();
    at = close + 1;
    if (slash === "" && ["script", "style", "noscript", "svg", "template"].includes(name)) {
      const end = lower.indexOf(`</${name}`, at);
      at = end < 0 ? html.length : end;
      continue;
    }
    text += markOf(name, slash !== "");
  }
  return text
    .replace(/&(#x?[0-9a-f]+|[a-z]+);/gi, (whole, name: string) => entity(name) ?? whole)
    .replace(/[ \t\r\f]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function markOf(name: string, closing: boolean): string {
  if (/^h[1-6]$/.test(name)) return closing ? "\n\n" : `\n\n${"#".repeat(Number(name[1]))} `;
  if (name === "li") return closing ? "" : "\n- ";
  if (["td", "th"].includes(name)) return closing ? " | " : "";
  if (name === "br") return "\n";
  return [
    "p",
    "div",
    "section",
    "article",
    "tr",
    "ul",
    "ol",
    "table",
    "pre",
    "blockquote",
    "title",
    "main",
  ].includes(name)
    ? "\n\n"
    : "";
}

function entity(name: string): string | null {
  if (!name.startsWith("#")) return entities[name.toLowerCase()] ?? null;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
  return Number.isInteger(code) && code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : null;
}
