import { expect, test } from "vitest";
import { repository, skillFile, survey, type Tree } from "../../../../test/support/opencode-survey.ts";
import { processorTime } from "../../../../test/support/processor-time.ts";

const root = "/repo/.opencode/skills";

test("the first generation ends a cycle where it begins", () => {
  const tree: Tree = {
    ...repository,
    [`${root}/a/SKILL.md`]: skillFile("a"),
    [`${root}/loop`]: { link: "." },
  };
  expect(survey("opencode", tree).listed).toEqual([`a@${root}/a/SKILL.md`]);
});

test("the second generation walks it as far as the system follows links, and the last path wins", () => {
  const tree: Tree = {
    ...repository,
    [`${root}/a/SKILL.md`]: skillFile("a"),
    [`${root}/loop`]: { link: "." },
  };
  const { listed, snapshot } = survey("opencode-v2", tree);
  expect(listed).toEqual([`a@${root}/${"loop/".repeat(40)}a/SKILL.md`]);
  expect(snapshot.diagnostics.map(({ code, path }) => [code, path])).toEqual([
    ["discovery/link-back", `${root}/loop`],
  ]);
});

test("several cycles in one folder end soon", () => {
  const links = Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [`${root}/l${index}`, { link: "." }]),
  );
  const tree: Tree = { ...repository, [`${root}/a/SKILL.md`]: skillFile("a"), ...links };
  const started = processorTime();
  expect(survey("opencode-v2", tree).listed).toHaveLength(1);
  expect(processorTime() - started).toBeLessThan(5_000);
});
