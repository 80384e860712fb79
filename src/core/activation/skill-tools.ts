/** What a permission question of these tools is about (features O14, M15, M17). */
export interface SkillPermissionRequest {
  readonly permission: "skill";
  readonly patterns: readonly string[];
  /** What an answer "always" allows from then on. */
  readonly always: readonly string[];
}

/** The skills of a session as its tools need them; `openSkills` gives them. */
export interface SkillToolsPort {
  load(
    name: string,
    options: { readonly approved: boolean },
  ): { readonly status: string; readonly name: string; readonly output: string };
  search(query: string): { readonly autoLoad: string | null };
  /** Null: the profile has no search tool of its own. */
  searchTool(query: string, options: { readonly approved: boolean }): string | null;
}

/** The tools by name; each takes the model's arguments and resolves to the text for the model. */
export interface SkillTools {
  skill(input: { readonly name: string }): Promise<string>;
  skill_search(input: { readonly query: string }): Promise<string>;
}

/**
 * The two tools of a session. The same object serves as tools of the model and as `tools` inside a sandbox such as
 * `exec`, so that one permission function holds for both ways (feature M23). `allow` asks the user where a rule says
 * so and resolves to the answer; it is asked only for what would be loaded.
 */
export function createSkillTools(
  skills: SkillToolsPort,
  allow: (request: SkillPermissionRequest) => Promise<boolean>,
): SkillTools {
  const approved = (name: string) => allow({ permission: "skill", patterns: [name], always: [name] });
  return {
    skill: async ({ name }) => {
      const loaded = skills.load(name, { approved: false });
      if (loaded.status !== "ask" || !(await approved(loaded.name))) return loaded.output;
      return skills.load(name, { approved: true }).output;
    },
    skill_search: async ({ query }) => {
      const { autoLoad } = skills.search(query);
      const first = skills.searchTool(query, { approved: false });
      if (autoLoad === null || first === null) return first ?? "";
      const waits = skills.load(autoLoad, { approved: false }).status === "ask";
      if (!waits || !(await approved(autoLoad))) return first;
      return skills.searchTool(query, { approved: true }) ?? first;
    },
  };
}
