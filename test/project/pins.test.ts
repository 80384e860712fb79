import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

// What users and their tools rely on in the package itself. A change here is a change of the contract: it belongs in
// CHANGELOG.md.

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Manifest {
  readonly name: string;
  readonly type: string;
  readonly license: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly files: readonly string[];
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(read("package.json")) as Manifest;

describe("package", () => {
  test("its name, format and runtime", () => {
    const { name, type, license, engines } = manifest;
    expect({ name, type, license, engines }).toEqual({
      name: "skillet",
      type: "module",
      license: "MIT",
      engines: { node: ">=20.19" },
    });
  });

  test("nothing runs when it is installed", () => {
    const names = Object.keys(manifest.scripts);
    const onInstall = ["preinstall", "install", "postinstall", "prepare", "prepublish"];
    expect(names.filter((name) => onInstall.includes(name))).toEqual([]);
    expect(names).toContain("prepack");
  });

  test("the pages that hints name", () => {
    expect(manifest.files).toEqual(expect.arrayContaining(["docs", "schema"]));
  });

  test("its commands", () => {
    expect(manifest.bin).toEqual({ skillet: "dist/bin/skillet.js", skl: "dist/bin/skillet.js" });
  });

  test("its entry points", () => {
    expect(manifest.exports).toEqual({
      ".": { types: "./dist/index.d.ts", import: "./dist/index.js" },
      "./ai-sdk": { types: "./dist/adapters/ai-sdk.d.ts", import: "./dist/adapters/ai-sdk.js" },
      "./openai": { types: "./dist/adapters/openai.d.ts", import: "./dist/adapters/openai.js" },
      "./anthropic": { types: "./dist/adapters/anthropic.d.ts", import: "./dist/adapters/anthropic.js" },
      "./package.json": "./package.json",
    });
  });

  test("exact versions only", () => {
    const all = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    // An alias names another version of a package that is there already, for matrix tests.
    const exact = /^(?:npm:@?[\w./-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/;
    expect(all.filter(([, version]) => !exact.test(version))).toEqual([]);
  });

  test("a lock file that fits every registry", () => {
    const lock = JSON.parse(read("package-lock.json")) as {
      readonly packages: Readonly<Record<string, { readonly resolved?: string; readonly version?: string }>>;
    };
    expect(Object.entries(lock.packages).filter(([, entry]) => entry.resolved !== undefined)).toEqual([]);
    expect(lock.packages[""]?.version).toBe(
      (JSON.parse(read("package.json")) as { version: string }).version,
    );
  });

  test("no install scripts among the dependencies that users get", () => {
    const lock = JSON.parse(read("package-lock.json")) as {
      readonly packages: Readonly<
        Record<string, { readonly dev?: boolean; readonly hasInstallScript?: boolean }>
      >;
    };
    const found = Object.entries(lock.packages).filter(
      ([path, entry]) => path !== "" && entry.dev !== true && entry.hasInstallScript === true,
    );
    expect(found).toEqual([]);
  });
});

describe("repository", () => {
  test.each(["README.md", "ARCHITECTURE.md", "AGENTS.md", "CHANGELOG.md", "LICENSE", "docs"])(
    "has %s",
    (path) => {
      expect(existsSync(join(root, path))).toBe(true);
    },
  );

  test("the changelog knows the version", () => {
    const { version } = JSON.parse(read("package.json")) as { version: string };
    expect(read("CHANGELOG.md")).toContain(`## ${version}`);
  });

  test("no paths of one machine and no registry hosts", () => {
    const machine = /(?<![\w.~$}\])/-])\/(?:work|root)\/|\bregistry\.(?:npmjs|yarnpkg|npmmirror)\b/;
    const found = trackedTexts().flatMap(({ path, text }) =>
      text.split("\n").flatMap((line, index) => (machine.test(line) ? [`${path}:${index + 1}`] : [])),
    );
    expect(found).toEqual([]);
  });
});

/** Tracked files but test data, which is kept byte for byte as it was found. */
function trackedTexts(): ReadonlyArray<{ readonly path: string; readonly text: string }> {
  return execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" })
    .split("\0")
    .filter((path) => path !== "" && !/(?:^|\/)fixtures\/|^test\/conformance\/data\//.test(path))
    .filter((path) => existsSync(join(root, path)) && statSync(join(root, path)).isFile())
    .map((path) => ({ path, text: read(path) }))
    .filter(({ text }) => !text.includes("\0"));
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}
