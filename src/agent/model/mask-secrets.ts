/** Shorter ones are no keys but words that servers without keys are given; masking them would only hide words. */
const shortestSecret = 8;

/** A text in which none of the secrets can be read, nor the name and password of an address. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= shortestSecret)
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .sort((one, other) => other.length - one.length)
    .reduce((masked, secret) => masked.replaceAll(secret, "[key]"), text)
    .replace(/(\b[a-z][a-z+.-]*:\/\/)[^\s/@]+@/gi, "$1");
}

/** An address for people: without the name, password and query that it may hold. */
export function shownUrl(url: string): string {
  try {
    const parsed = new URL(url);
    if (parsed.username === "" && parsed.password === "" && parsed.search === "") return url;
    [parsed.username, parsed.password, parsed.search] = ["", "", ""];
    return parsed.href;
  } catch {
    return url;
  }
}
