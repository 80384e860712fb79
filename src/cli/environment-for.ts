import type { Environment } from "../core/environment.ts";
import { createEnvironment } from "../host/environment.ts";
import type { Context } from "./command.ts";
import { openOptions } from "./open-options.ts";

/** The environment that the global flags describe, for commands that open no skills. */
export function environmentFor(context: Context): Environment {
  return createEnvironment(openOptions(context.flags, context.io)).value;
}
