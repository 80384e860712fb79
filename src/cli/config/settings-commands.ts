import { configKey, configKeys } from "../../core/configuration/keys.ts";
import { closestKeys } from "../../core/configuration/read-settings.ts";
import { configurationSchema } from "../../core/configuration/schema.ts";
import type { ConfigLayer } from "../../core/configuration.ts";
import { SkilletError } from "../../core/error.ts";
import { resolve } from "../../core/path.ts";
import { toPortable } from "../../host/native-path.ts";
import type { Context } from "../command.ts";
import { environmentFor } from "../environment-for.ts";
import { displayPath } from "../output/display-path.ts";
import { jsonText } from "../output/json-text.ts";
import { rows } from "../output/rows.ts";
import { safeLine } from "../output/safe-text.ts";
import { noteSettings } from "../views/notes.ts";
import { settingValue } from "./setting-value.ts";

/** The JSON Schema of `skillet.jsonc`. */
export async function printSchema(context: Context): Promise<number> {
  context.write(jsonText(configurationSchema()));
  return 0;
}

/** One setting as it counts here. */
export async function getSetting(context: Context, key: string): Promise<number> {
  const { configuration } = await context.skills();
  const value = settingValue(configuration, key);
  if (value === undefined) throw unknownKey(key);
  if (context.json)
    context.printJson({ version: 1, key, value, origin: originJson(configuration.origin[key]) });
  else if (typeof value === "string") context.print(safeLine(value));
  else context.write(jsonText(value));
  return 0;
}

/** Every setting; with --origin the file it comes from. */
export async function listSettings(context: Context): Promise<number> {
  const skills = await context.skills();
  const { configuration } = skills;
  const settings = configKeys.flatMap(({ key, description, default: standard }) => {
    const value = settingValue(configuration, key);
    return value === undefined
      ? []
      : [{ key, value, standard, description, origin: configuration.origin[key] }];
  });
  if (context.json) {
    context.printJson({
      version: 1,
      settings: settings.map(({ key, value, standard, description, origin }) => ({
        key,
        value,
        default: standard,
        description,
        origin: originJson(origin),
      })),
    });
    return 0;
  }
  const { paint } = context;
  const origins = context.flags.on("origin");
  context.print(
    ...rows(
      settings.map(({ key, value, origin }) => [
        { text: key, paint: origin === undefined ? paint.dim : paint.bold },
        ...(origins ? [{ text: originWords(origin, skills.environment), paint: paint.cyan }] : []),
        { text: safeLine(typeof value === "string" ? value : JSON.stringify(value)) },
      ]),
      paint,
      { indent: 0, least: 4 },
    ),
  );
  noteSettings(context, skills);
  return 0;
}

/** Stores a setting in the user's file; null takes it out. Nothing is written that would not count. */
export async function changeSetting(context: Context, key: string, value: string | null): Promise<number> {
  const [{ configValueFromText, setConfigValue }, { userConfigFile }, { createFileSystem }] =
    await Promise.all([
      import("../../host/edit-configuration.ts"),
      import("../../host/configuration.ts"),
      import("../../host/node-file-system.ts"),
    ]);
  const environment = environmentFor(context);
  const file = context.flags.text("config");
  const path =
    file === undefined
      ? userConfigFile(environment, createFileSystem())
      : resolve(environment.cwd, toPortable(file));
  setConfigValue(path, key, value === null ? undefined : typed(key, configValueFromText(value)));
  const shown = displayPath(path, { cwd: "", home: environment.home });
  if (context.json) context.printJson({ version: 1, key, path });
  else
    context.print(
      `${context.paint.green(context.paint.symbols.yes)} ${safeLine(key)} ${value === null ? "taken out of" : "stored in"} ${shown}`,
    );
  return 0;
}

/** A list may also be written `a,b`. */
function typed(key: string, value: unknown): unknown {
  if (configKey(key)?.type.kind !== "list" || typeof value !== "string") return value;
  return value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** The error for a key that does not exist. */
function unknownKey(key: string): SkilletError {
  const [near] = closestKeys(key, 1);
  return new SkilletError("not-found", `There is no setting "${key}".`, {
    hint: near === undefined ? "All: skillet config list" : `Did you mean ${near}?`,
  });
}

function originJson(origin: ConfigLayer | undefined): object {
  return { layer: origin?.name ?? "default", path: origin?.path ?? null };
}

function originWords(
  origin: ConfigLayer | undefined,
  place: { readonly cwd: string; readonly home: string },
): string {
  if (origin === undefined) return "default";
  return origin.path === null ? origin.name : `${origin.name} ${displayPath(origin.path, place)}`;
}
