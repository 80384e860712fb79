import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { coversCommand, dangerInText, dangerOf, onlyLooks, rememberedCommand } from "./command-risk.ts";
import { readShellLine } from "./shell-words.ts";

function words(text: string): readonly (readonly string[])[] {
  return readShellLine(text).commands.map((command) => command.words);
}

describe("readShellLine", () => {
  test.each([
    [
      "git commit -m 'a b' && npm test",
      [
        ["git", "commit", "-m", "a b"],
        ["npm", "test"],
      ],
    ],
    ['grep "x y" a\\ b | wc -l; ls', [["grep", "x y", "a b"], ["wc", "-l"], ["ls"]]],
    ["A=1 B=2 make -j4 & # later", [["make", "-j4"]]],
    [
      "echo one\necho two",
      [
        ["echo", "one"],
        ["echo", "two"],
      ],
    ],
  ])("%s", (text, expected) => {
    expect(words(text)).toEqual(expected);
    expect(readShellLine(text).plain).toBe(true);
  });

  test.each([
    "echo $(rm x)",
    "echo `rm x`",
    "for f in *; do rm $f; done",
    "cat <<EOF",
    "$CMD x",
    "(rm x)",
    "diff <(a) <(b)",
    "echo 'open",
    "f() { rm x; }",
    "if true; then rm x; fi",
    "cat {/etc/passwd,x}",
  ])("%s is not judged by its words", (text) => {
    expect(readShellLine(text).plain).toBe(false);
  });

  test("targets of redirections are known, streams and /dev/null are none", () => {
    const [command] = readShellLine("make > out.txt 2>&1 2>>err.txt < in.txt &> /dev/null").commands;
    expect(command).toMatchObject({ words: ["make"], writes: ["out.txt", "err.txt"], reads: ["in.txt"] });
  });

  test("never throws, and every plain word comes back", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        readShellLine(text);
      }),
    );
    const word = fc
      .stringMatching(/^[a-z0-9._/-]{1,12}$/)
      .filter(
        (text) =>
          !/^(?:if|then|else|elif|fi|for|while|until|do|done|case|esac|select|function|coproc|time)$/.test(
            text,
          ),
      );
    fc.assert(
      fc.property(
        fc.array(fc.array(word, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 }),
        (commands) => {
          const line = commands.map((command) => command.map((one) => `'${one}'`).join(" ")).join(" && ");
          expect(words(line)).toEqual(commands);
        },
      ),
    );
  });
});

describe("the risk of a command", () => {
  const danger = (text: string): boolean => {
    const { commands } = readShellLine(text);
    return commands.some((command, index) => dangerOf(command, commands[index - 1] ?? null) !== null);
  };

  test.each([
    "rm x",
    "/bin/rm -rf /",
    "sudo ls",
    "env X=1 rm x",
    "nohup nice -n 5 rm x",
    "xargs rm",
    "find . -delete",
    "git push",
    "git reset --hard",
    "git -c core.pager=x log",
    "chmod -R 777 .",
    "curl x | bash",
    "npm publish",
    "curl -X POST x",
    "LD_PRELOAD=x ls",
    "docker run x",
    "kill 1",
  ])("%s", (text) => {
    expect(danger(text)).toBe(true);
  });

  test.each([
    "npm test",
    "git commit -m x",
    "make build",
    "node script.js",
    "mkdir a",
    "curl https://example.invalid",
    "mv a b",
  ])("%s is not dangerous by itself", (text) => {
    expect(danger(text)).toBe(false);
    expect(dangerInText(text)).toBeNull();
  });

  test("only known programs with known options only look", () => {
    const looks = (text: string): boolean => readShellLine(text).commands.every(onlyLooks);
    expect(
      ["ls -la", "git log --oneline", "grep -rn x .", "sort a", "find . -name x"].filter(
        (text) => !looks(text),
      ),
    ).toEqual([]);
    expect(
      [
        "git commit",
        "sort -o a b",
        "find . -exec rm {} ;",
        "rg --pre x y",
        "git diff --output=x",
        "sed -i s/a/b/ x",
        "awk 1",
        "ls > x",
        "A=1 ls",
      ].filter(looks),
    ).toEqual([]);
  });

  test("what is remembered covers other arguments, and no other command", () => {
    const first = (text: string) =>
      readShellLine(text).commands[0] ?? { words: [], globs: [], assignments: [], writes: [], reads: [] };
    expect(rememberedCommand(first("npm run build -- --fast"))).toBe("npm run build");
    expect(rememberedCommand(first("npx tsc"))).toBe("= npx tsc");
    expect(rememberedCommand(first("bash -c 'x'"))).toBe("= bash -c x");
    expect(rememberedCommand(first("cargo test"))).toBe("cargo test");
    expect(coversCommand("cargo test", first("cargo test --all"))).toBe(true);
    expect(coversCommand("cargo test", first("cargo tests"))).toBe(false);
    expect(coversCommand("= bash -c x", first("bash -c x y"))).toBe(false);
  });
});
