import { SkilletError } from "../../core/error.ts";
import { closestNames } from "../../core/text/closest-names.ts";
import { shownUrl } from "./mask-secrets.ts";
import type { ModelChoice, Provider } from "./model-choice.ts";
import { knownWindow } from "./model-window.ts";
import { type ProviderSource, readProviders } from "./providers.ts";

export interface ModelWish extends ProviderSource {
  /** `--model`; null = not given. */
  readonly flag: string | null;
  /** The setting `model`. */
  readonly setting: string | null;
}

/**
 * What a provider is asked for when only its key is there: the one table of ids in this program, to be renewed now and
 * then. The setting `model`, SKILLET_MODEL and --model stand above it.
 */
const usualModels: Readonly<Record<string, string>> = { anthropic: "claude-sonnet-4-5", openai: "gpt-5.1" };

/**
 * The model to talk to: by flag, by `SKILLET_MODEL`, by the setting `model`, else the usual one of the first provider
 * whose key is in the environment. `SKILLET_MODEL` beside `SKILLET_BASE_URL` is always a model of that address. Throws one `SkilletError` ("config") that says how to set one up.
 */
export function chooseModel(wish: ModelWish): ModelChoice {
  const { providers, problems } = readProviders(wish);
  const named =
    given(wish.flag, "--model") ??
    given(wish.variables.SKILLET_MODEL ?? null, "SKILLET_MODEL") ??
    given(wish.setting, "the setting model");
  const own = providers.get("custom");
  if (named?.origin === "SKILLET_MODEL" && own !== undefined && hasOwnAddress(wish))
    return usable(own, named.text.replace(/^custom\/(?=.)/, ""), named.origin);
  if (named !== null) return byName(named, providers, problems);
  for (const provider of providers.values()) {
    const id = usualModels[provider.name] ?? [...provider.models.keys()][0];
    const ready = provider.key !== null || (provider.keyVariable === null && provider.models.size > 0);
    if (ready && id !== undefined)
      return choice(
        provider,
        id,
        provider.key === null ? "the setting providers" : (provider.keyVariable ?? ""),
      );
  }
  const [broken] = problems;
  if (broken !== undefined)
    throw new SkilletError("config", broken.message, { hint: "Correct it in your skillet.jsonc." });
  if (providers.has("custom"))
    throw new SkilletError("config", "SKILLET_BASE_URL is set, but no model is named.", {
      hint: "Name one: --model ID, or SKILLET_MODEL=ID.",
    });
  throw new SkilletError("config", "No model is set up.", { hint: threeWays });
}

/** The one message for whoever has no model yet. */
export const threeWays = [
  "Any one of these is enough:",
  "1. Anthropic: export ANTHROPIC_API_KEY=…",
  "2. OpenAI: export OPENAI_API_KEY=…",
  "3. Any OpenAI-compatible server, also a local one:",
  "   export SKILLET_BASE_URL=http://127.0.0.1:11434/v1",
  "   export SKILLET_MODEL=qwen3   # the id of a model that it has",
  "Or for good: `providers` and `model` in your settings, ~/.config/skillet/skillet.jsonc.",
].join("\n");

function hasOwnAddress({ variables }: ModelWish): boolean {
  return (variables.SKILLET_BASE_URL ?? "").trim() !== "";
}

interface Named {
  readonly text: string;
  readonly origin: string;
}

function given(text: string | null, origin: string): Named | null {
  return text === null || text.trim() === "" ? null : { text: text.trim(), origin };
}

