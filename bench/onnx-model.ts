// Writes ONNX models: small graphs as the bytes of a ModelProto. For tests and measurements of src/host/semantic/onnx;
// nothing of the product needs it.

/** Values of an initializer; the kind of array says the type: FLOAT, INT64, INT8, FLOAT16 (as its 16 bits). */
export type OnnxValues = Float32Array | BigInt64Array | Int8Array | Uint16Array;

/** A constant of the graph, row by row. */
export interface OnnxInitializer {
  readonly name: string;
  readonly dims: readonly number[];
  readonly values: OnnxValues;
  /** Name of a file beside the model that holds the values; they are then not written into the model. */
  readonly external?: string;
}

/** Whole numbers become INT, others FLOAT; `{ float }` says so for a whole one. */
export type OnnxAttribute = number | { readonly float: number } | readonly number[];

export interface OnnxNode {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes?: Readonly<Record<string, OnnxAttribute>>;
}

/** An input or output of the graph; a text as a dimension is a free one with that name. */
export interface OnnxValue {
  readonly name: string;
  readonly type: "float" | "int64" | "int32";
  readonly dims: readonly (number | string)[];
}

export interface OnnxGraph {
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  readonly nodes: readonly OnnxNode[];
  readonly initializers: readonly OnnxInitializer[];
  /** Version of the operators; default 17. */
  readonly opset?: number;
}

/** Numbers of TensorProto.DataType. */
const elementType = { float: 1, int8: 3, int32: 6, int64: 7, float16: 10 } as const;

/** The graph as a file that ONNX runtimes load. */
export function onnxModel(graph: OnnxGraph): Uint8Array {
  const body = [
    ...graph.nodes.map((node) => block(1, nodeBytes(node))),
    text(2, "graph"),
    ...graph.initializers.map((one) => block(5, tensorBytes(one))),
    ...graph.inputs.map((one) => block(11, valueBytes(one))),
    ...graph.outputs.map((one) => block(12, valueBytes(one))),
  ];
  const opset = Buffer.concat([text(1, ""), whole(2, graph.opset ?? 17)]);
  return Buffer.concat([whole(1, 8), text(2, "skillet"), block(7, Buffer.concat(body)), block(8, opset)]);
}

/** A table of token vectors as a model with the usual names. */
export interface TableModel {
  /** Rows are tokens; `width` numbers each. */
  readonly table: Float32Array;
  readonly width: number;
  /** What the model gives: a vector a token, or one a text (the mean over the mask). Default `last_hidden_state`. */
  readonly output?: "last_hidden_state" | "sentence_embedding";
  /** Wants `token_type_ids` too, and adds this much to every number where one is 1. */
  readonly typeShift?: number;
  /** Name of a file that holds the table instead of the model. */
  readonly external?: string;
}

/**
 * Looks every token up in a table: inputs `input_ids` and `attention_mask` (int64, texts × tokens, both free), output of
 * texts × tokens × `width`, or of texts × `width`.
 */
