// `npm run --silent golden -- FILE…`: runs golden files through the product's own code.
import { runGoldenFile } from "../test/conformance/golden/run-file.ts";

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error("usage: npm run --silent golden -- FILE…");
  process.exit(2);
}

let passed = 0;
let failed = 0;
let unknown = false;
for (const file of files) {
  const report = await runGoldenFile(file);
  for (const failure of report.failures) console.log(failure);
  console.log(`${report.suite} ${report.passed}/${report.total}`);
  passed += report.passed;
  failed += report.total - report.passed;
  unknown ||= report.unknown;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || unknown ? 1 : 0;
