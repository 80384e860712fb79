import { expect, test } from "vitest";
import { isStoredCatalog, withoutStoredCatalogs } from "./stored-catalog.ts";

const list =
  "<available_skills>\n  <skill>\n    <name>a</name>\n    <description>d</description>\n    <location>file:///a/SKILL.md</location>\n  </skill>\n</available_skills>";
const catalog = `Skills available in this session:\n${list}`;
const part = (text: string, synthetic = true) => ({
  type: "text",
  text: `<system-reminder>\n${text}\n</system-reminder>`,
  synthetic,
});

test.each([
  ["a catalog", part(catalog), true],
  ["with carriage returns", part(catalog.replaceAll("\n", "\r\n")), true],
  ["with an introduction", part(`Skills available in this session:\nUse them.\n${list}`), true],
  ["an empty one", part("Skills available in this session:\nNo skills are currently available."), true],
  ["a snapshot", part(`Authoritative skills catalog snapshot v2:\nThe last one counts.\n${catalog}`), true],
  ["typed by the user", part(catalog, false), false],
  ["quoted in a text", part(`Look: ${catalog}`), false],
  ["with text behind it", part(`${catalog}\nNow do it.`), false],
  ["a loaded skill", part(`<skill_content name="a">\n${catalog}\n</skill_content>`), false],
  ["no reminder", { type: "text", text: catalog, synthetic: true }, false],
  ["another kind of part", { type: "tool", text: part(catalog).text, synthetic: true }, false],
])("%s", (_, given, expected) => {
  expect(isStoredCatalog(given)).toBe(expected);
});

test("only the old catalogs of a message go", () => {
  const typed = { type: "text", text: "hello" };
  expect(withoutStoredCatalogs([part(catalog), typed])).toEqual([typed]);
});
