import type { Environment } from "../../environment.ts";
import { join } from "../../path.ts";
import { brands } from "./brands.ts";
import { userFolder } from "./roots.ts";

/** Where one agent looks for skills: of a workspace folder, or of the user. */
export interface AgentFolder {
  readonly id: string;
  /** For people. */
  readonly title: string;
  readonly path: string;
}

/** Other words for agents whose id is longer or differs from what people say. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["mimo", "mimocode"],
  ["copilot", "github"],
  ["claude-code", "claude"],
  ["gemini-cli", "gemini"],
  ["minimax-code", "minimax"],
]);

/** Every agent whose folders are known, in the order of the default search. */
export const agentsWithFolders: readonly string[] = [...brands.keys()];

/**
 * The folder that an agent's skills are put into: below `level`, or the user's own when that is null. Null: no such
 * agent, or it has no such folder.
 */
export function agentFolder(
  name: string,
  { environment, level }: { readonly environment: Environment; readonly level: string | null },
): AgentFolder | null {
  const brand = brands.get(otherNames.get(name) ?? name);
  if (brand === undefined) return null;
  const { id, title } = brand;
  if (level !== null) {
    const [folder] = brand.workspace;
    return folder === undefined ? null : { id, title, path: join(level, folder) };
  }
  for (const place of brand.user) {
    const folder = userFolder(environment, place);
    const [name] = place.folders;
    if (folder !== null && name !== undefined) return { id, title, path: join(folder, name) };
  }
  return null;
}
