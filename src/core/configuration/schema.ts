import { type ConfigKind, configKeys } from "./keys.ts";

type Json = { readonly [key: string]: unknown };

const action: Json = { enum: ["allow", "ask", "deny"] };

const permission: Json = {
  anyOf: [
    action,
    {
      type: "object",
      additionalProperties: { anyOf: [action, { type: "object", additionalProperties: action }] },
    },
  ],
};

/** JSON Schema (draft 7, which editors know best) of `skillet.jsonc`, made from the table of settings. */
export function configurationSchema(): object {
  const properties: Record<string, Json> = {};
  for (const { key, type, description, default: value } of configKeys) {
    const [group = "", name] = key.split(".");
    const schema: Json = { description, ...schemaOf(type), ...(value === null ? {} : { default: value }) };
    if (name === undefined) properties[group] = schema;
    else {
      const { properties: siblings } = (properties[group] ?? {}) as { properties?: Json };
      properties[group] = {
        type: "object",
        additionalProperties: false,
        properties: { ...siblings, [name]: schema },
      };
    }
  }
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Settings of Skillet",
    description: "skillet.jsonc; comments and trailing commas are allowed.",
    type: "object",
    allowTrailingCommas: true,
    additionalProperties: false,
    properties,
  };
}

function schemaOf(type: ConfigKind): Json {
  switch (type.kind) {
    case "text":
      return { type: "string" };
    case "boolean":
      return { type: "boolean" };
    case "choice":
      return { enum: type.choices };
    case "number": {
      const number = type.whole ? "integer" : "number";
      return {
        type: type.nullable ? [number, "null"] : number,
        minimum: type.minimum,
        maximum: type.maximum,
      };
    }
    case "list":
      return {
        type: "array",
        items: type.choices === undefined ? { type: "string", minLength: 1 } : { enum: type.choices },
        uniqueItems: true,
      };
    case "permission":
      return permission;
    case "agents":
      return {
        type: "object",
        additionalProperties: { type: "object", properties: { permission }, additionalProperties: false },
      };
    case "object":
      return { type: type.nullable === true ? ["object", "null"] : "object" };
  }
}
