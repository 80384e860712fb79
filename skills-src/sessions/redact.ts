/** Shapes of keys, tokens and passwords that turn up in transcripts. */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, "[private key]"],
  [/\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}/g, "[key]"],
  [/\b(?:ghp|gho|ghs|ghu|glpat|npm|xox[abprs])[_-][A-Za-z0-9_-]{16,}/g, "[token]"],
  [/\bgithub_pat_[A-Za-z0-9_]{20,}/g, "[token]"],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, "[key]"],
  [/\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}/g, "[token]"],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{12,}/gi, "$1 [token]"],
  [/(\/\/[^\s/:@]+:)[^\s/@]+@/g, "$1[password]@"],
  [
    /\b([A-Z0-9_]*(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|PRIVATE_KEY)[A-Z0-9_]*\s*[=:]\s*)(["']?)[^\s"']{6,}\2/gi,
    "$1[hidden]",
  ],
];

/** The text without what looks like a secret. */
export function withoutSecrets(text: string): string {
  return secrets.reduce((left, [pattern, shown]) => left.replace(pattern, shown), text);
}

const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\))/g;
const unsafe =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;

/** The text without secrets, control characters and invisible ones, at most `limit` characters long. */
export function shown(text: string, limit: number): string {
  const plain = text.replaceAll("\r\n", "\n").replace(escapes, "").replace(unsafe, "");
  const clean = withoutSecrets(plain).trim();
  const points = [...clean];
  return points.length <= limit
    ? clean
    : `${points.slice(0, limit).join("")}… (${points.length - limit} more characters)`;
}

/** As a quotation: every line begins with a bar, so that nothing in it can pass for an instruction or a heading. */
export function quoted(text: string, limit: number): string {
  return shown(text, limit)
    .split("\n")
    .map((line) => `  | ${line}`)
    .join("\n");
}
