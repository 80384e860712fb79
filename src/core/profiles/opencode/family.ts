import type { Diagnostic } from "../../diagnostic.ts";
import type { Environment } from "../../environment.ts";
import type { ReservedCommand } from "../../profile.ts";
import type { PermissionRule } from "../../visibility/permission.ts";
import { openCodeAgents } from "./agents.ts";
import { readSwitch } from "./places.ts";
import { openCodeCommandNames } from "./reserved-commands.ts";

/** In what a program differs from the first generation of OpenCode that it was forked from, as data. */
export interface Family {
  /** As messages call it. */
  readonly program: string;
  /** `opencode`: names its folders (`.opencode`) and settings files (`opencode.json`). */
  readonly name: string;
  /** Beginning of its variables: `OPENCODE`. */
  readonly variables: string;
  /** Moves every folder of the program at once; null = it has no such variable. */
  readonly homeVariable: string | null;
  /** Folders of other agents that it searches, in this order at every level. */
  readonly brands: readonly string[];
  /** Variables that switch brands off, in the order of precedence of the reason given. */
  readonly brandSwitches: readonly { readonly variable: string; readonly brands: readonly string[] }[];
  readonly isOn: (environment: Environment, variable: string, diagnostics: Diagnostic[]) => boolean;
  /** Rules that an agent has before the user's own; "" holds for agents that only settings define. */
  readonly agents: ReadonlyMap<string, readonly PermissionRule[]>;
  /** Commands of the program itself. */
  readonly commands: readonly ReservedCommand[];
}

export const openCodeFamily: Family = {
  program: "OpenCode",
  name: "opencode",
  variables: "OPENCODE",
  homeVariable: null,
  brands: [".claude", ".agents"],
  brandSwitches: [
    { variable: "OPENCODE_DISABLE_EXTERNAL_SKILLS", brands: [".claude", ".agents"] },
    { variable: "OPENCODE_DISABLE_CLAUDE_CODE_SKILLS", brands: [".claude"] },
    { variable: "OPENCODE_DISABLE_CLAUDE_CODE", brands: [".claude"] },
  ],
  isOn: readSwitch,
  agents: openCodeAgents,
  commands: openCodeCommandNames,
};
