import { renderCatalog } from "../../catalog/render-catalog.ts";
import { defaultBudget } from "../../catalog/token-counter.ts";
import type { Catalog, CatalogRequest } from "../../profile.ts";
import { isDisabled } from "../../visibility/permission.ts";
import { matchWildcard } from "../../visibility/wildcard.ts";

/**
 * Skillet's own catalog: escaped, within a budget, nothing lost in silence. Absent when the tool is denied or empty.
 * The built-in skills yield, so that they never take the room of what a user has installed.
 */
export function skilletCatalog(request: CatalogRequest): Catalog {
  const { configuration, counter } = request;
  const settings = configuration.catalog;
  const budget =
    request.budget ?? settings.budget ?? defaultBudget(request.window ?? settings.window, settings.share);
  if (isDisabled(request.permission, "skill"))
    return { text: null, tokens: 0, budget, overflow: "none", skills: [] };
  const { pins } = configuration.skills;
  const rendered = renderCatalog(
    request.skills.map(({ skill }) => ({
      name: skill.name,
      description: skill.description,
      whenToUse: skill.whenToUse,
      pinned: pins.some((pin) => matchWildcard(skill.name, pin)),
      yields: skill.root.scope === "builtin",
      location: skill.location,
    })),
    { budget, counter, entryCap: settings.entryLimit },
  );
  return {
    text: rendered.text === "" ? null : rendered.text,
    tokens: rendered.tokens,
    budget,
    overflow: rendered.overflow,
    skills: rendered.skills.map(({ location: _, shown: __, total: ___, ...entry }) => entry),
  };
}
