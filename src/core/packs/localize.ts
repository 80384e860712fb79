import type { Profile } from "../profile.ts";
import type { SkillDocument } from "../skill/document.ts";
import type { LocalizedTexts } from "./pack.ts";

/**
 * A document with the texts that a bundled skill has in other languages. What the file itself says stays in force.
 * Feature M16.
 */
export function localize<T extends SkillDocument>(
  document: T,
  locales: Readonly<Record<string, LocalizedTexts>>,
): T {
  const displayNames: Record<string, string> = {};
  const descriptions: Record<string, string> = {};
  const aliases = [...document.aliases];
  for (const [language, texts] of Object.entries(locales)) {
    if (texts.title !== null) displayNames[language] = texts.title;
    if (texts.description !== null) descriptions[language] = texts.description;
    for (const alias of texts.aliases) if (!aliases.includes(alias)) aliases.push(alias);
  }
  return {
    ...document,
    aliases,
    displayNames: { ...displayNames, ...document.displayNames },
    descriptions: { ...descriptions, ...document.descriptions },
  };
}

/** A skill's description in a language of the reader's, else as its file has it. For people; a model gets the latter. */
export function localDescription(
  skill: Pick<SkillDocument, "description" | "descriptions">,
  language: string,
): string | null {
  return localText(skill.descriptions, language) ?? skill.description;
}

/** The text for a language: its own, else one in the same script (`zh-TW` for `zh-HK`), else null. */
function localText(texts: Readonly<Record<string, string>>, language: string): string | null {
  if (Object.hasOwn(texts, language)) return texts[language] ?? null;
  const wanted = script(language);
  const near = Object.keys(texts)
    .sort()
    .find((tag) => wanted !== null && script(tag) === wanted);
  return near === undefined ? null : (texts[near] ?? null);
}

function script(tag: string): string | null {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    return null;
  }
}

/**
 * The same profile, whose reader adds the texts in other languages to bundled skills. `texts` by location. Names in our
 * own packs are ours to choose (`compose:plan` in the folder `plan`), so remarks about names are left out.
 */
export function withLocalTexts(
  profile: Profile,
  texts: ReadonlyMap<string, Readonly<Record<string, LocalizedTexts>>>,
): Profile {
  const { reader } = profile;
  return {
    ...profile,
    reader: {
      body: (source, context) => reader.body(source, context),
      read(source, context) {
        const read = reader.read(source, context);
        const locales = read.document === null ? undefined : texts.get(source.path);
        return read.document === null || locales === undefined
          ? read
          : {
              ...read,
              document: localize(read.document, locales),
              diagnostics: read.diagnostics.filter(({ code }) => !code.startsWith("name/")),
            };
      },
    },
  };
}
