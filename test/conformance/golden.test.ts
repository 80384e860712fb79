import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runGoldenFile } from "./golden/run-file.ts";

const data = fileURLToPath(new URL("data", import.meta.url));
const shared = fileURLToPath(new URL("../../../shared/golden", import.meta.url));

/** Recordings that hold text of the mirrored systems or of other people's skills and so are not kept in this project. */
const borrowed = ["opencode.prompt.json", "opencode-v2.prompt.json", "mimo.search.json"];

const own = readdirSync(data).filter((name) => name.endsWith(".json"));

test.each(own)(
  "every case of %s",
  async (name) => {
    const report = await runGoldenFile(join(data, name));
    expect(report.failures).toEqual([]);
    expect(report.total).toBeGreaterThan(0);
  },
  240_000,
);

for (const name of borrowed) {
  const path = join(shared, name);
  test.skipIf(!existsSync(path))(`every case of ${name} [needs ../shared]`, async () => {
    const report = await runGoldenFile(path);
    expect(report.failures).toEqual([]);
    expect(report.total).toBeGreaterThan(0);
  });
}
