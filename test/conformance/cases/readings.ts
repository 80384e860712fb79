/** How one expected diagnostic is recognised: its code, what the message has to say, and where it has to be. */
export interface DiagnosticReading {
  readonly codes: readonly string[];
  readonly says: readonly RegExp[];
  /** For "(each)" and the like: every one of these files has it. Paths from the case's folder. */
  readonly files?: readonly string[];
  /** What the message has to say besides, of single files. */
  readonly saysOf?: Readonly<Record<string, RegExp>>;
}

/** What the words of one case mean for this product. */
export interface Reading {
  /** Name → whether a condition in words holds. */
  readonly included?: Readonly<Record<string, boolean>>;
  /** Name → folder, where the winner is given in words. */
  readonly winners?: Readonly<Record<string, string>>;
  /** Scope in words → the root's `source`. */
  readonly sources?: Readonly<Record<string, string>>;
  readonly diagnostics?: readonly DiagnosticReading[];
  /** Codes that may be there besides: the case speaks of the file, not of this remark. */
  readonly also?: readonly string[];
  /** The expected diagnostics are `skillet check --strict`'s. */
  readonly check?: boolean;
}

const inSkills = (...names: readonly string[]): readonly string[] =>
  names.map((name) => `skills/${name}/SKILL.md`);

/** By case id. A case without an entry has nothing in words and expects no diagnostics. */
export const readings: Readonly<Record<string, Reading>> = {
  "a-substitution": {
    diagnostics: [{ codes: ["standard/argument-in-code"], says: [/\$1/, /code block/] }],
  },
  "b-long-body": {
    diagnostics: [{ codes: ["standard/body-long"], says: [/lines/, /characters/, /tokens/, /references/] }],
  },
  "c-subagent": {
    diagnostics: [
      {
        codes: ["agent/unknown-skill"],
        says: [/absent/, /not a known skill/, /manual-step, soil/],
        files: ["repo/.claude/agents/gardener.md"],
      },
    ],
  },
  "d-loose-markdown": { included: { "flat-style": false } },
  "d-nesting": {
    diagnostics: [{ codes: ["discovery/grouped"], says: [/letter/, /memo/, /deep/, /one level/] }],
  },
  "d-path-globs": {
    diagnostics: [
      {
        codes: ["frontmatter/pattern"],
        says: [/pattern/, /not tied to files/],
        files: ["repo/.agents/skills/odd/SKILL.md"],
      },
    ],
  },
  "d-symlink-cycle": { diagnostics: [{ codes: ["discovery/link-back"], says: [/back/] }] },
  "d-symlinks": { diagnostics: [{ codes: ["discovery/link-broken"], says: [/points to nothing/] }] },
  "d-worktree": {
    sources: { "project (main checkout)": "main-checkout-agents" },
    diagnostics: [{ codes: ["discovery/main-checkout"], says: [/local-only/, /main checkout/] }],
  },
  "iso-one-bad": {
    // Where the list of `items` ends is anybody's guess, but no field that is known here depends on it.
    included: { torn: true },
    winners: { watering: "home/.agents/skills/watering/SKILL.md" },
    diagnostics: [
      { codes: ["text/not-text"], says: [/text/] },
      {
        codes: ["precedence/broken-override"],
        says: [/stays in effect/, /home\/\.agents\/skills\/watering/],
      },
    ],
    also: ["frontmatter/unclosed-collection"],
  },
  "n-unsafe": {
    diagnostics: [
      {
        codes: ["name/unsafe", "name/hidden-characters"],
        says: [/not allowed|cannot be/],
        files: inSkills("up", "abs", "win", "bidi", "zero"),
        saysOf: {
          "skills/bidi/SKILL.md": /U\+202E/,
          "skills/zero/SKILL.md": /U\+200B/,
        },
      },
    ],
  },
  "p-allowed-tools": { check: true, diagnostics: [{ codes: ["standard/tool-list"], says: [/blanks/] }] },
  "p-argument-hint": {
    diagnostics: [
      {
        codes: ["frontmatter/not-text", "frontmatter/reserved-character"],
        says: [/argument-hint/],
        files: inSkills("one", "two", "tail"),
      },
    ],
  },
  "p-bom": { check: true, diagnostics: [{ codes: ["standard/byte-order-mark"], says: [/mark/] }] },
  "p-colon-wrapped": { diagnostics: [{ codes: ["frontmatter/unquoted-colon"], says: [/colon/] }] },
  "p-encodings": {
    included: { wide: true },
    diagnostics: [
      { codes: ["text/not-utf8"], says: [/UTF-8/] },
      { codes: ["text/utf16"], says: [/UTF-16/] },
    ],
  },
  "p-flag-booleans": {
    diagnostics: [
      { codes: ["frontmatter/boolean-text"], says: [/text/], files: inSkills("flag-c", "flag-d") },
      { codes: ["frontmatter/boolean-unclear"], says: [/true/], files: inSkills("flag-e") },
    ],
  },
  "p-missing-fields": {
    diagnostics: [
      {
        codes: ["frontmatter/absent", "name/missing", "description/missing"],
        says: [/folder|paragraph/],
        files: inSkills("bare", "no-desc", "no-name"),
      },
      { codes: ["file/empty"], says: [/empty/] },
    ],
  },
  "p-no-closing-fence": {
    diagnostics: [{ codes: ["frontmatter/unclosed"], says: [/line 1/, /never closed/] }],
  },
  "p-special-first-char": {
    diagnostics: [
      {
        codes: ["frontmatter/reserved-character", "frontmatter/text-after-quote"],
        says: [/description/],
        files: inSkills("backquote", "at", "star", "percent", "bracket", "brace", "bang", "quoted"),
      },
    ],
  },
  "pr-project-user": {
    diagnostics: [
      {
        codes: ["precedence/shadowed"],
        says: [/project copy \S+repo\S+ is in use/, /user copy \S+home\S+ is shadowed/],
      },
    ],
  },
  "pr-same-root": {
    winners: { example: "home/.claude/skills/example" },
    diagnostics: [
      { codes: ["precedence/declared-twice"], says: [/twin/, /declared twice/] },
      { codes: ["precedence/shadowed", "precedence/identical-copy"], says: [/example/] },
    ],
  },
  "win-link": { diagnostics: [{ codes: ["place/method"], says: [/symlink|junction|copy/, /link/] }] },
};
