import type { Diagnostic } from "../../diagnostic.ts";
import { makeDiagnostic } from "../../diagnostics/make.ts";
import { isFields } from "./merge-settings.ts";

/** Where skills are configured to come from, in order. */
export interface SkillSources {
  readonly paths: readonly string[];
  readonly urls: readonly string[];
  /** Those of `urls` that only a project's files name; absent = none. */
  readonly projectUrls?: readonly string[];
}

function isWebAddress(text: string): boolean {
  return /^https?:/i.test(text) && URL.canParse(text);
}

/** `skills` as an object of `paths` and `urls`, as a flat list of both, or as both kinds (decision D5). */
export type SkillsForm = "object" | "list";

/**
 * Reads the `skills` setting. What the program would refuse to start over is left out with a diagnostic, and the
 * rest of the setting still counts.
 */
export function readSkillSources(
  value: unknown,
  options: {
    readonly forms: readonly SkillsForm[];
    readonly path: string | null;
    readonly diagnostics: Diagnostic[];
  },
): SkillSources {
  const { forms, path, diagnostics } = options;
  const report = (message: string, hint: string): void => {
    diagnostics.push(makeDiagnostic("config/wrong-type", { path, message, hint }));
  };
  const texts = (list: unknown, key: string): readonly string[] => {
    if (list === undefined) return [];
    if (!Array.isArray(list)) {
      report(`\`${key}\` is not a list, so it is ignored.`, "Write a list of texts");
      return [];
    }
    return list.filter((item: unknown): item is string => {
      if (typeof item !== "string")
        report(`An entry of \`${key}\` is not a text; it is left out.`, "Write texts only");
      return typeof item === "string";
    });
  };

  if (value === undefined) return { paths: [], urls: [] };
  if (Array.isArray(value) && forms.includes("list")) {
    if (!forms.includes("object") && value.some((item) => typeof item !== "string")) {
      report(
        "`skills` holds an entry that is not a text, so OpenCode drops the whole list.",
        "Write texts only",
      );
      return { paths: [], urls: [] };
    }
    const items = texts(value, "skills");
    return {
      paths: items.filter((item) => !isWebAddress(item)),
      urls: items.filter((item) => isWebAddress(item)),
    };
  }
  if (isFields(value) && forms.includes("object"))
    return { paths: texts(value.paths, "skills.paths"), urls: texts(value.urls, "skills.urls") };
  const wanted = forms.includes("object")
    ? "an object with `paths` and `urls`"
    : "a list of folders and addresses";
  report(
    `\`skills\` has a form that this generation of OpenCode does not read: ${wanted} is expected.`,
    `Write ${wanted}`,
  );
  return { paths: [], urls: [] };
}
