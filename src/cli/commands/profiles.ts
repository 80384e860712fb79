import { profiles as known, profileId } from "../../core/profiles/index.ts";
import type { Command, Context } from "../command.ts";
import { rows } from "../output/rows.ts";

/** `skillet profiles`: whose eyes `--as` can look with. */
export const profiles: Command = {
  name: "profiles",
  summary: "the agents whose rules --as knows",
  examples: [["skillet list --as opencode", "the skills as one of them sees them"]],
  run,
};

async function run(context: Context): Promise<number> {
  if (context.json) {
    context.printJson({
      version: 1,
      profiles: known.map((profile) => ({ id: profileId(profile), title: profile.title })),
    });
    return 0;
  }
  const { paint } = context;
  context.print(
    ...rows(
      known.map((profile) => [
        { text: profileId(profile), paint: paint.bold },
        { text: profile.title, paint: paint.dim },
      ]),
      paint,
      { indent: 0 },
    ),
  );
  return 0;
}
