import type { ModelSettings, Price, Provider, WireFormat } from "./model-choice.ts";
import { wireFormats } from "./model-choice.ts";

export interface ProviderSource {
  readonly variables: Readonly<Record<string, string>>;
  /** The setting `providers`, as written. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** A provider that cannot be used as it is written, and what to do. */
export interface ProviderProblem {
  readonly name: string;
  readonly message: string;
}

const anthropicUrl = "https://api.anthropic.com/v1";
const openaiUrl = "https://api.openai.com/v1";

/**
 * Every provider that can be talked to: Anthropic and OpenAI with the usual variables, one address of
 * `SKILLET_BASE_URL` ("custom"), and those of the setting `providers`, which may also move the first two. What settings
 * say of "custom" never moves it: whoever sets the variable knows where the conversation goes.
 */
export function readProviders({ variables, settings }: ProviderSource): {
  readonly providers: ReadonlyMap<string, Provider>;
  readonly problems: readonly ProviderProblem[];
} {
  const providers = new Map<string, Provider>();
  const problems: ProviderProblem[] = [];
  for (const provider of usual(variables)) providers.set(provider.name, provider);
  for (const [name, written] of Object.entries(settings)) {
    const base = providers.get(name) ?? null;
    const moved =
      name === "custom" && base !== null && isRecord(written) ? { ...written, url: base.url } : written;
    const read = configured(name, moved, { variables, base });
    if (typeof read === "string") problems.push({ name, message: read });
    else providers.set(name, read);
  }
  return { providers, problems };
}

function usual(variables: ProviderSource["variables"]): readonly Provider[] {
  const value = (name: string): string | null => {
    const found = variables[name]?.trim();
    return found === undefined || found === "" ? null : found;
  };
  const openaiBase = value("OPENAI_BASE_URL");
  const own = value("SKILLET_BASE_URL");
  return [
    {
      name: "anthropic",
      format: "anthropic",
      url: anthropicBase(value("ANTHROPIC_BASE_URL") ?? anthropicUrl),
      keyVariable: "ANTHROPIC_API_KEY",
      key: value("ANTHROPIC_API_KEY"),
      models: new Map(),
    },
    {
      name: "openai",
      // Whoever points this variable elsewhere means a server that speaks the older form.
      format: openaiBase === null || hostOf(openaiBase) === "api.openai.com" ? "openai" : "openai-compatible",
      url: trimmed(openaiBase ?? openaiUrl),
      keyVariable: "OPENAI_API_KEY",
      key: value("OPENAI_API_KEY"),
      models: new Map(),
    },
    ...(own === null
      ? []
      : [
          {
            name: "custom",
            format: "openai-compatible" as const,
            url: trimmed(own),
            keyVariable: "SKILLET_API_KEY",
            key: value("SKILLET_API_KEY"),
            models: new Map<string, ModelSettings>(),
          },
        ]),
  ];
}

function configured(
  name: string,
  written: unknown,
  from: { readonly variables: ProviderSource["variables"]; readonly base: Provider | null },
): Provider | string {
  const { base } = from;
  if (!isRecord(written)) return `providers.${name} must be an object.`;
  const url = written.url ?? base?.url;
  if (typeof url !== "string" || !/^https?:\/\/\S+$/.test(url))
    return `providers.${name}.url must be an address that begins with http:// or https://.`;
  const format = written.format ?? (written.url === undefined ? base?.format : undefined) ?? base?.format;
  const chosen = format ?? "openai-compatible";
  if (!isFormat(chosen)) return `providers.${name}.format must be one of ${wireFormats.join(", ")}.`;
  const keyVariable = written.key === undefined ? (base?.keyVariable ?? null) : written.key;
  if (
    keyVariable !== null &&
    (typeof keyVariable !== "string" || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(keyVariable))
  )
    return `providers.${name}.key must be the name of the variable that holds the key, never the key itself.`;
  const key = keyVariable === null ? null : (from.variables[keyVariable]?.trim() ?? "");
  return {
    name,
    format: chosen,
    url: chosen === "anthropic" ? anthropicBase(url) : trimmed(url),
    keyVariable,
    key: key === "" ? null : key,
    models: modelSettings(written.models),
  };
}

function modelSettings(written: unknown): ReadonlyMap<string, ModelSettings> {
  const found = new Map<string, ModelSettings>();
  if (Array.isArray(written)) {
    for (const id of written)
      if (typeof id === "string") found.set(id, { window: null, output: null, price: null, tools: "many" });
    return found;
  }
  if (!isRecord(written)) return found;
  for (const [id, value] of Object.entries(written)) {
    const given = isRecord(value) ? value : {};
    found.set(id, {
      window: whole(given.window),
      output: whole(given.output),
      price: priceOf(given.price),
      tools: given.tools === "exec" ? "exec" : "many",
    });
  }
  return found;
}

function priceOf(written: unknown): Price | null {
  if (!isRecord(written)) return null;
  const number = (value: unknown) => (typeof value === "number" && value >= 0 ? value : null);
  const [input, output] = [number(written.input), number(written.output)];
  if (input === null || output === null) return null;
  return { input, output, cacheRead: number(written.cacheRead), cacheWrite: number(written.cacheWrite) };
}

function whole(value: unknown): number | null {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : null;
}

/** The usual variable names the host alone; the address of the interface ends in its version. */
function anthropicBase(url: string): string {
  const base = trimmed(url);
  return /\/v\d+$/.test(base) ? base : `${base}/v1`;
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, "");
}

function hostOf(url: string): string {
  try {
    return new URL(url).hostname;
  } catch {
    return "";
  }
}

function isFormat(value: unknown): value is WireFormat {
  return wireFormats.some((format) => format === value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
