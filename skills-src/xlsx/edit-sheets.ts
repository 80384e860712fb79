import { Failure } from "../common/failure.ts";
import { type OfficePackage, relationsName } from "../common/office-package.ts";
import { all, attr } from "../common/xml.ts";
import { cellName } from "./cells.ts";
import { readSheet, type SheetInfo, type Workbook } from "./read-workbook.ts";
import { changeFormulas, renameInFormula } from "./references.ts";

/** Renames a sheet, and in everything that refers to it. */
export function renameSheet(book: Workbook, sheet: SheetInfo, name: string): void {
  const { pack, part } = book;
  const sheets = book.sheets.map((one) => one.name);
  changeFormulas(book, (formula) => renameInFormula(formula, { from: sheet.name, to: name, sheets }));
  for (const one of all(pack.xml(part), "sheet"))
    if (attr(one, "name") === sheet.name) one.setAttribute("name", name);
  pack.touch(part);
  // Pivot tables name the sheet of their data apart from its range.
  for (const source of pack.names().filter((one) => /^xl\/pivotCache\/[^/]*\.xml$/.test(one)))
    for (const one of all(pack.xml(source), "worksheetSource"))
      if (attr(one, "sheet") === sheet.name) {
        one.setAttribute("sheet", name);
        pack.touch(source);
      }
}

/**
 * Removes a sheet with what only it used; the last one cannot go. Gives the places that referred to it, which show an
 * error from then on.
 */
export function deleteSheet(book: Workbook, sheet: SheetInfo): readonly string[] {
  const { pack, part } = book;
  if (book.sheets.length < 2) throw new Failure("a workbook needs at least one sheet");
  const sheets = book.sheets.map((one) => one.name);
  const gone = (formula: string): string => renameInFormula(formula, { from: sheet.name, to: null, sheets });
  const users: string[] = [];
  for (const other of book.sheets.filter((one) => one.part !== sheet.part))
    readSheet(book, other, (cell) => {
      if (cell.formula !== null && gone(cell.formula) !== cell.formula)
        users.push(`${other.name}!${cellName(cell)}`);
    });
  const elements = all(pack.xml(part), "sheet");
  const at = elements.findIndex((one) => attr(one, "name") === sheet.name);
  const relation = pack.relations(part).find(({ target }) => target === sheet.part);
  elements[at]?.parentNode?.removeChild(elements[at]);
  for (const name of all(pack.xml(part), "definedName")) {
    const local = attr(name, "localSheetId");
    if (local !== null && Number(local) === at) name.parentNode?.removeChild(name);
    else {
      if (local !== null && Number(local) > at) name.setAttribute("localSheetId", String(Number(local) - 1));
      const refers = name.textContent ?? "";
      if (gone(refers) !== refers) users.push(`the name ${attr(name, "name")}`);
    }
  }
  for (const view of all(pack.xml(part), "workbookView")) view.removeAttribute("activeTab");
  for (const list of all(pack.xml(part), "definedNames"))
    if (all(list, "definedName").length === 0) list.parentNode?.removeChild(list);
  pack.touch(part);
  if (relation) pack.unrelate(part, relation.id);
  removeUnused(pack, sheet.part);
  changeFormulas(book, gone);
  return users;
}

/** Removes a part that nothing leads to, and what only it led to: drawings, tables, comments. */
function removeUnused(pack: OfficePackage, part: string): void {
  const used = pack.names().some((name) => {
    const owner = /^(?:(.*)\/)?_rels\/([^/]*)\.rels$/.exec(name);
    const of = owner ? `${owner[1] ? `${owner[1]}/` : ""}${owner[2]}` : null;
    return of !== null && pack.relations(of).some(({ target, external }) => !external && target === part);
  });
  if (used || !pack.has(part)) return;
  const targets = pack.relations(part).filter(({ external }) => !external);
  pack.dropContentType(part);
  pack.remove(relationsName(part));
  pack.remove(part);
  for (const { target } of targets) removeUnused(pack, target);
}
