// Bundles skills-src/NAME/main.ts to skills/general/NAME/scripts/NAME.mjs: one file that needs Node.js alone. What the
// bundles hold of others is written to THIRD-PARTY-NOTICES.md. Nothing is done while all outputs are newer than all
// sources. A skill without SKILL.md is not built. `node scripts/skill-scripts.mjs` does it alone, `--force` in any case.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

const root = fileURLToPath(new URL("..", import.meta.url));
const sources = join(root, "skills-src");
const notices = join(root, "THIRD-PARTY-NOTICES.md");

/** Character maps of a PDF folder that files of today need. */
const neededMaps =
  /^(?:Adobe-(?:GB1|CNS1|Japan1|Korea1)-UCS2|Uni.*(?:UTF16|UCS2)|GB-EUC|GBK|GBpc|GBT|ETen|ETHK|B5pc|HKscs|CNS-EUC|90ms|90pv|83pv|EUC-|[HV]\.|KSC)/;

export async function buildSkillScripts(esbuild, { force = false } = {}) {
  const names = readdirSync(sources).filter(
    (name) =>
      existsSync(join(sources, name, "main.ts")) &&
      existsSync(join(root, "skills", "general", name, "SKILL.md")),
  );
  if (!force && isFresh(names)) return;
  const packages = new Map();
  for (const name of names) {
    const result = await bundleScript(esbuild, name);
    for (const input of Object.keys(result.metafile.inputs)) notePackage(packages, input);
    await writeWhole(outputOf(name), result.outputFiles[0].contents, 0o755);
  }
  await writeWhole(notices, Buffer.from(await noticesText(packages), "utf8"), 0o644);
}

/** One skill's script as esbuild gives it, not yet written. */
export function bundleScript(esbuild, name) {
  return esbuild.build({
    absWorkingDir: root,
    entryPoints: [join(sources, name, "main.ts")],
    outfile: outputOf(name),
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    minify: true,
    charset: "utf8",
    legalComments: "none",
    banner: { js: bannerOf(name) },
    metafile: true,
    write: false,
    logLevel: "error",
    plugins: [embed, withoutCanvas, standIn],
  });
}

const outputOf = (name) => join(root, "skills", "general", name, "scripts", `${name}.mjs`);

const bannerOf = (name) => `#!/usr/bin/env node
// Built from skills-src/${name} of Skillet and the libraries it uses; their licences are in THIRD-PARTY-NOTICES.md.
import { createRequire as makeRequire } from "node:module";
const require = makeRequire(import.meta.url);
const [__filename, __dirname] = [import.meta.filename, import.meta.dirname];`;

