import type { Skills } from "../host/skills.ts";
import { listedTools } from "./create-server.ts";
import { allPrompts } from "./served-prompts.ts";
import type { ServedSkills } from "./skill-source.ts";

/** Which lists are other ones now. */
export interface ChangedLists {
  readonly tools: boolean;
  readonly prompts: boolean;
  readonly resources: boolean;
}

/**
 * Calls `announce` when a change on disk made a list another one, and only then: a client asks for the whole list again.
 * Starts watching. Returns what ends it.
 */
export function announceChanges(
  { skills, served }: { readonly skills: Skills; readonly served: ServedSkills },
  announce: (changed: ChangedLists) => void,
): () => void {
  let before = lists(skills, served);
  return skills.on("change", () => {
    const now = lists(skills, served);
    const changed = {
      tools: now.tools !== before.tools,
      prompts: now.prompts !== before.prompts,
      resources: now.resources !== before.resources,
    };
    before = now;
    if (changed.tools || changed.prompts || changed.resources) announce(changed);
  });
}

function lists(skills: Skills, served: ServedSkills): Readonly<Record<keyof ChangedLists, string>> {
  return {
    tools: JSON.stringify(listedTools(skills)),
    prompts: JSON.stringify(allPrompts(skills)),
    resources: JSON.stringify(served.everything()),
  };
}
