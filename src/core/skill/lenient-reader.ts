import { noDiagnostics } from "../diagnostic.ts";
import { analyseSkill } from "./analyse-skill.ts";
import type { ReadContext, SkillReader, SkillSource } from "./document.ts";
import { findFences } from "./fences.ts";
import { noteBody } from "./note-body.ts";
import { plainSkill } from "./plain-skill.ts";
import { sourceText } from "./source-text.ts";

/**
 * Reader of profile `skillet`: loads a file if at all possible and names what was repaired, else says which file,
 * which line and why (features O6, X4, M7; cases p-*). Never throws, executes nothing, expands nothing.
 */
export const lenientReader: SkillReader = {
  read(source, context) {
    const plain = plainSkill(source, context);
    if (plain !== null) return { document: plain, diagnostics: noDiagnostics, skip: null };
    const analysis = analyseSkill(source, context);
    noteBody(analysis);
    const { findings, skip, document } = analysis;
    const diagnostics = findings.list.length === 0 ? noDiagnostics : findings.list;
    if (document !== null) return { document, diagnostics, skip: null };
    return { document: null, diagnostics, skip: skip ?? { code: "file/empty", message: "", name: null } };
  },
  body(source: SkillSource, context: ReadContext): string {
    const text = sourceText(source.bytes, context.codec);
    if (text.kind === "failure") return "";
    const fences = findFences(text);
    const from = fences.kind === "block" ? fences.body : text.start;
    const body = text.slice(from, text.units.length);
    // A carriage return must not survive in any value: a model would copy it into scripts (case p-crlf).
    return body.includes("\r") ? body.replace(/\r\n?/g, "\n") : body;
  },
};
