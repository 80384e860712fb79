import { type Configuration, defaultConfiguration } from "../core/configuration.ts";
import { noDiagnostics, type Result } from "../core/diagnostic.ts";
import type { Environment } from "../core/environment.ts";
import type { FileSystem } from "../core/file-system.ts";

export interface LoadConfigurationOptions {
  readonly environment: Environment;
  readonly fileSystem: FileSystem;
  /** `--config`: takes the place of the user's file. Null or missing: none given. */
  readonly config?: string | null | undefined;
}

/** All layers of settings merged; user files never throw. */
export function loadConfiguration(_options: LoadConfigurationOptions): Result<Configuration> {
  return { value: defaultConfiguration, diagnostics: noDiagnostics };
}
