#!/usr/bin/env node
import { writeSync } from "node:fs";

declare const __SKILLET_VERSION__: string | undefined;

void run(process.argv.slice(2));

// Built as CommonJS, unlike everything else: Node starts that sooner, and editors and scripts ask for the version often.
async function run(args: readonly string[]): Promise<void> {
  if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
    const version =
      typeof __SKILLET_VERSION__ === "string" ? __SKILLET_VERSION__ : (await import("../version.ts")).version;
    writeSync(1, `${version}\n`);
    return;
  }
  const { main } = await import("../cli/main.ts");
  process.exitCode = await main(args);
}
