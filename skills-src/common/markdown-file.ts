import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { type Call, type OptionSpec, readText } from "./command.ts";
import { type PageSetup, pageNames, pageSetup, type TextDocument } from "./document.ts";
import { usage } from "./failure.ts";
import { readMarkdown } from "./read-markdown.ts";

export const pageOptions: Readonly<Record<string, OptionSpec>> = {
  paper: { value: "NAME", help: `page size: ${pageNames.join(", ")} (a4)` },
  landscape: { help: "pages in landscape" },
  margin: { value: "POINTS", help: "margin on all sides (64)" },
  size: { value: "POINTS", help: "size of the text (11)" },
};

export const fontOptions: Readonly<Record<string, OptionSpec>> = {
  font: { value: "FILE", multiple: true, help: "font file (.ttf, .otf, .ttc) to draw with; may be repeated" },
  "no-system-fonts": { help: "use no fonts of this machine" },
};

/** The page that the options describe. */
export function pageOf(call: Call): PageSetup {
  const margin = call.number("margin", { min: 0, max: 300, fraction: true });
  const name = call.text("paper") ?? "a4";
  const setup = pageSetup(name, {
    ...(margin === undefined ? {} : { margin }),
    landscape: call.flag("landscape"),
  });
  if (setup === null) throw usage(`there is no paper "${name}"`, `known: ${pageNames.join(", ")}`);
  return setup;
}

export function fontSettings(call: Call): {
  readonly fontFiles: readonly string[];
  readonly systemFonts: boolean;
} {
  return { fontFiles: call.texts("font"), systemFonts: !call.flag("no-system-fonts") };
}

/**
 * A Markdown or text file as a document. `-` is standard input; `given` is text that was read already. Pictures are taken from below the file's folder alone:
 * a text must not pull in files from elsewhere.
 */
export function documentFromMarkdown(path: string, call: Call, given?: string): TextDocument {
  const folder = resolve(path === "-" ? "." : dirname(path));
  const text = given ?? (path === "-" ? readFileSync(0, "utf8") : readText(path));
  const size = call.number("size", { min: 5, max: 60, fraction: true });
  return readMarkdown(/\.txt$/i.test(path) ? plainText(text) : text, {
    page: pageOf(call),
    ...(size === undefined ? {} : { fontSize: size }),
    loadPicture: (name) => loadPicture(name, { folder, call }),
  });
}

/** Text that is no Markdown keeps its lines and signs. */
function plainText(text: string): string {
  return text
    .split(/\n{2,}/)
    .map((part) =>
      part
        .split("\n")
        .map((line) => line.replace(/([\\`*_{}[\]<>()#+.!|~-])/g, "\\$1"))
        .join("\\\n"),
    )
    .join("\n\n");
}

function loadPicture(
  name: string,
  { folder, call }: { readonly folder: string; readonly call: Call },
): Uint8Array | null {
  const data = /^data:image\/(?:png|jpe?g);base64,([A-Za-z0-9+/=\s]+)$/.exec(name)?.[1];
  if (data !== undefined) return Buffer.from(data, "base64");
  if (/^[a-z][a-z\d+.-]+:/i.test(name)) {
    call.warn(`the picture ${name.slice(0, 100)} is left out: addresses are not fetched; download it first`);
    return null;
  }
  let path: string;
  try {
    path = realpathSync(resolve(folder, decodeURI(name)));
    if (!statSync(path).isFile()) throw new Error("no file");
  } catch {
    call.warn(`the picture ${name} is left out: there is no such file`);
    return null;
  }
  const inner = relative(realpathSync(folder), path);
  if (inner.startsWith(`..${sep}`) || inner === ".." || resolve(inner) === inner) {
    call.warn(`the picture ${name} is left out: it lies outside the document's folder`);
    return null;
  }
  return readFileSync(path);
}
