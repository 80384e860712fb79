import {
  PDFCheckBox,
  PDFDocument,
  PDFDropdown,
  PDFHexString,
  PDFName,
  PDFOptionList,
  PDFRadioGroup,
  PDFTextField,
} from "@cantoo/pdf-lib";
import { atomsOf, breakLines } from "../common/break-lines.ts";
import { finishPages, Page } from "../common/canvas.ts";
import { usage } from "../common/failure.ts";
import type { FontSet } from "../common/fonts.ts";
import { drawLine, type LayoutContext } from "../common/layout-blocks.ts";

export interface FormField {
  readonly name: string;
  readonly kind: "text" | "checkbox" | "radio" | "choice" | "other";
  readonly value: string | boolean | readonly string[] | null;
  readonly options?: readonly string[];
  readonly maxLength?: number;
  readonly multiline?: boolean;
  readonly readOnly?: boolean;
}

/** Fields of a document's form in its order. */
export function listFields(document: PDFDocument): readonly FormField[] {
  return document
    .getForm()
    .getFields()
    .map((field): FormField => {
      const base = { name: field.getName(), ...(field.isReadOnly() ? { readOnly: true } : {}) };
      if (field instanceof PDFTextField) {
        const length = field.getMaxLength();
        return {
          ...base,
          kind: "text",
          value: field.getText() ?? null,
          ...(length === undefined ? {} : { maxLength: length }),
          ...(field.isMultiline() ? { multiline: true } : {}),
        };
      }
      if (field instanceof PDFCheckBox) return { ...base, kind: "checkbox", value: field.isChecked() };
      if (field instanceof PDFRadioGroup)
        return { ...base, kind: "radio", value: field.getSelected() ?? null, options: field.getOptions() };
      if (field instanceof PDFDropdown || field instanceof PDFOptionList)
        return { ...base, kind: "choice", value: field.getSelected(), options: field.getOptions() };
      return { ...base, kind: "other", value: null };
    });
}

export interface Filling {
  readonly fonts: FontSet;
  readonly flatten: boolean;
}

/**
 * Fills fields by name. Text gets an appearance of its own, so that it shows in any script and viewer. Gives how many, and
 * what the caller should know.
 */
export async function fillForm(
  document: PDFDocument,
  data: Readonly<Record<string, unknown>>,
  { fonts, flatten }: Filling,
): Promise<{ readonly count: number; readonly warnings: readonly string[] }> {
  const form = document.getForm();
  const warnings: string[] = [];
  if (form.hasXFA()) {
    form.deleteXFA();
    warnings.push("the form's second description (XFA) would contradict what is filled in; it is left out");
  }
  const fields = new Map(form.getFields().map((field) => [field.getName(), field]));
  const unknown = Object.keys(data).filter((name) => !fields.has(name));
  if (unknown.length > 0)
    throw usage(
      `the form has no field ${unknown.map((name) => `"${name}"`).join(", ")}`,
      `it has: ${[...fields.keys()].slice(0, 60).join(", ") || "no fields at all"}`,
    );
  const readOnly = Object.keys(data).filter((name) => fields.get(name)?.isReadOnly());
  if (readOnly.length > 0)
    warnings.push(`the form does not mean these to be filled in (read-only): ${readOnly.join(", ")}`);
  let count = 0;
  for (const [name, value] of Object.entries(data)) {
    const field = fields.get(name);
    if (field instanceof PDFCheckBox) {
      if (typeof value !== "boolean") throw usage(`"${name}" is a check box: its value is true or false`);
      if (value) field.check();
      else field.uncheck();
    } else if (field instanceof PDFRadioGroup) {
      checkOption(name, { value: String(value), options: field.getOptions() });
      field.select(String(value));
    } else if (field instanceof PDFDropdown || field instanceof PDFOptionList) {
      const values = Array.isArray(value) ? value.map(String) : [String(value)];
      if (!(field instanceof PDFDropdown && field.isEditable()))
        for (const one of values) checkOption(name, { value: one, options: field.getOptions() });
      field.acroField.dict.set(PDFName.of("V"), PDFHexString.fromText(values[0] ?? ""));
      await showText(document, { field, text: values.join(", "), fonts, multiline: false });
    } else if (field instanceof PDFTextField) {
      const text = value === null ? "" : String(value);
      const most = field.getMaxLength();
      if (most !== undefined && [...text].length > most)
        throw usage(`"${name}" takes ${most} characters at most, not ${[...text].length}`);
      field.acroField.dict.set(PDFName.of("V"), PDFHexString.fromText(text));
      await showText(document, {
        field,
        text,
        fonts,
        multiline: field.isMultiline(),
        ...(field.isCombed() && most ? { comb: most } : {}),
        align: field.getAlignment(),
      });
    } else throw usage(`"${name}" is a field that cannot be filled`);
    count += 1;
  }
  if (flatten) form.flatten({ updateFieldAppearances: false });
  return { count, warnings };
}