export function tableModel(model: TableModel): Uint8Array {
  const { table, width, output = "last_hidden_state", typeShift, external } = model;
  const free = ["texts", "tokens"] as const;
  const typed = typeShift !== undefined;
  const hidden = typed ? "rows" : output === "last_hidden_state" ? output : "hidden";
  const summed = output === "last_hidden_state" ? output : "hidden";
  const axis = (name: string, at: number): OnnxInitializer => ({
    name,
    dims: [1],
    values: BigInt64Array.of(BigInt(at)),
  });
  const nodes: OnnxNode[] = [{ op: "Gather", inputs: ["table", "input_ids"], outputs: [hidden] }];
  if (typed)
    nodes.push(
      { op: "Cast", inputs: ["token_type_ids"], outputs: ["types"], attributes: { to: elementType.float } },
      { op: "Mul", inputs: ["types", "shift"], outputs: ["shifts"] },
      { op: "Unsqueeze", inputs: ["shifts", "last"], outputs: ["deep_shifts"] },
      { op: "Add", inputs: [hidden, "deep_shifts"], outputs: [summed] },
    );
  if (output === "sentence_embedding")
    nodes.push(
      { op: "Cast", inputs: ["attention_mask"], outputs: ["mask"], attributes: { to: elementType.float } },
      { op: "Unsqueeze", inputs: ["mask", "last"], outputs: ["deep_mask"] },
      { op: "Mul", inputs: [summed, "deep_mask"], outputs: ["masked"] },
      { op: "ReduceSum", inputs: ["masked", "middle"], outputs: ["sums"], attributes: { keepdims: 0 } },
      { op: "ReduceSum", inputs: ["mask", "middle"], outputs: ["counts"], attributes: { keepdims: 1 } },
      { op: "Div", inputs: ["sums", "counts"], outputs: [output] },
    );
  const input = (name: string): OnnxValue => ({ name, type: "int64", dims: free });
  const shape = output === "last_hidden_state" ? [...free, width] : ["texts", width];
  return onnxModel({
    inputs: [input("input_ids"), input("attention_mask"), ...(typed ? [input("token_type_ids")] : [])],
    outputs: [{ name: output, type: "float", dims: shape }],
    nodes,
    initializers: [
      {
        name: "table",
        dims: [table.length / width, width],
        values: table,
        ...(external === undefined ? {} : { external }),
      },
      axis("middle", 1),
      axis("last", 2),
      ...(typed ? [{ name: "shift", dims: [1], values: Float32Array.of(typeShift) }] : []),
    ],
  });
}

function nodeBytes({ op, inputs, outputs, attributes = {} }: OnnxNode): Buffer {
  return Buffer.concat([
    ...inputs.map((name) => text(1, name)),
    ...outputs.map((name) => text(2, name)),
    text(4, op),
    ...Object.entries(attributes).map(([name, value]) => block(5, attributeBytes(name, value))),
  ]);
}

function attributeBytes(name: string, value: OnnxAttribute): Buffer {
  if (typeof value === "number" && Number.isInteger(value))
    return Buffer.concat([text(1, name), whole(3, value), whole(20, 2)]);
  if (typeof value === "number" || "float" in value) {
    const bits = Buffer.alloc(4);
    bits.writeFloatLE(typeof value === "number" ? value : value.float);
    return Buffer.concat([text(1, name), tag(2, 5), bits, whole(20, 1)]);
  }
  return Buffer.concat([text(1, name), ...value.map((one) => whole(8, one)), whole(20, 7)]);
}

function tensorBytes({ name, dims, values, external }: OnnxInitializer): Buffer {
  const raw = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  const entry = (key: string, value: string): Buffer =>
    block(13, Buffer.concat([text(1, key), text(2, value)]));
  return Buffer.concat([
    ...dims.map((size) => whole(1, size)),
    whole(2, typeOf(values)),
    text(8, name),
    ...(external === undefined
      ? [block(9, raw)]
      : [entry("location", external), entry("offset", "0"), entry("length", `${raw.length}`), whole(14, 1)]),
  ]);
}

function typeOf(values: OnnxValues): number {
  if (values instanceof Float32Array) return elementType.float;
  if (values instanceof BigInt64Array) return elementType.int64;
  return values instanceof Int8Array ? elementType.int8 : elementType.float16;
}

function valueBytes({ name, type, dims }: OnnxValue): Buffer {
  const shape = dims.map((size) => block(1, typeof size === "number" ? whole(1, size) : text(2, size)));
  const tensor = Buffer.concat([whole(1, elementType[type]), block(2, Buffer.concat(shape))]);
  return Buffer.concat([text(1, name), block(2, block(1, tensor))]);
}

/** Protocol Buffers: a field's number with how its value is written (0 varint, 2 with its length, 5 four bytes). */
function tag(field: number, wire: 0 | 2 | 5): Buffer {
  return varint((field << 3) | wire);
}

function whole(field: number, value: number): Buffer {
  return Buffer.concat([tag(field, 0), varint(value)]);
}

function block(field: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([tag(field, 2), varint(bytes.length), bytes]);
}

function text(field: number, value: string): Buffer {
  return block(field, Buffer.from(value));
}

/** Seven bits a byte, the lowest first; negative numbers as 64 bits. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}
