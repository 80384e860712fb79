#!/usr/bin/env node
import { writeSync } from "node:fs";

declare const __SKILLET_VERSION__: string | undefined;
declare function require(path: string): typeof import("./load-server.ts");

void run(process.argv.slice(2));

// Built as CommonJS, unlike everything else: Node starts that sooner, and editors and scripts ask for the version often.
async function run(args: readonly string[]): Promise<void> {
  if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
    const version =
      typeof __SKILLET_VERSION__ === "string" ? __SKILLET_VERSION__ : (await import("../version.ts")).version;
    writeSync(1, `${version}\n`);
    return;
  }
  const { main } = (isHeld(args) ? heldShell() : null) ?? (await import("../cli/main.ts"));
  const code = await main(args);
  // What became of the output may be known already, and counts where all else went well.
  if (code !== 0 || process.exitCode === undefined) process.exitCode = code;
}

/** `mcp` is started for every session of a client, `list` by every script that asks what there is. */
function isHeld([command, ...rest]: readonly string[]): boolean {
  return (command === "mcp" || command === "list") && !rest.includes("--help") && !rest.includes("-h");
}

/**
 * The build makes one file of these commands, since looking for fifty modules takes longer than what they do. It is
 * required, because an import would read the whole file once more for its names. Null when this runs from its sources.
 */
function heldShell(): typeof import("../cli/main.ts") | null {
  return typeof __SKILLET_VERSION__ === "string" ? require("./load-server.js").loadServer() : null;
}
