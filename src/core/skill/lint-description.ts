import type { DiagnosticCode } from "../diagnostics/table.ts";

/** What stores and agents trip over in a description that the standard allows (field.md A5). */
export function lintDescription(
  text: string,
): readonly { readonly code: DiagnosticCode; readonly message: string }[] {
  const found: { code: DiagnosticCode; message: string }[] = [];
  const value = text.trim();
  if (/[<>]/.test(value)) {
    found.push({ code: "standard/markup-in-description", message: "description has < or > in it" });
  }
  if (value.includes("\n")) {
    found.push({ code: "standard/description-lines", message: "description has several lines" });
  }
  if (/\bTODO\b|\bFIXME\b|\[(?:describe|insert|your)\b/i.test(value)) {
    found.push({ code: "standard/todo", message: "description still holds template text" });
  }
  // Only judged for languages whose words are known here.
  const latin = /^[\0-\u024f\u2000-\u206f]*$/.test(value);
  if (latin && !/\b(?:when|whenever|use|used|trigger|triggers|invoke|if|for)\b/i.test(value)) {
    found.push({
      code: "standard/description-when",
      message: "description does not say when to use the skill",
    });
  }
  return found;
}
