import { resolve } from "node:path";
import type { OpenOptions } from "../host/skills.ts";
import type { FlagValues } from "./flags.ts";
import type { Io } from "./io.ts";

/** The library's options as the global flags give them. */
export function openOptions(flags: FlagValues, io: Io): OpenOptions {
  const path = (name: string) => {
    const value = flags.text(name);
    return value === undefined || io.cwd === null ? value : resolve(io.cwd, value);
  };
  const variables = flags.texts("env").map((pair) => {
    const cut = pair.indexOf("=");
    return [pair.slice(0, cut), pair.slice(cut + 1)] as const;
  });
  const touched = flags.texts("touched");
  return given({
    cwd: path("cwd") ?? io.cwd ?? undefined,
    home: path("home"),
    data: path("data"),
    profile: flags.text("as"),
    env: variables.length === 0 ? undefined : Object.fromEntries(variables),
    configFile: path("config"),
    agent: flags.text("agent"),
    tools: flags.list("tools"),
    features: flags.list("features"),
    host: flags.text("host") as "cli" | "desktop" | undefined,
    region: flags.text("region"),
    mcpServers: flags.list("mcp-servers"),
    language: flags.text("lang"),
    pack: path("pack"),
    trust: flags.on("trust") ? true : undefined,
    touched: touched.length === 0 ? undefined : touched,
  });
}

/** Leaves out what was not given: the library tells "absent" from "undefined". */
function given(options: { [Key in keyof OpenOptions]: OpenOptions[Key] | undefined }): OpenOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
