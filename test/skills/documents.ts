import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeZip } from "../../skills-src/common/zip-write.ts";
import { runScript, type ScriptRun } from "./run-script.ts";

// Documents are checked by other programs: LibreOffice, poppler and qpdf.

const isThere = (name: string): boolean => {
  try {
    execFileSync("which", [name], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

const wanted = ["soffice", "pdftotext", "pdftoppm", "pdffonts", "pdfinfo", "qpdf"];
const missing = wanted.filter((name) => !isThere(name));

/** Why tests with other programs are left out here, or null. */
export const withoutPrograms = missing.length > 0 ? `needs ${missing.join(", ")}` : null;
if (withoutPrograms) console.warn(`document skills: not compared with other programs, ${withoutPrograms}`);

export interface Desk {
  readonly folder: string;
  path(name: string): string;
  put(name: string, content: string | Uint8Array): void;
  bytes(name: string): Buffer;
  text(name: string): string;
  run(...args: readonly string[]): Promise<ScriptRun>;
  /** As `run`, and fails unless the exit code is 0. */
  ok(...args: readonly string[]): Promise<string>;
  /** Converts with LibreOffice; gives the name of the new file. */
  office(name: string, ending: string, filter?: string): string;
  /** Converts several in one run of LibreOffice, which is slow to start. */
  offices(names: readonly string[], ending: string, filter?: string): readonly string[];
  tool(program: string, ...args: readonly string[]): string;
  clean(): void;
}

export function desk(skill: string): Desk {
  const folder = mkdtempSync(join(tmpdir(), `skillet-${skill}-`));
  const path = (name: string): string => join(folder, name);
  const offices: Desk["offices"] = (names, ending, filter) => {
    const target = path("office");
    execFileSync(
      "soffice",
      [
        `-env:UserInstallation=file://${path("profile")}`,
        "--headless",
        "--convert-to",
        filter ? `${ending}:${filter}` : ending,
        "--outdir",
        target,
        ...names.map(path),
      ],
      { stdio: "ignore", env: { PATH: process.env.PATH ?? "", HOME: folder } },
    );
    return names.map((name) => `office/${basename(name, extname(name))}.${ending}`);
  };
  const run = (...args: readonly string[]): Promise<ScriptRun> => runScript(skill, args, { cwd: folder });
  return {
    folder,
    path,
    put: (name, content) => {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), content);
    },
    bytes: (name) => readFileSync(path(name)),
    text: (name) => readFileSync(path(name), "utf8"),
    run,
    ok: async (...args) => {
      const { code, out, err } = await run(...args);
      if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${err}`);
      return out;
    },
    office: (name, ending, filter) => offices([name], ending, filter)[0] ?? "",
    offices,
    tool: (program, ...args) =>
      execFileSync(program, [...args], { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }),
    clean: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}

/** A picture of two by two dots with transparency. */
export const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAFUlEQVR4nGP8z8Dwn4GBgYGJAQoAHxcCAr7RpyYAAAAASUVORK5CYII=",
  "base64",
);

/** Packages made to harm, for a part that the skill reads first. */
export function hostilePackages(main: string, type: string): Readonly<Record<string, Buffer>> {
  const types = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${main}" ContentType="${type}"/></Types>`;
  const relations = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="${main}"/></Relationships>`;
  const base: readonly (readonly [string, string | Uint8Array])[] = [
    ["[Content_Types].xml", types],
    ["_rels/.rels", relations],
  ];
  const pack = (...more: readonly (readonly [string, string | Uint8Array])[]): Buffer =>
    writeZip(new Map([...base, ...more]));
  const lying = pack([main, "x".repeat(5000)]);
  lying.writeUInt32LE(
    100,
    lying.indexOf(Buffer.from([0x50, 0x4b, 1, 2]), lying.lastIndexOf("_rels/.rels")) + 24,
  );
  return {
    bomb: pack([main, Buffer.alloc(60 * 1024 * 1024, 32)]),
    escape: pack([main, "<a/>"], ["../evil.txt", "x"]),
    absolute: pack([main, "<a/>"], ["/etc/evil", "x"]),
    entity: pack([main, '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>']),
    laughs: pack([main, '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><a>&b;</a>']),
    deep: pack([main, `${"<a>".repeat(5000)}${"</a>".repeat(5000)}`]),
    lying,
    twice: Buffer.from(
      pack([main, "<a/>"], ["zz1.xml", "x"], ["zz2.xml", "x"])
        .toString("latin1")
        .replaceAll("zz2.xml", "zz1.xml"),
      "latin1",
    ),
  };
}

/** Script sources stand beside the skills; a test names them to rebuild nothing by itself. */
export const scriptOf = (skill: string): string =>
  fileURLToPath(new URL(`../../skills/general/${skill}/scripts/${skill}.mjs`, import.meta.url));
