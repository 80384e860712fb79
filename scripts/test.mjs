// `npm test`: every check as a step, then one line with the count. A step other than the tests counts as one test.
//   --only NAME,NAME   these steps alone
//   CI=true or SKILLET_NO_SKIP=1: a skipped test is a failure, unless its name says "[needs ../shared]", or
//   "[not as root]" where root runs them: root may read everything, and test/hostile tries the same as another user
//   (it compares with texts of others that are not part of this project).
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const temporary = mkdtempSync(join(tmpdir(), "skillet-test-"));
const report = join(temporary, "tests.json");
const noSkips = ["1", "true"].includes(process.env.CI ?? "") || process.env.SKILLET_NO_SKIP === "1";
const isRoot = process.getuid?.() === 0;
const mayBeSkipped = (test) =>
  test.name.includes("[needs ../shared]") || (isRoot && test.name.includes("[not as root]"));
const total = { passed: 0, failed: 0, skipped: 0 };

const steps = [
  { name: "types", run: () => tool("typescript/bin/tsc", "--noEmit") },
  { name: "lint", run: () => tool("@biomejs/biome/bin/biome", "ci", "--colors=off") },
  { name: "unused", run: () => tool("knip/bin/knip.js", "--no-progress") },
  { name: "build", run: () => node("scripts/build.mjs") },
  {
    name: "package",
    run: () => npm("pack", "--ignore-scripts", "--pack-destination", temporary),
  },
  { name: "publint", run: () => tool("publint/src/cli.js", "--strict", tarball()) },
  {
    name: "package types",
    run: () => tool("@arethetypeswrong/cli/dist/index.js", tarball(), "--profile", "esm-only", "--no-color"),
  },
  {
    name: "docs",
    needs: "scripts/docs.ts",
    run: () => node("--import", "tsx", "scripts/docs.ts", "--check"),
  },
  { name: "tests", run: runTests, counts: countTests },
];

try {
  const only = selected();
  for (const step of steps) {
    if (only !== null && !only.includes(step.name)) continue;
    if (step.needs !== undefined && !existsSync(join(root, step.needs))) continue;
    await runStep(step);
  }
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : "";
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
process.exitCode = total.failed > 0 ? 1 : 0;

async function runStep(step) {
  const started = performance.now();
  const result = await attempt(step.run);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const counts = step.counts?.(result) ?? {
    passed: result.ok ? 1 : 0,
    failed: result.ok ? 0 : 1,
    skipped: 0,
    notes: [],
  };
  for (const key of Object.keys(total)) total[key] += counts[key];
  const tally = step.counts ? `  ${counts.passed} passed, ${counts.failed} failed` : "";
  console.log(
    `${counts.failed > 0 ? "FAIL" : "ok  "} ${step.name.padEnd(14)} ${seconds.padStart(6)} s${tally}`,
  );
  if (counts.failed > 0) console.log(indent(result.output.trim()));
  for (const note of counts.notes) console.log(indent(note));
}

async function attempt(run) {
  try {
    return await run();
  } catch (error) {
    return { ok: false, output: error instanceof Error ? error.message : String(error) };
  }
}

function runTests() {
  return tool(
    "vitest/vitest.mjs",
    "run",
    "--reporter=default",
    "--reporter=./scripts/test-reporter.mjs",
    "--no-color",
  );
}

/** Counts from the report; a run that ended badly without any failed test in it counts as one failure. */
function countTests(result) {
  const { tests, errors } = existsSync(report)
    ? JSON.parse(readFileSync(report, "utf8"))
    : { tests: [], errors: 0 };
  const of = (state) => tests.filter((test) => test.state === state);
  const skips = of("skipped").concat(of("pending"));
  const forbidden = noSkips ? skips.filter((test) => !mayBeSkipped(test)) : [];
  let failed = of("failed").length + errors + forbidden.length;
  if (!result.ok && failed === 0) failed = 1;
  // Named once more at the end: a log is often read from there.
  const failures = of("failed").map((test) => `FAILED: ${test.file} > ${test.name}`);
  const notes = skips.map((test) => {
    const verdict = forbidden.includes(test) ? "SKIPPED, NOT ALLOWED HERE" : "skipped";
    return `${verdict}: ${test.file} > ${test.name}${test.note ? ` (${test.note})` : ""}`;
  });
  return {
    passed: of("passed").length,
    failed,
    skipped: skips.length - forbidden.length,
    notes: [...notes, ...failures],
  };
}

function tarball() {
  const name = readdirSync(temporary).find((entry) => entry.endsWith(".tgz"));
  if (name === undefined) throw new Error("there is no packed package; run the step `package` too");
  return join(temporary, name);
}

function selected() {
  const index = process.argv.indexOf("--only");
  if (index === -1) return null;
  const names = (process.argv[index + 1] ?? "").split(",");
  const known = steps.map((step) => step.name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    console.error(`no step ${unknown.join(", ")}; there are: ${known.join(", ")}`);
    process.exit(2);
  }
  return names;
}

function tool(path, ...args) {
  return node(join("node_modules", path), ...args);
}

function npm(...args) {
  const script = process.env.npm_execpath;
  return script === undefined ? command("npm", args) : node(script, ...args);
}

function node(...args) {
  return command(process.execPath, args);
}

function command(program, args) {
  const env = { ...process.env, NO_COLOR: "1", SKILLET_TEST_REPORT: report };
  delete env.FORCE_COLOR;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const collect = (chunk) => {
      output += chunk;
    };
    child.stdout.setEncoding("utf8").on("data", collect);
    child.stderr.setEncoding("utf8").on("data", collect);
    child.on("error", reject);
    child.on("close", (code) => resolve({ ok: code === 0, output }));
  });
}

function indent(text) {
  return text.replace(/^(?=.)/gm, "     ");
}
