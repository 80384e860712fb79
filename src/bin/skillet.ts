#!/usr/bin/env node
declare const __SKILLET_VERSION__: string | undefined;

const args = process.argv.slice(2);

// Asked for the version alone, nothing else is loaded: editors and scripts call this often.
if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
  const version =
    typeof __SKILLET_VERSION__ === "string" ? __SKILLET_VERSION__ : (await import("../version.ts")).version;
  process.stdout.write(`${version}\n`);
} else {
  const { main } = await import("../cli/main.ts");
  process.exitCode = await main(args);
}
