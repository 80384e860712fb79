import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll } from "vitest";

// The same random inputs in every run, so that a run says something about the change and not about the day;
// `npm run test:long` sets PROPERTY_SEED to another number each time and looks further.
const seed = Number(process.env.PROPERTY_SEED ?? 20_261_130);
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });

// Every test file gets an empty home of its own and none of the developer's settings, so that no test can read or
// write a real agent's folders.
const home = mkdtempSync(join(tmpdir(), "skillet-home-"));

const settings =
  /^(XDG_|CLAUDE|CODEX|OPENCODE|MIMO|MINIMAX|AGENTS?_|SKILLET_(?!(?:NO_SKIP|LONG)$)|GIT_|LC_|LANG$|LANGUAGE$|FORCE_COLOR$|NO_COLOR$|EDITOR$|VISUAL$)/;
for (const name of Object.keys(process.env)) if (settings.test(name)) delete process.env[name];

Object.assign(process.env, {
  HOME: home,
  USERPROFILE: home,
  LC_ALL: "C.UTF-8",
  TZ: "UTC",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: join(home, ".gitconfig"),
  GIT_AUTHOR_NAME: "Test",
  GIT_AUTHOR_EMAIL: "test@example.invalid",
  GIT_COMMITTER_NAME: "Test",
  GIT_COMMITTER_EMAIL: "test@example.invalid",
  GIT_TERMINAL_PROMPT: "0",
  // Tests count their own skills; those that are about the built-in ones switch them on again.
  SKILLET_DISABLE_BUILTIN_SKILLS: "1",
});

afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
