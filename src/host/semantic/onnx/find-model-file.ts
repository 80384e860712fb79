import { readdirSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { modelError } from "./model-error.ts";

/** Usual names, the first that is there is taken. */
const usual = ["model.onnx", "onnx/model.onnx", "onnx/model_quantized.onnx", "model_quantized.onnx"];

/**
 * The model of a folder, and all files that hold its weights (itself, and `NAME.onnx_data…` beside it), as paths inside
 * the folder with `/`. Throws `SkilletError` "failed" where there is none, or several without a usual name.
 */
export function findModelFile(
  folder: string,
  wanted: string | null,
): { readonly file: string; readonly weights: readonly string[] } {
  const file = wanted === null ? chosen(folder) : named(folder, wanted);
  const parent = posix.dirname(file);
  const base = posix.basename(file);
  const beside = namesIn(join(folder, parent)).filter(
    (name) => name.startsWith(`${base}_data`) || name.startsWith(`${base}.data`),
  );
  return { file, weights: [file, ...beside.map((name) => posix.join(parent, name))] };
}

function named(folder: string, wanted: string): string {
  const file = posix.normalize(wanted.replaceAll("\\", "/"));
  if (posix.isAbsolute(file) || file.startsWith("../"))
    throw modelError(
      `The model file ${wanted} lies outside of ${folder}.`,
      "`file` counts from the folder, like onnx/model.onnx.",
    );
  if (isFile(join(folder, file))) return file;
  const there = models(folder);
  throw modelError(
    `${join(folder, file)} is missing.`,
    there.length === 0 ? "The folder holds no .onnx file." : `There is: ${there.join(", ")}.`,
  );
}

function chosen(folder: string): string {
  const there = models(folder);
  const found = usual.find((file) => there.includes(file)) ?? (there.length === 1 ? there[0] : undefined);
  if (found !== undefined) return found;
  if (there.length === 0)
    throw modelError(
      `${folder} holds no .onnx file, neither directly nor in onnx/.`,
      "Download the model's ONNX form into it: model.onnx or onnx/model.onnx.",
    );
  throw modelError(
    `${folder} holds several models, none with a usual name: ${there.join(", ")}.`,
    "Name one of them as `file`.",
  );
}

function models(folder: string): readonly string[] {
  const inside = (parent: string): readonly string[] =>
    namesIn(join(folder, parent))
      .filter((name) => name.endsWith(".onnx"))
      .map((name) => posix.join(parent, name))
      .filter((file) => isFile(join(folder, file)));
  return [...inside(""), ...inside("onnx")];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
