import fc from "fast-check";
import { expect, test } from "vitest";
import { cleaned, quoted, quotedLine, shown } from "../../skills-src/sessions/redact.ts";

const word = "Zq7xKv2mNp4r";

test.each([
  [`{"password": "${word}"}`],
  [`{"api_key":"${word}"}`],
  [`"arguments":"{\\"client_secret\\":\\"${word}\\"}"`],
  [`{\\\\\\"clientSecret\\\\\\": \\\\\\"${word}\\\\\\"}`],
  [`password = "two ${word} words"`],
  [`password = 'two ${word} words'`],
  [`passwd: ${word}`],
  [`X-Api-Key: ${word}`],
  [`-H 'X-Auth-Token: ${word}'`],
  [`Authorization: token ${word}`],
  [`"Authorization": "Token ${word}"`],
  [`authorization: Bearer ${word}`],
  [`Cookie: session=${word}; other=${word}`],
  [`Set-Cookie: sid=${word}; Path=/`],
  [`deploy --password ${word}`],
  [`deploy --db-password=${word}`],
  [`deploy --token "${word} more"`],
  [`curl -u admin:${word} https://x.example`],
  [`curl --user admin:${word} https://x.example`],
  [`mysql -h db -u root -p${word} app`],
  [`sshpass -p ${word} ssh host`],
  [`sk_live_${word}${word}`],
  [`sk-proj-${word}${word}`],
  [`AIza${word}${word}${word}`],
  [`hf_${word}${word}`],
  [`SG.${word}.${word}`],
  [`xapp-1-${word}${word}`],
  [`xoxb-${word}${word}`],
  [`ghp_${word}${word}`],
  [`glpat-${word}${word}`],
  [`DB_PASS=${word}`],
  [`export PGPASSWORD=${word}`],
  [`pwd=${word}`],
  [`config["secret"] = "${word}"`],
  [`{ secret => '${word}' }`],
  [`https://user:${word}@host/x`],
  [`https://user:p@${word}@host/x`],
  [`postgres://u:pa/${word}@host/db`],
  [`https://u:pa/${word}@host/db`],
  [`redis://:${word}@host`],
  [`https://${word}${word}@github.example/x.git`],
  [`https://x.example/f?sig=${word}&a=1`],
  [`my password is ${word}`],
  [`密码：${word}`],
  [`数据库口令是${word}`],
  [`-----BEGIN RSA PRIVATE KEY-----\n${word}\n${word}\n-----END RSA PRIVATE KEY-----`],
  [`-----BEGIN PRIVATE KEY-----\n${word}`],
])("%s is not shown", (text) => {
  for (const [before, after] of [
    ["", ""],
    ["Then we ran\n", "\nand it worked"],
    ['{"text":"', '"}'],
  ])
    expect(cleaned(`${before}${text}${after}`)).not.toContain(word);
});

test.each([["secret"], ["password"], ["token"], ["api_key"], ["DB_PASS"]])("short values too: %s", (name) => {
  expect(cleaned(`${name}=ab`)).toBe(`${name}=[hidden]`);
});

test.each([
  ["We use 4096 max_tokens: fewer tokens = less money."],
  ["See http://localhost:3000/@scope/x and https://host:8080/a?b=c@d.example"],
  ["https://example.com/a/@b, mail ann@example.com"],
  ["The parser passes tests; the author keeps the keyboard."],
  ["docker run -u node image; ls -u; git push -u origin main"],
  ["the password is wrong, the token is missing"],
  ["2026-11-20 10:00:00 UTC, file.ts:12:34"],
  ["我们上次决定保留 SQLite，因为备份简单。"],
])("%s stays as it is", (text) => {
  expect(cleaned(text)).toBe(text);
});

test("what follows a hidden value stays", () => {
  expect(cleaned('{"password":"a b","user":"ann"}')).toBe('{"password":[hidden],"user":"ann"}');
  expect(cleaned("postgres://u:p@db.example/app in use")).toBe(
    "postgres://u:[password]@db.example/app in use",
  );
});

test("is hidden before anything is cut off", () => {
  for (let limit = 1; limit < 60; limit++)
    expect(shown(`aaa password="${word} ${word}" bbb`, limit)).not.toContain("Zq");
});

test("a quotation has a bar before every line, and one of a line has one line", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const lines = (out: string): readonly string[] => out.split(/[\r\n\v\f\u0085\u2028\u2029]/);
      for (const line of lines(quoted(text, 1000))) expect(line.startsWith("  | ")).toBe(true);
      expect(lines(quotedLine("x: ", text, 1000))).toHaveLength(1);
    }),
  );
});

// Time that grows with the square of the text would be hours here.
test.each([
  ["a"],
  ["-"],
  ["pass"],
  ["a-"],
  ["://a:"],
  ["token="],
  ['\\"'],
  ["x-"],
  ["@"],
  ["mysql "],
  ["--pass "],
  ["密码"],
  ["token[ "],
])("a megabyte of %s is cleaned", (piece) => {
  expect(cleaned(piece.repeat(Math.ceil(1_000_000 / piece.length))).length).toBeGreaterThan(0);
});
