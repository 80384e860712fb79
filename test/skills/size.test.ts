import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { collectPacks, packFiles } from "../../src/packs/collect-packs.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("the skills add at most 6 MB to the published package", () => {
  const packs = collectPacks(`${root}/skills`);
  const scripts = packs.flatMap(({ pack }) =>
    pack.skills.flatMap((skill) => skill.files.filter(({ path }) => path.endsWith(".mjs"))),
  );
  // Without the built scripts the size would say nothing.
  for (const name of ["docx", "xlsx", "pptx", "pdf", "data-analytics"])
    expect(scripts.map(({ path }) => path)).toContainEqual(expect.stringContaining(`${name}.mjs`));
  const files = [...packFiles(packs, "0.0.0").values(), readFileSync(`${root}/THIRD-PARTY-NOTICES.md`)];
  expect(files.reduce((sum, bytes) => sum + bytes.length, 0)).toBeLessThanOrEqual(6_000_000);
});
