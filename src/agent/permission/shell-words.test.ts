import fc from "fast-check";
import { describe, expect, test } from "vitest";
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
    "exec {fd}>x",
    "a[$x]=1 ls",
    "a['x']=1 ls",
    "echo x > *.txt",
    "cat <<< x",
    "ls \u0001",
  ])("%s is not judged by its words", (text) => {
    expect(readShellLine(text).plain).toBe(false);
  });

  test("targets of redirections are known, streams and /dev/null are none", () => {
    const [command] = readShellLine("make > out.txt 2>&1 2>>err.txt < in.txt &> /dev/null").commands;
    expect(command).toMatchObject({ words: ["make"], writes: ["out.txt", "err.txt"], reads: ["in.txt"] });
  });

  test.each([
    ["echo x 1<>a", "a"],
    ["cat <>a", "a"],
    ["echo x >&a", "a"],
    ["echo x &>>a", "a"],
    ["echo x >|a", "a"],
    [">a", "a"],
    ["2>a ls", "a"],
    ["echo x >&1a", "1a"],
  ])("%s writes a file", (text, path) => {
    expect(readShellLine(text).commands[0]?.writes).toEqual([path]);
    expect(readShellLine(text).plain).toBe(true);
  });

  test("one name alone between braces stays what it is", () => {
    expect(words("git stash show stash@{0}")).toEqual([["git", "stash", "show", "stash@{0}"]]);
    expect(readShellLine("git stash show stash@{0}").plain).toBe(true);
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
