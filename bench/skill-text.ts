import type { Random } from "./random.ts";
import { areas, sentences, subjects, tools, unicodeSentences, verbs } from "./words.ts";

/** What the frontmatter of a generated skill looks like; `shapeFor` says how often. */
export type Shape = "plain" | "flow-list" | "block-scalar" | "block-list" | "continuation" | "other";

export type Kind = "plain" | "wild";

/**
 * One SKILL.md of 1 to 4 KB and some fields. The shapes of kind `wild` come as often as in 4,642 real files; seven in
 * ten real bodies and three in ten frontmatters hold characters beyond ASCII. Kind `plain` has one line a field.
 */
export function skillText(name: string, kind: Kind, random: Random): string {
  const shape = kind === "plain" ? "plain" : shapeFor(random);
  const wide = random.chance(kind === "plain" ? 15 : 30);
  const lines = [`name: ${name}`, ...fields(shape, { random, wide })];
  const text = `---\n${lines.join("\n")}\n---\n\n${body(name, random.chance(kind === "plain" ? 40 : 70), random)}`;
  return kind === "wild" && random.chance(2) ? text.replaceAll("\n", "\r\n") : text;
}

function shapeFor(random: Random): Shape {
  const place = random.below(100);
  if (place < 58) return "plain";
  if (place < 79) return "flow-list";
  if (place < 86) return "block-scalar";
  if (place < 92) return "block-list";
  return place < 96 ? "continuation" : "other";
}

interface FieldInput {
  readonly random: Random;
  readonly wide: boolean;
}

function fields(shape: Shape, input: FieldInput): readonly string[] {
  const { random } = input;
  const more = random.chance(40) ? oneLiners(random) : [];
  const words = description(input);
  switch (shape) {
    case "plain":
      return [`description: ${random.chance(15) ? JSON.stringify(words) : words}`, ...more];
    case "flow-list":
      return [
        `description: ${words}`,
        ...more.filter((line) => !line.startsWith("allowed-tools")),
        ...flow(random),
      ];
    case "block-scalar": {
      const header = random.pick(["|", ">", "|-", ">-"]);
      return [`description: ${header}`, ...indented(wrapped(words)), ...more];
    }
    case "block-list":
      return [
        `description: ${words}`,
        `${random.pick(["allowed-tools", "tags"])}:`,
        ...someTools(random).map((tool) => `  - ${tool}`),
      ];
    case "continuation": {
      const [first = "", ...rest] = wrapped(words);
      return [`description: ${first}`, ...indented(rest), ...more];
    }
    case "other":
      return [`description: ${words}`, ...unusual(random)];
  }
}

function oneLiners(random: Random): readonly string[] {
  const all = [
    "license: MIT",
    `version: 1.${random.below(9)}.0`,
    "author: Example Team",
    `allowed-tools: ${someTools(random).join(", ")}`,
    "compatibility: Needs git and a shell",
    `argument-hint: <${random.pick(subjects)}>`,
    "user-invocable: true",
  ];
  const first = random.below(all.length);
  return all.slice(first, first + 1 + random.below(3));
}

function flow(random: Random): readonly string[] {
  const list = someTools(random);
  return [
    random.pick([
      `allowed-tools: [${list.join(", ")}]`,
      `tags: [${random.pick(areas)}, ${random.pick(subjects)}, ${random.pick(verbs)}]`,
      `triggers: [${list.map((tool) => JSON.stringify(tool.toLowerCase())).join(", ")}]`,
    ]),
  ];
}

/** Nested maps, flow maps, comments, quoted texts over lines, and the commonest mistake: a colon that was not quoted. */
function unusual(random: Random): readonly string[] {
  return random.pick<readonly string[]>([
    ["metadata:", "  author: Example Team", `  version: "1.${random.below(9)}"`, "  category: tools"],
    [`metadata: {"emoji": "🔧", "requires": {"bins": ["git"]}}`],
    ["# kept for older agents", `license: MIT # see LICENSE`],
    [`when_to_use: "When the user asks for this,`, `  or for something close to it."`],
    [`when_to_use: Triggers: "do it", "make one"`],
  ]);
}

function someTools(random: Random): readonly string[] {
  const first = random.below(tools.length - 4);
  return tools.slice(first, first + 2 + random.below(3));
}

function description({ random, wide }: FieldInput): string {
  const subject = random.pick(subjects);
  const parts = [
    `${capital(random.pick(verbs))} a ${subject} with ${random.pick(areas)} and ${random.pick(verbs)} what comes out of it.`,
    `Use when the user asks to ${random.pick(verbs)} or ${random.pick(verbs)} a ${subject}, mentions ${random.pick(areas)}, or hands over a ${random.pick(subjects)}.`,
    `Not for a ${random.pick(subjects)} that has to ${random.pick(verbs)} in ${random.pick(areas)}.`,
  ];
  const text = parts.slice(0, 1 + random.below(3)).join(" ");
  return wide ? `${text} ${random.pick(unicodeSentences)}` : text;
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

function wrapped(text: string): readonly string[] {
  return text.match(/.{1,70}(?:\s|$)/gu)?.map((line) => line.trimEnd()) ?? [text];
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

function body(name: string, wide: boolean, random: Random): string {
  const wanted = 1024 + random.below(3072);
  const parts = [`# ${capital(name.replaceAll("-", " "))}`, ""];
  let length = 0;
  for (let section = 1; length < wanted; section++) {
    const lines = [`## Step ${section}: ${random.pick(verbs)} the ${random.pick(subjects)}`, ""];
    for (let count = 2 + random.below(4); count > 0; count--) {
      const sentence = random.pick(wide && random.chance(30) ? unicodeSentences : sentences);
      lines.push(random.chance(50) ? `- ${sentence}` : sentence);
    }
    if (random.chance(25))
      lines.push(
        "",
        "```bash",
        `${random.pick(verbs)} --${random.pick(areas)} ./${random.pick(subjects)}`,
        "```",
      );
    lines.push("");
    const text = lines.join("\n");
    length += text.length + 1;
    parts.push(text);
  }
  return parts.join("\n");
}