function checkOption(
  name: string,
  { value, options }: { readonly value: string; readonly options: readonly string[] },
): void {
  if (!options.includes(value))
    throw usage(`"${name}" has no choice "${value}"`, `it has: ${options.join(", ")}`);
}

interface Showing {
  readonly field: PDFTextField | PDFDropdown | PDFOptionList;
  readonly text: string;
  readonly fonts: FontSet;
  readonly multiline: boolean;
  readonly comb?: number;
  readonly align?: number;
}

/** Draws the value of each widget as a small page, which becomes the widget's appearance. */
async function showText(document: PDFDocument, showing: Showing): Promise<void> {
  const { field, text, fonts, multiline, comb } = showing;
  for (const widget of field.acroField.getWidgets()) {
    const { width, height } = widget.getRectangle();
    if (width <= 1 || height <= 1) continue;
    const page = new Page(width, height);
    const wanted = sizeOf(widget.getDefaultAppearance() ?? field.acroField.getDefaultAppearance());
    const size = wanted ?? (multiline ? 11 : Math.min(12, Math.max(4, height * 0.62)));
    const context: LayoutContext = { fonts, size, font: "sans", pageHeight: height, leftOut: new Set() };
    const style = { bold: false, italic: false, family: "sans" } as const;
    if (comb !== undefined) {
      const cell = width / comb;
      [...text].forEach((character, at) => {
        const [run] = fonts.split(character, style);
        if (run)
          page.text(run, {
            x: cell * at + (cell - (run.width * size) / 1000) / 2,
            y: height / 2 + size * 0.35,
            size,
          });
      });
    } else {
      const natural = (fonts.width(text, style) * size) / 1000;
      const fitted =
        wanted === null && !multiline && natural > width - 4
          ? Math.max(4, (size * (width - 4)) / natural)
          : size;
      const align = showing.align === 1 ? "center" : showing.align === 2 ? "right" : "left";
      const layout = (at: number): ReturnType<typeof breakLines> =>
        breakLines(atomsOf([{ kind: "text", text }], { fonts, size: at, font: "sans", fit: () => null }), {
          width: multiline ? width - 4 : Math.max(width - 4, 10_000),
          firstLine: 0,
          align: multiline ? align : "left",
          lineHeight: 0.95,
          size: at,
        });
      let drawn = fitted;
      let lines = layout(drawn);
      // The size a form asks for may be far too large for what is filled in.
      while (drawn > 4 && lines.reduce((sum, line) => sum + line.height, 0) > height) {
        drawn *= 0.9;
        lines = layout(drawn);
      }
      let y = multiline ? 2 : (height - (lines[0]?.height ?? size)) / 2;
      for (const line of lines) {
        const x =
          multiline || align === "left"
            ? 2
            : align === "center"
              ? Math.max(2, (width - line.width) / 2)
              : Math.max(2, width - 2 - line.width);
        drawLine(page, line, { x, y, context });
        y += line.height;
      }
    }
    const source = await PDFDocument.load(finishPages([page], { title: "", author: "", fonts }));
    const [drawn] = await document.embedPages(source.getPages());
    if (drawn === undefined) continue;
    await drawn.embed();
    widget.setNormalAppearance(drawn.ref);
  }
}

function sizeOf(appearance: string | undefined): number | null {
  const found = /([\d.]+)\s+Tf/.exec(appearance ?? "");
  const size = Number(found?.[1] ?? 0);
  return size > 0 && size < 200 ? size : null;
}
