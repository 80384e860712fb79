const quotes = `["'\`\\u201c\\u2018]`;

/** Words that name a secret, alone or as a part of a name (`DB_PASS`, `clientSecret`, `x-api-key`). */
const secretName =
  "(?:pass(?:word|wd|phrase|code|wort)?|pwd|secret|token(?!s)|(?:api|access|auth|private|secret|signing|encryption|account|master|license)[_-]?key|credentials?|authori[sz]ation|cookie)";

/**
 * A name, its sign of assignment and its value. A value in quotes ends at the same quote, also where the text itself was
 * quoted and its quotes carry backslashes; one without ends at a space or a sign that ends values.
 */
const assigned = new RegExp(
  `(${secretName}[A-Za-z0-9_]{0,24}\\\\*${quotes}?\\]?\\s*(?:=>|:=|[:=：])\\s*)(?:(\\\\*${quotes})(?:[^\\n]{0,2000}?\\2|\\S+)|[^\\s"'\`,;&<>{}()\\\\]+)`,
  "gi",
);

/** Shapes of keys, tokens and passwords that turn up in transcripts, and what is shown instead. The order counts. */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, "[private key]"],
  [/\b(?:sk|pk|rk)[-_](?:live[-_]|test[-_])?[A-Za-z0-9_-]{12,}/g, "[key]"],
  [
    /\b(?:gh[oprsu]|glpat|gldt|npm|hf|gsk|pat|dop_v1|shp(?:at|ca|pa|ss)|whsec|sntrys|lin_api|r8|tvly|xai|pypi|figd|atlasv?1?|xapp|xox[a-z])[_-][A-Za-z0-9_.-]{12,}/g,
    "[token]",
  ],
  [/\bgithub_pat_[A-Za-z0-9_]{12,}/g, "[token]"],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{12,}/g, "[key]"],
  [/\bAIza[A-Za-z0-9_-]{16,}/g, "[key]"],
  [/\bya29\.[A-Za-z0-9_-]{12,}/g, "[token]"],
  [/\bSG\.[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]+)?/g, "[key]"],
  [/\bAGE-SECRET-KEY-1[A-Z0-9]{16,}/g, "[key]"],
  [/\bhooks\.slack\.com\/services\/[A-Za-z0-9/]+/g, "hooks.slack.com/services/[token]"],
  [/\b\d{8,10}:[A-Za-z0-9_-]{30,}/g, "[token]"],
  [/\beyJ[A-Za-z0-9_.-]{16,}/g, "[token]"],
  // Addresses: a password may hold `@` and, where it cannot be a port, `/`. Up to the last `@` before a space or quote.
  [/(:\/\/[^\s/:@?#"'`<>]{0,200}:)(?!\d{1,5}[/?#])[^\s"'`<>]{1,400}@/g, "$1[password]@"],
  [/(:\/\/)[^\s/:@?#"'`<>]{16,400}@/g, "$1[token]@"],
  [/([?&](?:key|sig|signature|auth|code|X-Amz-[A-Za-z-]+)=)[^&\s"'`<>]+/gi, "$1[hidden]"],
  // Headers to the end of their line or quotation: `Cookie: a=b; c=d`, `Authorization: token abc`.
  [
    /\b((?:proxy-)?authorization|(?:set-)?cookie|x-[a-z-]{0,30}(?:key|token|secret|auth))(\\*["']?\s*:\s*)(?!\[)(?:\\*["'][^"'\n]*|[^"'\\\n]+)/gi,
    "$1$2[hidden]",
  ],
  [/\b(Bearer|Basic|Digest)\s+[A-Za-z0-9._~+/=-]{8,}/gi, "$1 [token]"],
  // Command lines: `curl -u name:word`, `mysql -pword`, `--password word`.
  [/((?:^|\s)(?:-u|--user|--proxy-user|-U)[ =]?\s*["']?[^\s:"'/]+:)(?!\/\/)[^\s"']+/g, "$1[password]"],
  [
    /(\b(?:mysql|mysqldump|mysqladmin|mariadb|sshpass)\b[^\n|;&]{0,400}?\s-p ?)(?!ort)["']?[^\s"']+/g,
    "$1[password]",
  ],
  [
    new RegExp(
      `(--?[A-Za-z-]{0,24}${secretName}[A-Za-z-]{0,24}[ \\t]+)(?!-)(?:(["'])(?:[^\\n]{0,2000}?\\2|\\S+)|[^\\s"']+)`,
      "gi",
    ),
    "$1[hidden]",
  ],
  [assigned, "$1[hidden]"],
  [
    /\b((?:password|passphrase|passcode|pin|secret|api key|token) (?:is|was)[: ]+)(?:(["'`“])[^"'`”\n]+["'`”]|(?=\S*[\d!$%^&*#@_+=])[^\s,;]+)/gi,
    "$1[hidden]",
  ],
  [/((?:密码|密碼|口令|密钥|密鑰|令牌|金鑰)\s*(?:[:：=]|是|为|為|叫)\s*)[^\s，。；、,;]+/g, "$1[hidden]"],
];

/** The text without what looks like a secret. */
export function withoutSecrets(text: string): string {
  return secrets.reduce((left, [pattern, shown]) => left.replace(pattern, shown), text);
}

const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\))/g;
const unsafe =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;

/** The whole text without secrets, control characters and invisible ones. To be done before anything is cut off. */
export function cleaned(text: string): string {
  const plain = text.replaceAll("\r\n", "\n").replace(escapes, "").replace(unsafe, "");
  return withoutSecrets(plain).trim();
}

/** The cleaned text, at most `limit` characters long. */
export function shown(text: string, limit: number): string {
  const clean = cleaned(text);
  const points = [...clean];
  return points.length <= limit
    ? clean
    : `${points.slice(0, limit).join("")}… (${points.length - limit} more characters)`;
}

/** As `shown`, in one line: a name, a path or a state from a record must not begin a line of its own. */
export function shownLine(text: string, limit: number): string {
  return shown(cleaned(text).replace(/\s+/g, " "), limit);
}

/** As a quotation: every line begins with a bar, so that nothing in it can pass for an instruction or a heading. */
export function quoted(text: string, limit: number): string {
  return shown(text, limit)
    .split("\n")
    .map((line) => `  | ${line}`)
    .join("\n");
}

/** A quotation of one line, after a word of ours. */
export function quotedLine(label: string, text: string, limit: number): string {
  return `  | ${label}${shownLine(text, limit)}`;
}
