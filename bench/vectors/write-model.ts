import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tableModel } from "../onnx-model.ts";
import { padding, unknown } from "./word-pieces.ts";

/** Longer texts are cut. */
const longest = 512;

/** Writes a sentence embedding model in the usual layout: the mean of a table's rows for the tokens of a text. */
export function writeModel(
  folder: string,
  model: { readonly vocabulary: readonly string[]; readonly table: Float32Array; readonly width: number },
): void {
  const { vocabulary, table, width } = model;
  const json = (path: string, value: unknown): void =>
    writeFileSync(join(folder, path), `${JSON.stringify(value)}\n`);
  mkdirSync(join(folder, "1_Pooling"), { recursive: true });
  writeFileSync(join(folder, "model.onnx"), tableModel({ table, width }));
  json("tokenizer.json", tokenizerOf(vocabulary));
  json("tokenizer_config.json", {
    tokenizer_class: "BertTokenizer",
    do_lower_case: true,
    model_max_length: longest,
  });
  json("config.json", {
    model_type: "bert",
    hidden_size: width,
    vocab_size: vocabulary.length,
    max_position_embeddings: longest,
    pad_token_id: 0,
  });
  json("1_Pooling/config.json", { word_embedding_dimension: width, pooling_mode_mean_tokens: true });
  json("modules.json", [
    { idx: 0, name: "0", path: "", type: "sentence_transformers.models.Transformer" },
    { idx: 1, name: "1", path: "1_Pooling", type: "sentence_transformers.models.Pooling" },
  ]);
}

function tokenizerOf(vocabulary: readonly string[]): unknown {
  const special = [padding, unknown].map((content, id) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  }));
  return {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: special,
    normalizer: {
      type: "BertNormalizer",
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: true,
      lowercase: true,
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: null,
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
    model: {
      type: "WordPiece",
      unk_token: unknown,
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(vocabulary.map((token, number) => [token, number])),
    },
  };
}
