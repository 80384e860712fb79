import type { Command } from "../command.ts";
import { type Flag, flags } from "../flags.ts";
import { aliases } from "../other-words.ts";
import { ownText } from "../output/own-text.ts";
import type { Painter } from "../output/paint.ts";
import { rows } from "../output/rows.ts";
import { padEnd, textWidth, wrap } from "../output/text-width.ts";
import { commands } from "../registry.ts";

/** The help text of one command, or of all of them for a bare `skillet`. */
export async function helpFor(command: Command, paint: Painter): Promise<string> {
  const lines = command.name === "" ? await everything(paint) : one(command, paint);
  return `${lines.join("\n")}\n`;
}

async function everything(paint: Painter): Promise<readonly string[]> {
  const all = await Promise.all(
    commands
      .filter((entry) => entry.group !== null)
      .map(async (entry) => ({ group: entry.group, command: await entry.load() })),
  );
  const left = (command: Command) => [command.name, command.operands].filter(Boolean).join(" ");
  const first = [
    ["skillet", "what was found here, with the next commands"],
    ['skillet "REQUEST"', "which skills would serve it, and what a model would be told and given"],
  ] as const;
  const width = Math.min(
    Math.max(
      ...all.map(({ command }) => textWidth(left(command)) + 2),
      ...first.map(([line]) => line.length),
    ),
    Math.floor(paint.textWidth / 2),
  );
  const groups = [...new Set(all.map(({ group }) => group))];
  return [
    ...wrap("Which skills an agent has here, which one serves a request, and why.", paint.textWidth).map(
      paint.bold,
    ),
    "",
    ...first.flatMap(([line, meaning]) => entryLines(line, meaning, width, paint)),
    ...groups.flatMap((group) => [
      "",
      paint.bold(group ?? ""),
      ...all
        .filter((entry) => entry.group === group)
        .flatMap(({ command }) => entryLines(left(command), command.summary, width, paint)),
    ]),
    ...globalFlags(paint),
    "",
    ...wrap(
      "A first word with a blank in it, or one that is near no command, begins a request; so does anything after --. Where there is no skill at all, not even a built-in one, a request is answered from the example workspace that comes with Skillet.",
      paint.textWidth,
    ).map(paint.dim),
    ...wrap(
      "skillet help NAME: one command. skillet help CODE: a code of check or doctor. skillet help exit-codes.",
      paint.textWidth,
    ).map(paint.dim),
  ];
}

function one(command: Command, paint: Painter): readonly string[] {
  const own = (command.flags ?? []).flatMap((name) => flags.find((flag) => flag.name === name) ?? []);
  const say = (text: string): string => ownText(text, paint);
  const usage = ["skillet", command.name, command.operands, own.length > 0 ? "[FLAG…]" : ""].filter(Boolean);
  const others = Object.keys(aliases).filter((name) => aliases[name] === command.name);
  return [
    ...wrap(say(usage.join(" ")), paint.textWidth).map(paint.bold),
    ...wrap(say(`${command.summary[0]?.toUpperCase() ?? ""}${command.summary.slice(1)}.`), paint.textWidth),
    ...(others.length > 0 ? wrap(`Also called ${others.join(" and ")}.`, paint.textWidth) : []),
    ...(command.details ?? []).flatMap((text) => ["", ...wrap(say(text), paint.textWidth)]),
    ...(own.length > 0 ? ["", paint.bold("Flags"), ...flagLines(own, paint)] : []),
    ...(command.examples === undefined
      ? []
      : [
          "",
          paint.bold("Examples"),
          ...rows(
            command.examples.map(([line, meaning]) => [
              { text: say(line), paint: paint.cyan },
              { text: say(meaning), paint: paint.dim },
            ]),
            paint,
            { shrink: false },
          ),
        ]),
    "",
    ...wrap("Flags of every command: skillet help", paint.textWidth).map(paint.dim),
  ];
}

function globalFlags(paint: Painter): readonly string[] {
  return [
    "",
    ...wrap("Flags of every command", paint.textWidth).map(paint.bold),
    ...flagLines(
      flags.filter((flag) => flag.global === true),
      paint,
    ),
  ];
}

function flagLines(list: readonly Flag[], paint: Painter): readonly string[] {
  const form = (flag: Flag) =>
    `${flag.short === undefined ? "" : `-${flag.short}, `}--${flag.name}${flag.value === undefined ? "" : ` ${flag.value}`}`;
  const width = Math.min(Math.max(...list.map((flag) => form(flag).length)), Math.floor(paint.textWidth / 2));
  return list.flatMap((flag) => entryLines(form(flag), flag.summary, width, paint));
}

/** A term and its meaning side by side; below each other where the terminal is narrow. */
function entryLines(name: string, sense: string, width: number, paint: Painter): readonly string[] {
  const [term, meaning] = [ownText(name, paint), ownText(sense, paint)];
  const room = paint.textWidth - width - 4;
  if (room < 16 || textWidth(term) > width)
    return [
      ...wrap(term, paint.textWidth - 2).map((line) => `  ${paint.cyan(line)}`),
      ...wrap(meaning, paint.textWidth - 6).map((line) => `      ${line}`),
    ];
  return wrap(meaning, room).map(
    (line, index) => `  ${paint.cyan(padEnd(index === 0 ? term : "", width))}  ${line}`,
  );
}
