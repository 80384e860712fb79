import { usage } from "../common/failure.ts";
import { shownCell } from "./format-table.ts";
import type { Cell, Table } from "./table.ts";

export interface ChartOptions {
  readonly kind: "bar" | "line" | "scatter" | "hist";
  readonly x: string;
  readonly y: string | null;
  /** Column that splits the rows into series. */
  readonly by: string | null;
  readonly title: string;
  readonly source: string;
  readonly width: number;
  readonly height: number;
  readonly bins: number | null;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const colours = ["#c2410c", "#1d4ed8", "#15803d", "#7e22ce", "#a16207", "#be185d"];
const quiet = "#6b7280";
const style = `text{font:13px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif;fill:#1f2937}.soft{fill:${quiet}}.title{font-size:17px;font-weight:600}`;

/** The chart as one SVG picture without scripts. Values are scaled linearly; bars begin at zero. */
export function chartSvg(table: Table, options: ChartOptions): string {
  const column = (name: string): readonly Cell[] => {
    const index = table.columns.findIndex((one) => one.toLowerCase() === name.toLowerCase());
    if (index < 0) throw usage(`there is no column "${name}"`, `columns: ${table.columns.join(", ")}`);
    return table.rows.map((row) => row[index] ?? null);
  };
  const y = options.y === null ? null : column(options.y);
  if (y === null && options.kind !== "hist")
    throw usage("--y is missing", `columns: ${table.columns.join(", ")}`);
  const inner =
    options.kind === "bar"
      ? bars(column(options.x), numbers(y ?? [], options.y ?? ""), options)
      : options.kind === "hist"
        ? histogram(
            numbers(column(options.x), options.x).filter((value) => value !== null),
            options,
          )
        : points(
            {
              x: column(options.x),
              y: numbers(y ?? [], options.y ?? ""),
              by: options.by === null ? null : column(options.by),
            },
            options,
          );
  const source =
    options.source === ""
      ? ""
      : `<text class="soft" x="16" y="${inner.height - 8}">${xml(options.source)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${options.width} ${inner.height}" width="${options.width}" height="${inner.height}" style="max-width:100%;height:auto" role="img" aria-label="${xml(options.title)}"><title>${xml(options.title)}</title><style>${style}</style><rect width="100%" height="100%" fill="#fff"/>${inner.body}<text class="title" x="16" y="28">${xml(options.title)}</text>${source}</svg>\n`;
}

interface Drawing {
  readonly body: string;
  readonly height: number;
}

function numbers(cells: readonly Cell[], name: string): readonly (number | null)[] {
  const text = cells.find((cell) => typeof cell === "string");
  if (text !== undefined)
    throw usage(
      `the column "${name}" holds texts such as ${JSON.stringify(shownCell(text))}`,
      "use CAST or a cleaned column",
    );
  return cells as readonly (number | null)[];
}

function bars(labels: readonly Cell[], values: readonly (number | null)[], { width }: ChartOptions): Drawing {
  if (labels.length > 60)
    throw usage(`${labels.length} bars are too many`, "take the largest with ORDER BY … LIMIT, or use hist");
  const left = Math.min(width / 3, 24 + Math.max(...labels.map((label) => estimate(shownCell(label))), 20));
  const scale = nice([0, ...values.filter((value) => value !== null)]);
  const place = (value: number): number =>
    left + ((value - scale.low) / (scale.high - scale.low)) * (width - left - 80);
  const row = 26;
  const body = labels.map((label, index) => {
    const value = values[index] ?? null;
    const top = 48 + index * row;
    const name = `<text x="${left - 8}" y="${top + 17}" text-anchor="end">${xml(fitted(shownCell(label), left - 24))}</text>`;
    if (value === null) return `${name}<text class="soft" x="${left + 4}" y="${top + 17}">no value</text>`;
    const [from, to] = [place(Math.min(0, value)), place(Math.max(0, value))];
    return `${name}<rect x="${round(from)}" y="${top + 3}" width="${round(Math.max(to - from, 1))}" height="${row - 8}" fill="${colours[0]}"/><text x="${round(to + 6)}" y="${top + 17}">${xml(short(value))}</text>`;
  });
  const zero = `<line x1="${round(place(0))}" y1="48" x2="${round(place(0))}" y2="${48 + labels.length * row}" stroke="#9ca3af"/>`;
  return { body: body.join("") + zero, height: 48 + labels.length * row + 36 };
}

function histogram(values: readonly number[], options: ChartOptions): Drawing {
  if (values.length === 0) throw usage("there is no number to count");
  const [low, high] = [
    values.reduce((one, other) => Math.min(one, other)),
    values.reduce((one, other) => Math.max(one, other)),
  ];
  const scale = nice([low, high]);
  const wanted = options.bins ?? Math.min(40, Math.max(5, Math.ceil(Math.sqrt(values.length))));
  const width = (scale.high - scale.low) / wanted;
  const counts = new Array<number>(wanted).fill(0);
  for (const value of values) {
    const bin = Math.min(wanted - 1, Math.floor((value - scale.low) / width));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const frame = axes(options, { x: scale, y: nice([0, ...counts]), names: { x: options.x, y: "count" } });
  const body = counts.map((count, index) => {
    const [from, to] = [frame.x(scale.low + index * width), frame.x(scale.low + (index + 1) * width)];
    return `<rect x="${round(from + 0.5)}" y="${round(frame.y(count))}" width="${round(Math.max(to - from - 1, 0.5))}" height="${round(frame.y(0) - frame.y(count))}" fill="${colours[0]}"/>`;
  });
  return { body: frame.body + body.join(""), height: options.height };
}

function points(
  data: {
    readonly x: readonly Cell[];
    readonly y: readonly (number | null)[];
    readonly by: readonly Cell[] | null;
  },
  options: ChartOptions,
): Drawing {
  const texts = [...new Set(data.x.filter((cell) => cell !== null))];
  const timed =
    texts.length > 0 &&
    texts.every(
      (cell) => typeof cell === "string" && !Number.isNaN(Date.parse(cell)) && /^\d{4}-\d{2}/.test(cell),
    );
  const numeric = texts.every((cell) => typeof cell === "number");
  if (!numeric && !timed && options.kind === "scatter")
    throw usage(`the column "${options.x}" holds texts`, "scatter needs numbers or dates; use bar or line");
  const order = new Map(texts.map((cell, index) => [cell, index]));
  const position = (cell: Cell): number | null =>
    cell === null
      ? null
      : numeric
        ? Number(cell)
        : timed
          ? Date.parse(String(cell))
          : (order.get(cell) ?? null);
  const series = new Map<string, Point[]>();
  for (const [index, cell] of data.x.entries()) {
    const [x, y] = [position(cell), data.y[index] ?? null];
    if (x === null || y === null) continue;
    const name = data.by === null ? "" : shownCell(data.by[index] ?? null);
    const known = series.get(name);
    if (known === undefined) series.set(name, [{ x, y }]);
    else known.push({ x, y });
  }
  if (series.size === 0) throw usage("there is nothing to draw");
  if (series.size > colours.length)
    throw usage(
      `${series.size} series are too many`,
      `at most ${colours.length}: keep the largest and group the others`,
    );
  const all = [...series.values()].flat();
  const x = numeric
    ? nice(bounds(all.map((point) => point.x)))
    : stretch(
        bounds(all.map((point) => point.x)),
        timed ? dateTicks : (low, high) => labelTicks(texts, low, high),
      );
  const y = nice(
    bounds(options.kind === "line" ? [0, ...all.map((point) => point.y)] : all.map((point) => point.y)),
  );
  const frame = axes(options, {
    x,
    y,
    names: { x: options.x, y: options.y ?? "" },
    right: data.by === null ? 24 : 110,
  });
  const body = [...series].map(([name, list], index) => {
    const colour = colours[index] ?? quiet;
    const placed = list.map((point) => ({ x: round(frame.x(point.x)), y: round(frame.y(point.y)) }));
    if (options.kind === "scatter") {
      const key =
        name === ""
          ? ""
          : `<circle cx="${options.width - 98}" cy="${52 + index * 18}" r="4" fill="${colour}"/><text x="${options.width - 88}" y="${56 + index * 18}">${xml(fitted(name, 80))}</text>`;
      return (
        placed
          .map(
            (point) =>
              `<circle cx="${point.x}" cy="${point.y}" r="3.5" fill="${colour}" fill-opacity="0.6"/>`,
          )
          .join("") + key
      );
    }
    const sorted = placed.toSorted((one, other) => one.x - other.x);
    const last = sorted.at(-1);
    const label =
      name === "" || last === undefined
        ? ""
        : `<text x="${last.x + 6}" y="${last.y + 4}" style="fill:${colour}">${xml(fitted(name, 100))}</text>`;
    return `<polyline points="${sorted.map((point) => `${point.x},${point.y}`).join(" ")}" fill="none" stroke="${colour}" stroke-width="2"/>${sorted.length <= 40 ? sorted.map((point) => `<circle cx="${point.x}" cy="${point.y}" r="2.5" fill="${colour}"/>`).join("") : ""}${label}`;
  });
  return { body: frame.body + body.join(""), height: options.height };
}

interface Scale {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
}

function bounds(values: readonly number[]): readonly [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return [low, high];
}

/** A scale with round ends and some five round steps. */
function nice(values: readonly number[]): Scale {
  let [low, high] = bounds(values.length === 0 ? [0, 1] : values);
  if (low === high) [low, high] = low === 0 ? [0, 1] : [Math.min(0, low), Math.max(0, high)];
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((one) => one * power >= rough) ?? 10) * power;
  low = Math.floor(low / step + 1e-9) * step;
  high = Math.ceil(high / step - 1e-9) * step;
  const count = Math.round((high - low) / step);
  return {
    low,
    high,
    ticks: Array.from({ length: count + 1 }, (_, index) => low + index * step).map((at) => ({
      at,
      text: short(Number(at.toPrecision(12))),
    })),
  };
}

type Ticks = (low: number, high: number) => Scale["ticks"];

function stretch([low, high]: readonly [number, number], ticks: Ticks): Scale {
  return low === high
    ? { low: low - 1, high: high + 1, ticks: ticks(low, high) }
    : { low, high, ticks: ticks(low, high) };
}

function dateTicks(low: number, high: number): Scale["ticks"] {
  const day = 86_400_000;
  const length = high - low > 2 * 365 * day ? 4 : high - low > 60 * day ? 7 : 10;
  const texts = new Map<string, number>();
  for (let index = 0; index <= 5; index++) {
    const at = low + ((high - low) * index) / 5;
    const text = new Date(at).toISOString().slice(0, length);
    if (!texts.has(text)) texts.set(text, at);
  }
  return [...texts].map(([text, at]) => ({ at, text }));
}

function labelTicks(texts: readonly Cell[], low: number, high: number): Scale["ticks"] {
  const every = Math.ceil((high - low + 1) / 12);
  return texts.flatMap((text, at) => (at % every === 0 ? [{ at, text: fitted(shownCell(text), 90) }] : []));
}

interface Frame {
  readonly body: string;
  x(value: number): number;
  y(value: number): number;
}

function axes(
  { width, height }: ChartOptions,
  {
    x,
    y,
    names,
    right = 24,
  }: {
    readonly x: Scale;
    readonly y: Scale;
    readonly names: { readonly x: string; readonly y: string };
    readonly right?: number;
  },
): Frame {
  const left = 28 + Math.max(...y.ticks.map(({ text }) => estimate(text)));
  const [top, bottom] = [64, height - 62];
  const across = (value: number): number =>
    left + ((value - x.low) / (x.high - x.low)) * (width - left - right);
  const up = (value: number): number => bottom - ((value - y.low) / (y.high - y.low)) * (bottom - top);
  const lines = y.ticks.map(
    ({ at, text }) =>
      `<line x1="${left}" y1="${round(up(at))}" x2="${width - right}" y2="${round(up(at))}" stroke="${at === 0 ? "#9ca3af" : "#e5e7eb"}"/><text class="soft" x="${left - 8}" y="${round(up(at)) + 4}" text-anchor="end">${xml(text)}</text>`,
  );
  const marks = x.ticks.map(
    ({ at, text }) =>
      `<text class="soft" x="${round(across(at))}" y="${bottom + 20}" text-anchor="middle">${xml(text)}</text>`,
  );
  const titles = `<text class="soft" x="16" y="52">${xml(names.y)}</text><text class="soft" x="${round((left + width - right) / 2)}" y="${bottom + 38}" text-anchor="middle">${xml(names.x)}</text>`;
  return { body: lines.join("") + marks.join("") + titles, x: across, y: up };
}

function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e9) return `${trim(value / 1e9)}B`;
  if (size >= 1e6) return `${trim(value / 1e6)}M`;
  if (size >= 1e4) return `${trim(value / 1e3)}k`;
  return trim(value);
}

function trim(value: number): string {
  return String(Number(value.toPrecision(4)));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Width of a text in pixels, roughly. */
function estimate(text: string): number {
  return [...text].reduce(
    (sum, sign) => sum + (/[\u1100-\uffdc]|[\u{1f000}-\u{3fffd}]/u.test(sign) ? 13.5 : 7.2),
    0,
  );
}

function fitted(text: string, width: number): string {
  if (estimate(text) <= width) return text;
  const signs = [...text];
  while (signs.length > 1 && estimate(`${signs.join("")}…`) > width) signs.pop();
  return `${signs.join("")}…`;
}

function xml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
