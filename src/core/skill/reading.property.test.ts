import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyFrontmatter, tidyFrontmatter } from "../../../test/support/frontmatter-arbitrary.ts";
import { analyseSkill } from "./analyse-skill.ts";
import { fastEntries } from "./fast-entries.ts";
import { findFences } from "./fences.ts";
import type { Entry } from "./frontmatter-node.ts";
import { lenientReader } from "./lenient-reader.ts";
import { skillFile, testContext, testLimits } from "./reading.fixture.ts";
import { sourceText } from "./source-text.ts";
import { yamlEntries } from "./yaml-entries.ts";

/** Everything that later steps look at; where a block ends is only known to the nearest line. */
function comparable(entries: readonly Entry[]): unknown {
  return JSON.parse(
    JSON.stringify(entries, (key, value) => (key === "source" || key === "end" ? undefined : value)),
  );
}

const runs = Number(process.env.PROPERTY_RUNS ?? 300);

describe("reading, for any frontmatter", () => {
  it("the fast reader gives what YAML gives, or declines", () => {
    fc.assert(
      fc.property(fc.oneof(anyFrontmatter, tidyFrontmatter), (text) => {
        const fast = fastEntries(text, { line: 2, keys: 512 });
        if (fast === null) return;
        const slow = yamlEntries(text, { limits: testLimits, line: 2 });
        expect(slow.kind).toBe("entries");
        if (slow.kind === "entries") expect(comparable(fast)).toEqual(comparable(slow.entries));
      }),
      { numRuns: runs * 3 },
    );
  });

  it("document, diagnostics and their places do not depend on the fast reader", () => {
    fc.assert(
      fc.property(fc.oneof(anyFrontmatter, tidyFrontmatter), (text) => {
        const source = skillFile(`---\n${text}---\nBody text.\n`);
        const fast = analyseSkill(source, testContext);
        const slow = analyseSkill(source, testContext, { fast: false });
        expect(fast.findings.list).toEqual(slow.findings.list);
        expect(fast.document).toEqual(slow.document);
      }),
      { numRuns: runs },
    );
  });

  it("never throws, and every value is a usable text", () => {
    fc.assert(
      fc.property(anyFrontmatter, fc.constantFrom("\n", "\r\n", "\r"), (text, lineEnd) => {
        const file = `---\n${text}---\nBody text.\n`.replaceAll("\n", lineEnd);
        const { document, diagnostics } = lenientReader.read(skillFile(file), testContext);
        if (document === null) {
          expect(diagnostics.some((one) => one.severity === "error")).toBe(true);
          return;
        }
        for (const one of textsOf(document)) expect(one).not.toContain("\r");
        expect(document.name).not.toBe("");
        expect(document.description).not.toBe("");
        for (const one of diagnostics) {
          expect(one.range?.line).toBeGreaterThan(0);
          expect(one.range?.line).toBeLessThanOrEqual(text.split("\n").length + 2);
          expect(one.message).not.toMatch(/[\n\r]/);
        }
      }),
      { numRuns: runs },
    );
  });

  it("arbitrary text and bytes never throw and never absorb the body", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.string({ maxLength: 300 })),
        (text) => {
          lenientReader.read(skillFile(text), testContext);
          const file = `---\nname: a-b\n---\n${text}`;
          expect(lenientReader.body(skillFile(file), testContext)).toBe(
            text.includes("\0") ? "" : asWritten(text).replace(/\r\n?/g, "\n"),
          );
        },
      ),
      { numRuns: runs },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        lenientReader.read(skillFile(bytes), testContext);
        lenientReader.body(skillFile(bytes), testContext);
      }),
      { numRuns: runs },
    );
  });

  it("fences split a file without losing or changing a byte", () => {
    fc.assert(
      fc.property(
        anyFrontmatter,
        fc.string({ maxLength: 80 }),
        fc.constantFrom("\n", "\r\n", "\r"),
        (text, tail, lineEnd) => {
          const body = asWritten(tail.replaceAll("\0", ""));
          const head = `---\n${text}---\n`.replaceAll("\n", lineEnd);
          const source = sourceText(skillFile(head + body).bytes, testContext.codec);
          if (source.kind === "failure") throw new Error(source.message);
          const fences = findFences(source);
          if (fences.kind !== "block") throw new Error(fences.kind);
          const whole =
            source.slice(0, fences.to) +
            source.slice(fences.to, fences.body) +
            source.slice(fences.body, source.units.length);
          expect(whole).toBe(head + body);
          // A line of the fields may itself look like a fence; then more is body, never less.
          expect(source.slice(fences.body, source.units.length).endsWith(body)).toBe(true);
        },
      ),
      { numRuns: runs },
    );
  });
});

/** Every text in a value, the names of fields too. */
function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => [key, ...textsOf(one)]);
}

/** What UTF-8 can hold of a text. */
function asWritten(text: string): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(text));
}
