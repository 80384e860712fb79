import type { DiagnosticCode } from "../diagnostics/table.ts";

/** A sign of an attack in one line of a text, or in a short stretch of it. */
export interface RiskRule {
  readonly code: Extract<DiagnosticCode, `risk/${string}`>;
  /** What is wrong with the place, without its text. */
  readonly says: string;
  /** No pattern looks further than a few hundred characters, so that the time stays in proportion to the text. */
  readonly patterns: readonly RegExp[];
  /** Words, which other texts speak about: between quotes they weigh as a mention. Commands stand between quotes anyway. */
  readonly words?: boolean;
  /** Never shown: it is the secret itself. */
  readonly secret?: boolean;
}

const runner = String.raw`(?:sudo\s+)?(?:env\s+)?(?:/(?:usr/)?bin/)?(?:(?:ba|z|da|k|fi|a)?sh|python[23]?|node|perl|ruby|php|iex|Invoke-Expression)\b(?!\s+-[mceE]\b)`;
const fetcher = String.raw`\b(?:curl|wget|iwr|irm|Invoke-WebRequest|Invoke-RestMethod)\b`;
const agentFile = String.raw`(?:CLAUDE|AGENTS|GEMINI|SOUL|MEMORY)\.md\b|\.cursorrules\b|copilot-instructions\.md\b`;
const vendor = `(?:anthropic|openai|google|microsoft|github|meta|apple|amazon|nvidia|vercel|cursor|claude)`;
const yours = String.raw`(?:\.env\b|\.aws\b|\.ssh\b|id_(?:rsa|ed25519)\b|\.netrc\b|\.npmrc\b|\.git-credentials\b|credentials?\b|private keys?\b|passwords?\b|api[ _-]?keys?\b|access tokens?\b|environment variables\b|(?:chat|conversation) history\b|system prompt\b)`;
const sends = String.raw`\b(?:posts?|sends?|uploads?|forwards?|transmits?|exfiltrates?|e-?mails?|curl|wget)\b`;
const address = String.raw`(?:https?://|\b(?:[a-z0-9-]+\.)+[a-z]{2,}\b)`;

const rule = (
  code: RiskRule["code"],
  says: string,
  patterns: readonly string[],
  more: Pick<RiskRule, "words" | "secret"> = {},
): RiskRule => ({
  code,
  says,
  patterns: patterns.map((text) => new RegExp(text, more.secret === true ? "g" : "gi")),
  ...more,
});

