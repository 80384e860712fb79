import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { modelError, reasonOf } from "./model-error.ts";

/** What is needed of `@huggingface/tokenizers`. */
export interface Tokenizer {
  encode(
    text: string,
    options: { readonly add_special_tokens: boolean },
  ): { readonly ids: readonly (number | undefined)[] };
}

/** What is needed of `onnxruntime-node`. */
export interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  readonly inputMetadata?: readonly { readonly name: string; readonly type?: string }[];
  run(
    feeds: Readonly<Record<string, unknown>>,
    fetches: readonly string[],
  ): Promise<Readonly<Record<string, OnnxTensor>>>;
}

export interface OnnxTensor {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: unknown;
}

export interface ModelPackages {
  createTokenizer(tokenizer: object, config: object): Tokenizer;
  openSession(path: string): Promise<OnnxSession>;
  tensor(type: "int64" | "int32", data: BigInt64Array | Int32Array, dims: readonly number[]): unknown;
}

const names = ["onnxruntime-node", "@huggingface/tokenizers"] as const;
/** What fails is thrown; the runtime need not write it to stderr too. */
const sessionOptions = { logSeverityLevel: 4 };

/**
 * Loads the two packages that run a model, which are no part of Skillet. They are searched where Skillet lies, then in
 * the folders of `nodePath` (like `NODE_PATH`). Throws `SkilletError` "failed" with the command that installs them.
 */
export async function modelPackages(nodePath: string | null): Promise<ModelPackages> {
  const [runtime, tokenizers] = await Promise.all(names.map((name) => load(name, nodePath)));
  const { InferenceSession, Tensor } = runtime as {
    readonly InferenceSession: { create(path: string, options: object): Promise<OnnxSession> };
    readonly Tensor: new (type: string, data: unknown, dims: readonly number[]) => unknown;
  };
  const { Tokenizer } = tokenizers as { readonly Tokenizer: new (json: object, config: object) => Tokenizer };
  return {
    createTokenizer: (json, config) => new Tokenizer(json, config),
    openSession: (path) => InferenceSession.create(path, sessionOptions),
    tensor: (type, data, dims) => new Tensor(type, data, dims),
  };
}

async function load(name: string, nodePath: string | null): Promise<unknown> {
  const path = resolved(name, nodePath);
  if (path === null)
    throw modelError(
      `The packages ${names.join(" and ")} run a model from a folder; ${name} is not installed here.`,
      installHint(),
    );
  try {
    const module: { readonly default?: unknown } = await import(pathToFileURL(path).href);
    return { ...(module.default as object | undefined), ...module };
  } catch (error) {
    throw modelError(`The package ${name} does not start: ${reasonOf(error)}.`, installHint(), error);
  }
}

function resolved(name: string, nodePath: string | null): string | null {
  const require = createRequire(import.meta.url);
  const searches = [
    undefined,
    { paths: (nodePath ?? "").split(delimiter).filter((folder) => folder !== "") },
  ];
  for (const search of searches)
    try {
      return require.resolve(name, search);
    } catch {
      // Not there.
    }
  return null;
}

/** Skillet lies in the packages of the whole machine, or of a project; they go beside it. */
function installHint(): string {
  const here = fileURLToPath(import.meta.url);
  const at = here.lastIndexOf(join(sep, "node_modules", "skillet", sep));
  const everywhere = at >= 0 && !existsSync(join(here.slice(0, at), "package.json"));
  return `Install them beside Skillet: npm install ${everywhere ? "-g " : ""}${names.join(" ")}`;
}