function isFresh(names) {
  const outputs = [...names.map(outputOf), notices];
  if (!outputs.every((path) => existsSync(path))) return false;
  const oldest = Math.min(...outputs.map((path) => statSync(path).mtimeMs));
  const inputs = readdirSync(sources, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  const others = [join(root, "package-lock.json"), fileURLToPath(import.meta.url)];
  return [...inputs, ...others].every((path) => statSync(path).mtimeMs <= oldest);
}

const signs = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

/** Five signs for four bytes, after the number of bytes that were added to fill up the last four (unpack-bytes.ts). */
function asText(bytes) {
  const missing = (4 - (bytes.length % 4)) % 4;
  const whole = Buffer.concat([bytes, Buffer.alloc(missing)]);
  let text = String(missing);
  for (let at = 0; at < whole.length; at += 4) {
    const value = whole.readUInt32BE(at);
    for (const weight of [85 ** 4, 85 ** 3, 85 ** 2, 85, 1]) text += signs[Math.floor(value / weight) % 85];
  }
  return text;
}

/** `embed:PACKAGE/FILE` is the file's bytes, packed, as text; of a folder, all its files (see unpack-embedded.ts). */
const embed = {
  name: "embed",
  setup(build) {
    build.onResolve({ filter: /^embed:/ }, ({ path }) => ({
      path: join(root, "node_modules", path.slice("embed:".length)),
      namespace: "embed",
    }));
    build.onLoad({ filter: /.*/, namespace: "embed" }, ({ path }) => {
      const bytes = statSync(path).isDirectory() ? folderBytes(path) : readFileSync(path);
      const packed = brotliCompressSync(bytes, {
        params: { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
      });
      return { contents: asText(packed), loader: "text" };
    });
  },
};

/** The PDF reader looks for a native package to draw with, in folders that are not ours; it must not. */
const withoutCanvas = {
  name: "without-canvas",
  setup(build) {
    build.onLoad({ filter: /pdfjs-dist\/legacy\/build\/pdf\.mjs$/ }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      const asked = 'canvas = require("@napi-rs/canvas");';
      if (source.split(asked).length !== 3) throw new Error(`${path} asks for its canvas in another way`);
      // Names of a browser that it wants to see when it is loaded, and never uses for reading.
      const names =
        'for (const name of ["DOMMatrix", "ImageData", "Path2D"]) globalThis[name] ??= class {};\n';
      return { contents: names + source.replaceAll(asked, "canvas = null;"), loader: "js" };
    });
  },
};

/** What libraries bring for things that no script asks of them, and what takes its place. */
const standIns = {
  // The PDF writer draws SVG with this parser, and reads its colours.
  "node-html-better-parser":
    'const gone = () => { throw new Error("SVG is not drawn"); };\nexport { gone as parse, gone as HTMLElement, gone as NodeType };',
  culori: 'export const converter = () => () => { throw new Error("colours are not read from text"); };',
  // Of all entities it needs those of XML.
  "html-entities":
    'export const encode = (text) => text.replace(/[&<>"\']/g, (sign) => "&#" + sign.charCodeAt(0) + ";");',
  // The presentation writer packs its parts with a library that has a second one for unpacking.
  jszip: `export { DeckZip as default } from ${JSON.stringify(join(sources, "pptx", "deck-zip.ts"))};`,
};

const standIn = {
  name: "stand-in",
  setup(build) {
    build.onResolve({ filter: /^(?:node-html-better-parser|culori|html-entities|jszip)$/ }, ({ path }) => ({
      path,
      namespace: "stand-in",
    }));
    build.onLoad({ filter: /.*/, namespace: "stand-in" }, ({ path }) => ({
      contents: standIns[path],
      loader: "js",
      resolveDir: root,
    }));
  },
};

function folderBytes(folder) {
  const names = readdirSync(folder).filter((name) => neededMaps.test(name));
  const files = names.sort().map((name) => [name, readFileSync(join(folder, name))]);
  const head = Buffer.from(JSON.stringify(files.map(([name, bytes]) => [name, bytes.length])), "utf8");
  const size = Buffer.alloc(4);
  size.writeUInt32LE(head.length);
  return Buffer.concat([size, head, ...files.map(([, bytes]) => bytes)]);
}

function notePackage(packages, input) {
  const path = relative(root, join(root, input.replace(/^embed:/, ""))).replaceAll("\\", "/");
  const found = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path.startsWith("..") ? input : path);
  if (found === null) return;
  const folder = found[0].includes("node_modules/") ? found[0].replace(/^embed:/, "") : found[0];
  packages.set(found[1], join(root, folder.slice(folder.indexOf("node_modules/"))));
}

async function noticesText(packages) {
  const parts = [];
  for (const name of [...packages.keys()].sort()) {
    const folder = packages.get(name);
    const { version, license, author, homepage, repository } = JSON.parse(
      await readFile(join(folder, "package.json"), "utf8"),
    );
    const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file));
    const texts = files.map((file) =>
      readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim(),
    );
    const by = typeof author === "string" ? author : (author?.name ?? "");
    const place = homepage ?? (typeof repository === "string" ? repository : repository?.url) ?? "";
    parts.push(
      `## ${name} ${version}\n\nLicence: ${typeof license === "string" ? license : JSON.stringify(license)}${by ? ` · ${by}` : ""}${place ? ` · ${place}` : ""}\n\n${texts.map((text) => `\`\`\`\`text\n${text}\n\`\`\`\``).join("\n\n")}`,
    );
    if (name === "pdfjs-dist" && existsSync(join(folder, "cmaps", "LICENSE")))
      parts.push(
        `### Character maps in ${name}\n\n\`\`\`\`text\n${readFileSync(join(folder, "cmaps", "LICENSE"), "utf8").trim()}\n\`\`\`\``,
      );
  }
  return `# Third-party notices

The scripts of Skillet's built-in skills (\`skills/general/NAME/scripts\`) are single files that hold parts of these
packages. The build writes this file.

${parts.join("\n\n")}
`;
}

/** A reader sees the old file or the whole new one. */
async function writeWhole(path, bytes, mode) {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, bytes);
  await chmod(temporary, mode);
  await rename(temporary, path);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await buildSkillScripts(await import("esbuild"), { force: process.argv.includes("--force") });
