// A vitest reporter for scripts/test.mjs: every test with its state and, if skipped, why.
import { writeFileSync } from "node:fs";
import { relative } from "node:path";

export default class TestReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const tests = [];
    let errors = unhandledErrors.length;
    for (const module of modules) {
      errors += module.errors().length;
      for (const suite of module.children.allSuites()) errors += suite.errors().length;
      for (const test of module.children.allTests()) {
        const result = test.result();
        const file = relative(process.cwd(), module.moduleId);
        tests.push({ file, name: test.fullName, state: result.state, note: result.note ?? null });
      }
    }
    if (process.env.SKILLET_TEST_REPORT) {
      writeFileSync(process.env.SKILLET_TEST_REPORT, JSON.stringify({ tests, errors }));
    }
  }
}
