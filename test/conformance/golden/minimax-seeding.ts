import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type SeedRequest, seedSkills } from "../../../src/index.ts";
import { compare, type GoldenSuite } from "./golden-file.ts";

type Tree = Readonly<
  Record<
    string,
    | string
    | {
        readonly text?: string;
        readonly base64?: string;
        readonly mode?: string;
        readonly symlink?: string;
        readonly dir?: boolean;
      }
  >
>;

interface SeedingInput {
  readonly sources: readonly (Tree | null)[];
  readonly outside?: Tree;
  readonly dest: Tree | null;
  readonly marker: string | null;
  readonly disabled?: readonly string[];
}

/** `minimax.seeding`: what a start leaves in the folder of seeded skills. */
export const seedingSuite: GoldenSuite = ({ input, expected }) => {
  const { sources, outside, dest, marker, disabled = [] } = input as SeedingInput;
  const root = mkdtempSync(join(tmpdir(), "golden-"));
  try {
    const folders = sources.map((tree, index) => {
      const folder = join(root, `src${index}`);
      if (tree !== null) build(folder, tree);
      return folder;
    });
    if (outside !== undefined) build(join(root, "outside"), outside);
    const request = { sources: folders, wanted: (name: string) => !disabled.includes(name) };
    const destination = join(root, "dest");
    if (dest !== null) build(destination, dest);
    if (marker !== null) {
      mkdirSync(destination, { recursive: true });
      writeFileSync(
        join(destination, ".seed-fingerprint"),
        marker.replace("$MATCH", () => matching(request, root)),
      );
    }
    const { rewritten, fingerprint } = seedSkills({ ...request, destination });
    return compare(expected, { rewritten, destFiles: files(destination, "").sort(), fingerprint });
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
};

/** The combined fingerprint of the sources, from a seeding elsewhere. */
function matching(request: Omit<SeedRequest, "destination">, root: string): string {
  return seedSkills({ ...request, destination: join(root, "elsewhere") }).fingerprint ?? "";
}

function build(folder: string, tree: Tree): void {
  mkdirSync(folder, { recursive: true });
  for (const [path, value] of Object.entries(tree)) {
    const place = join(folder, path);
    mkdirSync(dirname(place), { recursive: true });
    const entry = typeof value === "string" ? { text: value } : value;
    if (entry.dir === true) mkdirSync(place, { recursive: true });
    else if (entry.symlink !== undefined) symlinkSync(entry.symlink, place);
    else {
      writeFileSync(
        place,
        entry.base64 === undefined ? (entry.text ?? "") : Buffer.from(entry.base64, "base64"),
      );
      if (entry.mode !== undefined) chmodSync(place, Number.parseInt(entry.mode, 8));
    }
  }
}

function files(folder: string, prefix: string): string[] {
  const here = join(folder, prefix);
  if (lstatSync(here, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(here, { withFileTypes: true }).flatMap((entry) => {
    const path = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
    return entry.isDirectory() ? files(folder, path) : [path];
  });
}
