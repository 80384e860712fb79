import { modelError } from "./model-error.ts";
import { type Pooling, poolings } from "./pool-tokens.ts";

type Json = Readonly<Record<string, unknown>>;

/** Flags of 1_Pooling/config.json. The root of the length changes no direction, so it counts as the mean. */
const flags: readonly (readonly [flag: string, pooling: Pooling])[] = [
  ["pooling_mode_cls_token", "cls"],
  ["pooling_mode_mean_tokens", "mean"],
  ["pooling_mode_mean_sqrt_len_tokens", "mean"],
  ["pooling_mode_weightedmean_tokens", "weightedmean"],
  ["pooling_mode_lasttoken", "lasttoken"],
  ["pooling_mode_max_tokens", "max"],
];

/** Modules that are done here; others change vectors by weights of their own. */
const doneHere = /(?:Transformer|Pooling|Normalize|StaticEmbedding)$/;

/**
 * How token vectors become one: by the module that modules.json names, else 1_Pooling/config.json, else the mean. `file`
 * is where that stands, or would; `layer` a module that follows and is not done here. `read` gives a file of the folder.
 * Throws `SkilletError` "failed" for ways that this cannot do.
 */
export function readPooling(read: (file: string) => Json | null): {
  readonly pooling: Pooling;
  readonly file: string;
  readonly layer: string | null;
} {
  const listed = read("modules.json");
  const modules = (Array.isArray(listed) ? listed : []) as readonly Json[];
  const named = modules.find(({ type }) => typeof type === "string" && type.endsWith("Pooling"))?.path;
  const plain = typeof named === "string" && /^[\w.-]+$/.test(named) && named !== "..";
  const file = `${plain ? named : "1_Pooling"}/config.json`;
  const types = modules.flatMap(({ type }) => (typeof type === "string" ? [type] : []));
  const layer =
    types
      .find((type) => !doneHere.test(type))
      ?.split(".")
      .at(-1)
      ?.slice(0, 60) ?? null;
  const config = read(file);
  if (config === null) return { pooling: "mean", file, layer };
  const told = new Set(flags.flatMap(([flag, pooling]) => (config[flag] === true ? [pooling] : [])));
  const word = config.pooling_mode;
  for (const one of typeof word === "string" ? [word] : Array.isArray(word) ? word : []) {
    const known = poolings.find((pooling) => pooling === one);
    if (known === undefined) throw unknownWay(file, String(one));
    told.add(known);
  }
  const [pooling = "mean", ...more] = told;
  if (more.length > 0) throw unknownWay(file, [...told].join(" with "));
  return { pooling, file, layer };
}

function unknownWay(file: string, way: string): Error {
  return modelError(
    `${file} wants the pooling ${way.slice(0, 60)}, which is not known here.`,
    `Choose a model with one of ${poolings.join(", ")}, or one whose output is sentence_embedding.`,
  );
}
