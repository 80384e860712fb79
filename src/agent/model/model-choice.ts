/** How a model's address is spoken to. */
export type WireFormat = "anthropic" | "openai" | "openai-chat" | "openai-compatible";

export const wireFormats: readonly WireFormat[] = ["anthropic", "openai", "openai-chat", "openai-compatible"];

/** Money for one million tokens, in whatever currency the user thinks in. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
}

/** A provider as the user's settings and environment describe it. */
export interface Provider {
  readonly name: string;
  readonly format: WireFormat;
  /** Without a slash at its end, e.g. `https://api.anthropic.com/v1`. */
  readonly url: string;
  /** The variable that holds the key; null = none is sent. */
  readonly keyVariable: string | null;
  readonly key: string | null;
  readonly models: ReadonlyMap<string, ModelSettings>;
}

/** What the user says of one model. */
export interface ModelSettings {
  /** Tokens; null = not said. */
  readonly window: number | null;
  readonly output: number | null;
  readonly price: Price | null;
  /** "exec": one tool that runs programs, with the others inside (feature M23). */
  readonly tools: "many" | "exec";
}

/** The model that is talked to, and everything needed for it. */
export interface ModelChoice {
  readonly provider: Provider;
  readonly id: string;
  /** Context window in tokens; null = unknown. */
  readonly window: number | null;
  /** Most tokens of one answer; null = the provider's own limit. */
  readonly output: number | null;
  readonly price: Price | null;
  readonly tools: "many" | "exec";
  /** Where the choice came from, e.g. `--model` or `ANTHROPIC_API_KEY`. */
  readonly origin: string;
  /** A sentence on how the name was understood, where it can be meant otherwise; null = there is no doubt. */
  readonly doubt: string | null;
}

/** `provider/id`, as `--model` takes it. */
export function modelName({
  provider,
  id,
}: Pick<ModelChoice, "id"> & { readonly provider: { readonly name: string } }): string {
  return `${provider.name}/${id}`;
}
