import {
  attachmentSkills,
  findMimoMentions,
  mimoCatalogText,
  renderMimoContent,
  searchMimo,
  tokenizeMimo,
} from "../../../src/index.ts";
import { compare, type GoldenSuite } from "./golden-file.ts";

type Of<Ask extends (...input: never[]) => unknown> = Parameters<Ask>;

/** `mimo.tokenize`: the tokens of a text. */
export const tokenizeSuite: GoldenSuite = ({ input, expected }) =>
  compare(expected, tokenizeMimo((input as { readonly text: string }).text));

/** `mimo.search`: the best skills of a pool, given or named. */
export const searchSuite: GoldenSuite = ({ input, expected }, { pools }) => {
  const { query, pool, skills } = input as {
    readonly query: string;
    readonly pool?: string;
    readonly skills?: Of<typeof searchMimo>[1];
  };
  const searched = skills ?? (pools?.[pool ?? ""] as Of<typeof searchMimo>[1]);
  return compare(expected, searchMimo(query, searched));
};

/** `mimo.catalog`: the list of skills in either form. */
export const catalogSuite: GoldenSuite = ({ input, expected }) => {
  const { skills, verbose } = input as {
    readonly skills: Of<typeof mimoCatalogText>[0];
    readonly verbose: boolean;
  };
  return compare(expected, { text: mimoCatalogText(skills, { verbose }) });
};

/** `mimo.content`: what a load gives. */
export const contentSuite: GoldenSuite = ({ input, expected }) => {
  const { name, content, dir, files } = input as {
    readonly name: string;
    readonly content: string;
    readonly dir: string;
    readonly files: readonly string[];
  };
  return compare(expected, { output: renderMimoContent({ name, body: content, folder: dir, files }) });
};

/** `mimo.mentions`: the skills that a message names. */
export const mentionsSuite: GoldenSuite = ({ input, expected }) => {
  const { text, available } = input as { readonly text: string; readonly available: readonly string[] };
  return compare(expected, findMimoMentions(text, available));
};

/** `mimo.attachments`: the document skills for a message's files. */
export const attachmentsSuite: GoldenSuite = ({ input, expected }) => {
  const { files } = input as { readonly files: Of<typeof attachmentSkills>[0] };
  return compare(expected, { skills: attachmentSkills(files) });
};
