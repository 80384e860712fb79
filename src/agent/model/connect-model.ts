import type { LanguageModel } from "ai";
import { guardedFetch } from "./guarded-fetch.ts";
import type { ModelChoice } from "./model-choice.ts";

/** Options that the providers understand, each its own. */
export type ProviderOptions = Record<string, Record<string, string | number | boolean | null>>;

/**
 * The SDK's model for a choice. Loads only the package that the wire format needs. The address is always the one of
 * the choice: nothing is sent anywhere else, also when the server points there. `silence`: see
 * `guardedFetch`.
 */
export async function connectModel(
  { provider, id }: ModelChoice,
  { silence }: { readonly silence: number },
): Promise<LanguageModel> {
  const { url: baseURL, key, name } = provider;
  const fetch = guardedFetch(provider.format, silence);
  switch (provider.format) {
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({ baseURL, apiKey: key ?? "none", fetch })(id);
    }
    case "openai": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI({ baseURL, apiKey: key ?? "none", fetch }).responses(id);
    }
    case "openai-chat": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI({ baseURL, apiKey: key ?? "none", fetch }).chat(id);
    }
    case "openai-compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const named = { name, baseURL, includeUsage: true, fetch };
      return createOpenAICompatible(key === null ? named : { ...named, apiKey: key })(id);
    }
  }
}

/** The conversation stays on this machine: OpenAI is told not to keep it. */
export const providerOptions: ProviderOptions = { openai: { store: false } };
