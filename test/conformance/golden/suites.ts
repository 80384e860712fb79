import type { GoldenSuite } from "./golden-file.ts";
import { listingSuite } from "./listing.ts";
import { permissionSuite, wildcardSuite } from "./permission.ts";
import { runSuite, turnsSuite } from "./prompt.ts";

/** Every suite that can be run, by the `suite` field of a file. */
export const suites: Readonly<Record<string, GoldenSuite>> = {
  "mimo.permission": permissionSuite,
  "mimo.wildcard": wildcardSuite,
  "opencode.discovery": listingSuite("opencode", { warnings: true }),
  "opencode-v2.discovery": listingSuite("opencode-v2", { warnings: false }),
  "opencode.prompt": runSuite("opencode"),
  "opencode-v2.prompt": turnsSuite("opencode-v2"),
};
