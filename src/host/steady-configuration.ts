import type { Configuration } from "../core/configuration.ts";
import type { Result } from "../core/diagnostic.ts";
import { makeDiagnostic } from "../core/diagnostics/make.ts";
import type { Environment } from "../core/environment.ts";
import { SkilletError } from "../core/error.ts";
import type { FileSystem } from "../core/file-system.ts";
import { loadConfiguration } from "./configuration.ts";

/**
 * Makes a function that reads all settings each time it is called. The first call throws as `loadConfiguration` does;
 * later ones don't: when the file of `--config` is gone, the settings from before stay in force and a diagnostic says so.
 */
export function steadyConfiguration(request: {
  readonly environment: Environment;
  readonly config: string | undefined;
}): (fileSystem: FileSystem, trusted?: boolean) => Result<Configuration> {
  let last: Result<Configuration> | null = null;
  return (fileSystem, trusted = false) => {
    try {
      last = loadConfiguration({ ...request, fileSystem, trusted });
      return last;
    } catch (error) {
      if (last === null || !(error instanceof SkilletError)) throw error;
      const message = `${error.message}. The settings from before stay in force.`;
      const gone = makeDiagnostic("config/unreadable", { path: request.config ?? null, message });
      return { value: last.value, diagnostics: [...last.diagnostics, gone] };
    }
  };
}