/** By family. Own work; docs/risks.md says in words what each looks for. */
export const riskRules: readonly RiskRule[] = [
  rule(
    "risk/override",
    "It sets aside what the model was told, or keeps something from the user",
    [
      String.raw`\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,30}\b(?:previous|prior|earlier|above|preceding|system|all other|safety)\b[^.\n]{0,30}\b(?:instructions?|prompts?|rules|guidelines|polic(?:y|ies)|messages)\b`,
      String.raw`\b(?:do not|don't|never|without)\s+(?:tell|inform|telling|informing|alert|alerting|notify|notifying)\b[^.\n]{0,20}\b(?:the |your )?(?:user|human|operator)\b(?! (?:to|they|that (?:it|you)))`,
      String.raw`\b(?:do not|don't|never)\s+let\s+(?:the |your )?(?:user|human|operator)\s+(?:know|see|notice|find out)\b`,
      String.raw`(?:忽略|无视|忘记)[^。\n]{0,8}(?:之前|以上|先前|此前|前面|系统)[^。\n]{0,10}(?:指令|指示|提示|规则)`,
      `(?:不要|不得|别|切勿)(?:告诉|告知|通知)用户`,
    ],
    { words: true },
  ),
  rule("risk/fetch-and-run", "It fetches a program and runs it unseen", [
    `${fetcher}[^\\n|]{0,300}\\|\\s*${runner}`,
    String.raw`\b(?:ba|z|da)?sh\s+(?:-c\s+)?["']?(?:<\(|\$\()\s*(?:curl|wget)\b`,
    String.raw`\b(?:zip|rar|7z|archive|dmg|exe|msi|pkg)\b[^\n]{0,60}\bpass(?:word|wort|code)\b`,
    String.raw`\bdownload\b[^\n]{0,200}\.(?:exe|msi|dmg|pkg|scr|bat|ps1|sh|appimage)\b[^\n]{0,60}\b(?:run|execute|launch|start|open)\b`,
  ]),
  rule("risk/obfuscated", "It runs what nobody can read", [
    `\\bbase64\\s+(?:-d|-D|--decode)\\b[^\\n|]{0,80}\\|\\s*${runner}`,
    `\\bxxd\\s+-r\\b[^\\n|]{0,80}\\|\\s*${runner}`,
    String.raw`\b(?:eval|exec)\b[^\n]{0,40}\b(?:atob|b64decode|base64)\b`,
    String.raw`\bpowershell\b[^\n]{0,80}\s-e(?:nc|ncodedcommand)?\s+[A-Za-z0-9+/=]{24,}`,
  ]),
  rule("risk/exfiltration", "It sends something elsewhere", [
    String.raw`!\[[^\]\n]{0,100}\]\(\s*https?://[^)\s]{0,200}[?&][^)=\s]{1,40}=(?:\{|\$|<|%7b|\[)`,
    `\\b(?:read|collect|gather|cat|take|get|copy|include|dump)\\b[^\\n]{0,80}${yours}[^\\n]{0,80}${sends}[^\\n]{0,80}${address}`,
    `${sends}[^\\n]{0,60}${yours}[^\\n]{0,60}\\b(?:to|at)\\s+[\`"']?https?://`,
    String.raw`\bcurl\b[^\n]{0,120}(?:-d|--data(?:-binary)?|-F|-T)\s*["']?[^\n]{0,10}@?~?/?[^\s]{0,60}(?:\.env|\.aws/|\.ssh/|id_rsa|\.netrc)`,
  ]),
  rule(
    "risk/persistence",
    "It writes itself where it holds for good",
    [
      `\\b(?:append|add|write|insert|copy|save|prepend|put)\\b[^.\\n]{0,30}\\b(?:these|this|the above|the following)\\s+(?:instructions?|skill|prompt|rules?|text|lines?)\\b[^\\n]{0,60}(?:${agentFile})`,
      `(?:${agentFile})[^\\n]{0,80}\\b(?:all|every|future|each)\\s+(?:future\\s+)?(?:sessions?|conversations?|projects)\\b`,
      String.raw`(?:>>|\btee\b|\bwrite\b|\badd\b|\bappend\b)[^\n]{0,80}(?:authorized_keys|/etc/cron|\bcrontab\b|LaunchAgents|\.config/autostart)`,
    ],
    { words: true },
  ),
  rule("risk/permissions", "It widens what an agent may do without asking", [
    String.raw`\b(?:edit|change|modify|update|set|open|write to)\b[^\n]{0,40}\b(?:settings(?:\.local)?\.json|\.claude\.json|opencode\.jsonc?|skillet\.jsonc|config\.toml)\b[^\n]{0,80}\b(?:allow (?:all|every|any)|allow everything|bypass|skip[^\n]{0,20}(?:permission|confirm|approval)|without asking|auto-?approve|trust all)`,
    String.raw`--dangerously-skip-permissions\b|--dangerously-bypass-approvals\S*|\bbypassPermissions\b`,
    String.raw`\bset\b[^\n]{0,20}\bpermissions?\b[^\n]{0,30}\ballow (?:all|every|any)\b`,
  ]),
  rule("risk/remote-instruction", "The model is to follow a text that lies elsewhere", [
    String.raw`\b(?:fetch|load|download|read|retrieve|get|curl|open|visit)\b[^\n]{0,40}https?://[^\s)>"'\x60]{3,200}[^\n]{0,30}\b(?:follow|obey|execute|carry out|comply with)\b[^\n]{0,30}\b(?:it|them|its|their|the|instructions?|steps)\b`,
    String.raw`\b(?:follow|obey|execute|carry out)\b[^\n]{0,30}\b(?:instructions?|steps|commands?)\b[^\n]{0,30}\b(?:at|from|in|found at)\s+[\x60"'<]?https?://`,
  ]),
  rule("risk/unpinned", "What it installs is not fixed to a version, or comes without encryption", [
    String.raw`\b(?:npx|bunx|pnpm dlx|uvx)\s+(?:-y\s+|--yes\s+)?[@\w./-]{1,100}@latest\b`,
    String.raw`\bpip3?\s+install\b[^\n]{0,120}--(?:extra-)?index-url[ =]http://`,
    String.raw`\b(?:npm|pnpm|yarn)\b[^\n]{0,120}--registry[ =]http://(?!localhost|127\.)`,
  ]),
  rule(
    "risk/secret",
    "It holds what looks like a key",
    [
      String.raw`\bAKIA(?![A-Z0-9]{0,9}EXAMPLE)[A-Z0-9]{16}\b`,
      String.raw`\bgh[pousr]_[A-Za-z0-9]{36,}\b|\bgithub_pat_[A-Za-z0-9_]{50,}\b`,
      String.raw`\bsk-(?:ant-|proj-)[A-Za-z0-9_-]{32,}\b|\bxox[baprs]-[A-Za-z0-9-]{20,}\b|\bAIza[A-Za-z0-9_-]{35}\b`,
      `-----BEGIN (?:RSA |EC |OPENSSH |DSA )?PRIVATE KEY-----`,
    ],
    { secret: true },
  ),
  rule(
    "risk/bait",
    "It claims every request for itself",
    [
      String.raw`\b(?:every|any|all|each)\s+(?:single\s+)?(?:requests?|tasks?|messages?|prompts?|conversations?|questions?)\b[^.\n]{0,40}\b(?:before|instead of|over|rather than)\b[^.\n]{0,10}\b(?:any|every|all)\s+other\b`,
      String.raw`\b(?:before|instead of|over)\s+(?:any|every|all)\s+other\s+(?:skills?|tools?)\b[^.\n]{0,40}\b(?:every|any|all|each)\s+(?:requests?|tasks?|messages?|prompts?)\b`,
      String.raw`\bnever use any other (?:skill|tool)s?\b`,
    ],
    { words: true },
  ),
  rule(
    "risk/impersonation",
    "It says that somebody well known made or checked it",
    [
      `\\bofficial(?:ly)?\\s+(?:\\w+\\s+)?(?:by\\s+)?${vendor}(?:'s)?\\s+(?:skill|plugin|extension)\\b`,
      `\\b(?:verified|certified|approved|endorsed|audited|signed)\\s+by\\s+(?:the\\s+)?${vendor}\\b`,
    ],
    { words: true },
  ),
];

/** What a comment of HTML says to a model rather than to a writer. */
export const commentRule: RiskRule = rule("risk/hidden-instruction", "A comment speaks to the model", [
  String.raw`^\s*(?:system|assistant|agent|ai|llm|model|claude|gpt|note to (?:the )?(?:ai|agent|assistant|model|llm))\b\s*[:,-]`,
  String.raw`\b(?:ignore|disregard)\b[^]{0,60}\binstructions?\b`,
  String.raw`\b(?:do not|don't|never)\s+(?:tell|mention|reveal|show)\b[^]{0,30}\buser\b`,
  `${sends}[^]{0,60}${yours}`,
]);
