import type { GoldenSuite } from "./golden-file.ts";
import { listingSuite } from "./listing.ts";
import {
  attachmentsSuite,
  catalogSuite,
  contentSuite,
  mentionsSuite,
  searchSuite,
  tokenizeSuite,
} from "./mimo.ts";
import { minimaxSuites } from "./minimax.ts";
import { permissionSuite, wildcardSuite } from "./permission.ts";
import { runSuite, turnsSuite } from "./prompt.ts";
import { remoteSuite } from "./remote.ts";

/** Every suite that can be run, by the `suite` field of a file. */
export const suites: Readonly<Record<string, GoldenSuite>> = {
  "mimo.attachments": attachmentsSuite,
  "mimo.catalog": catalogSuite,
  "mimo.content": contentSuite,
  "mimo.mentions": mentionsSuite,
  "mimo.permission": permissionSuite,
  "mimo.search": searchSuite,
  "mimo.tokenize": tokenizeSuite,
  "mimo.wildcard": wildcardSuite,
  ...minimaxSuites,
  "opencode.discovery": listingSuite("opencode", { warnings: true }),
  "opencode-v2.discovery": listingSuite("opencode-v2", { warnings: false }),
  "opencode.remote": remoteSuite("opencode"),
  "opencode-v2.remote": remoteSuite("opencode-v2"),
  "opencode.prompt": runSuite("opencode"),
  "opencode-v2.prompt": turnsSuite("opencode-v2"),
};