function byName(
  { text, origin }: Named,
  providers: ReadonlyMap<string, Provider>,
  problems: readonly { readonly name: string; readonly message: string }[],
): ModelChoice {
  const cut = text.indexOf("/");
  const first = cut < 0 ? "" : text.slice(0, cut);
  const problem = problems.find(({ name }) => name === first || name === text);
  if (problem !== undefined)
    throw new SkilletError("config", problem.message, { hint: "Correct it in your skillet.jsonc." });
  const direct = providers.get(first);
  if (direct !== undefined && cut < text.length - 1) return usable(direct, text.slice(cut + 1), origin);
  const whole = providers.get(text);
  if (whole !== undefined) {
    const id = usualModels[text] ?? [...whole.models.keys()][0];
    if (id === undefined)
      throw new SkilletError("config", `Provider "${text}" has no model of its own.`, {
        hint: `Name one: ${text}/ID.`,
      });
    return usable(whole, id, origin);
  }
  const said = [...providers.values()].find(({ models }) => models.has(text));
  if (said !== undefined) return usable(said, text, origin);
  const owner = guessed(text, providers);
  if (owner !== null) {
    const found = usable(owner, text, origin);
    // Ids of some servers hold a slash; a provider's name that was misspelt looks the same.
    return first === "" ? found : { ...found, doubt: doubtOf(first, found, providers) };
  }
  const near = closestNames(first === "" ? text : first, [...providers.keys()], 3);
  throw new SkilletError("config", `It is not clear which provider the model "${text}" belongs to.`, {
    hint: near.length > 0 ? `Did you mean ${near.join(" or ")}? ${spelling}` : spelling,
  });
}

function doubtOf(
  first: string,
  { provider, id }: ModelChoice,
  providers: ReadonlyMap<string, Provider>,
): string {
  const near = closestNames(first, [...providers.keys()], 1);
  const meant = near.length === 0 ? "" : ` Did you mean ${near[0]}/${id.slice(first.length + 1)}?`;
  return `There is no provider "${first}", so ${provider.name} (${shownUrl(provider.url)}) is asked for the model "${id}".${meant}`;
}

const spelling =
  "Write PROVIDER/ID, e.g. anthropic/claude-sonnet-4-5; providers are described in docs/agent.md.";

/** The provider that an id without one belongs to by its form, else the only address that takes any id. */
function guessed(id: string, providers: ReadonlyMap<string, Provider>): Provider | null {
  if (/^claude-/i.test(id)) return providers.get("anthropic") ?? null;
  const custom = [...providers.values()].filter(({ name }) => name !== "anthropic" && name !== "openai");
  if (/^(?:gpt-|o\d|codex|chatgpt)/i.test(id) && providers.get("openai")?.key != null)
    return providers.get("openai") ?? null;
  if (custom.length === 1) return custom[0] ?? null;
  const openai = providers.get("openai");
  return openai?.format === "openai-compatible" || /^(?:gpt-|o\d|codex|chatgpt)/i.test(id)
    ? (openai ?? null)
    : null;
}

function usable(provider: Provider, id: string, origin: string): ModelChoice {
  if (provider.keyVariable !== null && provider.key === null && !answersWithoutKey(provider))
    throw new SkilletError(
      "config",
      `${origin} asks for ${provider.name}/${id}, but ${provider.keyVariable} is not set.`,
      {
        hint: `export ${provider.keyVariable}=…, or choose another model with --model.`,
      },
    );
  return choice(provider, id, origin);
}

/** Local servers need no key, and some others have none. */
function answersWithoutKey({ format }: Provider): boolean {
  return format === "openai-compatible";
}

function choice(provider: Provider, id: string, origin: string): ModelChoice {
  const said = provider.models.get(id);
  return {
    provider,
    id,
    window: said?.window ?? knownWindow(id),
    output: said?.output ?? null,
    price: said?.price ?? null,
    tools: said?.tools ?? "many",
    origin,
    doubt: null,
  };
}

/** Names for a picker: the current one, the usual ones that have a key, and those that settings name; no duplicates. */
export function selectableModels(source: ProviderSource, current: string | null): readonly string[] {
  const { providers } = readProviders(source);
  const names = new Set<string>(current === null ? [] : [current]);
  for (const provider of providers.values()) {
    const usual = usualModels[provider.name];
    if (usual !== undefined && provider.key !== null) names.add(`${provider.name}/${usual}`);
    for (const id of provider.models.keys()) names.add(`${provider.name}/${id}`);
  }
  return [...names];
}
