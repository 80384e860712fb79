import { describe, expect, it } from "vitest";
import { makeDiagnostic } from "./make.ts";
import { codePage, codeText, type DiagnosticCode, diagnosticTable } from "./table.ts";

describe("the table of diagnostic codes", () => {
  it.each(Object.entries(diagnosticTable))("%s has short, complete texts", (code, text) => {
    expect(code).toMatch(/^[a-z]+\/[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(text.title).toMatch(/^\S.{3,80}$/);
    expect(text.title).not.toMatch(/\.$/);
    for (const sentence of [text.why, text.fix]) {
      expect(sentence.length).toBeGreaterThan(8);
      expect(sentence.length).toBeLessThan(400);
    }
  });

  it("pages of different codes differ", () => {
    const pages = Object.keys(diagnosticTable).map(codePage);
    expect(new Set(pages).size).toBe(pages.length);
  });

  it("makes a diagnostic with the severity of its code and a hint that ends with its page", () => {
    const code: DiagnosticCode = "frontmatter/unquoted-colon";
    expect(makeDiagnostic(code, { path: "/a", message: "m", hint: "do this" })).toEqual({
      code,
      profileCode: null,
      severity: "warning",
      message: "m",
      path: "/a",
      hint: "do this (see docs/diagnostics/frontmatter-unquoted-colon.md)",
    });
    expect(makeDiagnostic(code, { path: null, message: "m", severity: "error" }).severity).toBe("error");
    expect(codeText("toString")).toBeNull();
  });
});
