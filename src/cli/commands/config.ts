import type { Command, Context } from "../command.ts";
import { usageError } from "../usage-error.ts";

/** `skillet config`: Skillet's own settings. */
export const config: Command = {
  name: "config",
  operands: "[list|get|set|unset|schema]",
  most: 3,
  summary: "settings: list, get, set, and where each comes from",
  details: [
    "list: every setting. get KEY: one. set KEY VALUE, unset KEY: change one. schema: the JSON Schema for editors.",
    "set and unset change your own file, ~/.config/skillet/skillet.jsonc (or the one of --config); comments stay. A project's skillet.jsonc may only restrict.",
  ],
  examples: [
    ["skillet config list --origin", "every setting and the file it comes from"],
    ["skillet config set catalog.budget 3000", "tokens for the catalog"],
    ['skillet config set permission.skill."deploy*" ask', "a rule for names"],
  ],
  flags: ["origin"],
  run,
};

const operands: Readonly<Record<string, number>> = { list: 0, schema: 0, get: 1, set: 2, unset: 1 };

async function run(context: Context): Promise<number> {
  const [verb = "list", ...rest] = context.operands;
  const wanted = Object.hasOwn(operands, verb) ? operands[verb] : undefined;
  if (wanted === undefined)
    throw usageError(`skillet config has no "${verb}".`, `One of: ${Object.keys(operands).join(", ")}.`);
  if (rest.length !== wanted)
    throw usageError(
      `skillet config ${verb} needs ${wanted === 0 ? "nothing more" : `${wanted} more`}.`,
      "See skillet help config.",
    );
  const [key = "", value = ""] = rest;
  const settings = await import("../config/settings-commands.ts");
  if (verb === "schema") return settings.printSchema(context);
  if (verb === "get") return settings.getSetting(context, key);
  if (verb === "list") return settings.listSettings(context);
  return settings.changeSetting(context, key, verb === "set" ? value : null);
}
