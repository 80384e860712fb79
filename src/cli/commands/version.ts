import { version } from "../../version.ts";
import type { Command, Context } from "../command.ts";

/** `skillet version`: as `--version` gives it. */
export const versionCommand: Command = {
  name: "version",
  summary: "this version",
  run,
};

async function run(context: Context): Promise<number> {
  if (context.json) context.printJson({ version: 1, skillet: version });
  else context.print(version);
  return 0;
}
