import { agentCodes } from "./agent.ts";
import { archiveCodes } from "./archive.ts";
import { checkCodes } from "./check.ts";
import { configCodes, environmentCodes, stateCodes } from "./config.ts";
import type { CodeText } from "./define-codes.ts";
import { discoveryCodes, fileCodes, precedenceCodes } from "./discovery.ts";
import { expandCodes } from "./expand.ts";
import { frontmatterCodes } from "./frontmatter.ts";
import { installCodes, lockCodes } from "./install.ts";
import { mcpCodes } from "./mcp.ts";
import { mirroredCodes } from "./mirrored.ts";
import { descriptionCodes, nameCodes } from "./name.ts";
import { packCodes } from "./pack.ts";
import { placeCodes } from "./place.ts";
import { policyCodes } from "./policy.ts";
import { publishCodes } from "./publish.ts";
import { remoteCodes } from "./remote.ts";
import { riskCodes } from "./risk.ts";
import { searchCodes } from "./search.ts";
import { standardCodes } from "./standard.ts";
import { syncCodes } from "./sync.ts";
import { textCodes } from "./text.ts";
import { watchCodes } from "./watch.ts";

/**
 * Every diagnostic code with its severity and texts. An area adds a file with `defineCodes({…})` and one line here.
 * The codes are frozen by a test; docs/diagnostics has one page a code.
 */
export const diagnosticTable = {
  ...discoveryCodes,
  ...fileCodes,
  ...precedenceCodes,
  ...textCodes,
  ...frontmatterCodes,
  ...nameCodes,
  ...descriptionCodes,
  ...standardCodes,
  ...placeCodes,
  ...policyCodes,
  ...remoteCodes,
  ...configCodes,
  ...environmentCodes,
  ...stateCodes,
  ...checkCodes,
  ...packCodes,
  ...expandCodes,
  ...agentCodes,
  ...mirroredCodes,
  ...watchCodes,
  ...syncCodes,
  ...mcpCodes,
  ...publishCodes,
  ...archiveCodes,
  ...lockCodes,
  ...installCodes,
  ...riskCodes,
  ...searchCodes,
};

export type DiagnosticCode = keyof typeof diagnosticTable;

/** Texts of a code, or null for a code the table does not know. */
export function codeText(code: string): CodeText | null {
  return Object.hasOwn(diagnosticTable, code) ? diagnosticTable[code as DiagnosticCode] : null;
}

/** Page of a code, relative to the project: `docs/diagnostics/frontmatter-unquoted-colon.md`. */
export function codePage(code: string): string {
  return `docs/diagnostics/${code.replaceAll("/", "-")}.md`;
}
