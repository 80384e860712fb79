import { escapeXml } from "../common/xml.ts";
import type { Workbook } from "./read-workbook.ts";
import { unescapeXml } from "./sheet-text.ts";

/** Text, or the name of one sheet or of two with a colon between, and what is referred to there. */
const reference =
  /("(?:[^"]|"")*")|(?:'((?:[^']|'')+)'|(?<![\p{L}\p{N}_.$!\]'])((?:\[[^\]]*\])?[\p{L}\p{N}_.\\?]+(?::[\p{L}\p{N}_.]+)?))!(\$?[A-Za-z]{1,3}\$?\d+(?::\$?[A-Za-z]{1,3}\$?\d+)?|\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}|\$?\d+:\$?\d+|[\p{L}_\\][\p{L}\p{N}_.]*|#REF!)?/gu;

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/**
 * A formula in which a sheet has another name, or with null is gone: what referred to it is `#REF!` then. Other
 * workbooks' sheets and text stay.
 */
export function renameInFormula(
  formula: string,
  {
    from,
    to,
    sheets,
  }: { readonly from: string; readonly to: string | null; readonly sheets: readonly string[] },
): string {
  return formula.replace(
    reference,
    (all, text: string | undefined, quoted: string | undefined, plain: string | undefined, rest = "") => {
      const written = quoted?.replaceAll("''", "'") ?? plain;
      if (text !== undefined || written === undefined || written.includes("[")) return all;
      let names = written.split(":");
      let ahead = "";
      // In A1:Sheet!B2 the colon makes a range of cells, not of sheets.
      if (plain !== undefined && names.length === 2 && !sheets.some((one) => same(one, names[0] ?? ""))) {
        ahead = `${names[0]}:`;
        names = names.slice(1);
      }
      if (!names.some((name) => same(name, from))) return all;
      if (to === null) return `${ahead}#REF!`;
      return `${ahead}${quote(names.map((name) => (same(name, from) ? to : name)))}!${rest}`;
    },
  );
}

function quote(names: readonly string[]): string {
  const plain = names.every(
    (name) => /^[A-Za-z_]\w*$/.test(name) && !/^(?:[A-Z]{1,3}\d+|R\d*C?\d*|C\d*)$/i.test(name),
  );
  const text = names.join(":");
  return plain ? text : `'${text.replaceAll("'", "''")}'`;
}

/** Elements and attributes, in any part, that hold formulas or places. */
const elements =
  /(<((?:\w+:)?(?:f|formula|formula1|formula2|definedName|calculatedColumnFormula|totalsRowFormula))\b[^>]*>)([^<]+)(?=<\/\2>)/g;
const attributes = /(\s(?:location|textlink|fmlaLink|fmlaRange|fmlaGroup|fmlaTxbx)=")([^"]+)(?=")/g;

/** Changes every formula of a workbook: of cells, names, rules, links, tables and charts. */
export function changeFormulas({ pack }: Workbook, change: (formula: string) => string): void {
  for (const name of pack.names()) {
    if (!/^xl\/.*\.xml$/.test(name) || /^xl\/(?:sharedStrings|styles|theme\/|metadata|persons?\/)/.test(name))
      continue;
    const text = pack.text(name);
    const made = text
      .replace(elements, (_, open: string, _name, inner: string) => open + changed(inner, change))
      .replace(attributes, (_, open: string, inner: string) => open + changed(inner, change));
    if (made !== text) pack.set(name, made);
  }
}

/** Escaped text as it is where nothing changes. */
function changed(inner: string, change: (formula: string) => string): string {
  const formula = unescapeXml(inner);
  const made = change(formula);
  return made === formula ? inner : escapeXml(made);
}
