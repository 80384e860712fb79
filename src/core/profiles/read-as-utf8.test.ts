import { expect, test } from "vitest";
import { skillFile, testContext, utf16 } from "../skill/reading.fixture.ts";
import { createMinimaxReader } from "./minimax/reader.ts";
import { createOpenCodeReader } from "./opencode/reader.ts";

const text = "---\nname: wide\ndescription: Saved as UTF-16.\n---\nText\n";
const opencode = createOpenCodeReader({
  ...{ program: "OpenCode", described: false, callFields: false },
  ...{ stripMark: false, fileNames: false, objectNames: true },
});

test.each([true, false])("a UTF-16 file is called that, little endian %j", (littleEndian) => {
  const file = skillFile(utf16(text, { littleEndian, mark: true }));
  const dropped = opencode.read(file, testContext);
  expect(dropped.diagnostics.map(({ code }) => code)).toEqual(["text/utf16", "frontmatter/absent"]);
  expect(dropped.skip?.message).toMatch(/^The file is UTF-16, and OpenCode takes it for UTF-8\. /);
  const kept = createMinimaxReader(null).read(file, testContext);
  expect(kept.diagnostics[0]?.code).toBe("text/utf16");
  expect(kept.document?.description).toContain("S\0a\0v\0e\0d");
});

test("any other file is read without a word of it", () => {
  for (const content of [text, `\ufeff${text}`]) {
    const read = createMinimaxReader(null).read(skillFile(content), testContext);
    expect(read.diagnostics.map(({ code }) => code)).not.toContain("text/utf16");
  }
});
