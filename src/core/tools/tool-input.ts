import { printable } from "../text/printable.ts";
import type { InputSchema } from "./tool.ts";

/** Longer texts of a model are not worth looking at. UTF-16 units. */
const longest = 20_000;

export type ReadInput =
  | { readonly kind: "input"; readonly values: ReadonlyMap<string, string | number | boolean> }
  | { readonly kind: "wrong"; readonly message: string };

/**
 * What a model wrote, checked against the schema: fields that do not exist are ignored, empty optional ones count as left
 * out. `enum` is not enforced here: a near spelling may be right (case n-lookup). The message says what is expected.
 */
export function readInput(tool: string, input: unknown, schema: InputSchema): ReadInput {
  const wrong = (message: string): ReadInput => ({ kind: "wrong", message });
  const form = `Call \`${tool}\` with ${expected(schema)}.`;
  if (typeof input !== "object" || input === null || Array.isArray(input))
    return wrong(`The input has to be an object. ${form}`);
  const values = new Map<string, string | number | boolean>();
  for (const [name, { type }] of Object.entries(schema.properties)) {
    const value: unknown = Object.hasOwn(input, name) ? Reflect.get(input, name) : undefined;
    const missing = value === undefined || value === null || value === "";
    if (missing && schema.required.includes(name)) return wrong(`\`${name}\` is missing. ${form}`);
    if (missing) continue;
    const read = asType(value, type);
    if (read === null) return wrong(`\`${name}\` has to be ${article[type]}, not ${shown(value)}. ${form}`);
    if (typeof read === "string" && read.length > longest)
      return wrong(`\`${name}\` is too long: ${read.length} characters, at most ${longest}. ${form}`);
    values.set(name, read);
  }
  return { kind: "input", values };
}

const article = { string: "a text", integer: "a whole number", boolean: "true or false" } as const;

function asType(value: unknown, type: keyof typeof article): string | number | boolean | null {
  if (type === "string") return typeof value === "string" ? value : null;
  if (type === "boolean")
    return value === true || value === "true" ? true : value === false || value === "false" ? false : null;
  const number = typeof value === "string" && /^-?\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) ? number : null;
}

function expected({ properties, required }: InputSchema): string {
  const fields = Object.entries(properties).map(
    ([name, { type }]) => `"${name}" (${article[type]}${required.includes(name) ? "" : ", optional"})`,
  );
  return fields.join(", ");
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return `"${printable(value.slice(0, 60))}"`;
  return typeof value === "object" ? "an object" : String(value).slice(0, 60);
}
