import type { Skills } from "../host/skills.ts";
import { listedTools } from "./create-server.ts";
import { listPrompts } from "./served-prompts.ts";
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
    prompts: JSON.stringify(everyPage((cursor) => listPrompts(skills, cursor))),
    resources: JSON.stringify([
      everyPage((cursor) => served.resources(cursor)),
      skills.entries.filter(({ modelInvocable }) => modelInvocable).map(({ skill }) => skill.digest),
    ]),
  };
}

function everyPage(
  list: (cursor: string | undefined) => { readonly nextCursor?: string },
): readonly object[] {
  const pages: object[] = [];
  for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
    const page = list(cursor);
    pages.push(page);
    cursor = page.nextCursor;
  }
  return pages;
}
