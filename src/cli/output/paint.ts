type Paint = (text: string) => string;

export interface Symbols {
  readonly yes: string;
  readonly no: string;
  readonly dot: string;
  readonly warning: string;
  readonly bar: string;
  readonly ellipsis: string;
  readonly dash: string;
}

/** How one stream is written to: colours, symbols and widths. Colouring comes last, after text was made safe and laid out. */
export interface Painter {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly cyan: Paint;
  readonly symbols: Symbols;
  readonly isTTY: boolean;
  /** Columns that a row may take; infinite where no terminal cuts it. */
  readonly width: number;
  /** Columns that running text is wrapped to. */
  readonly textWidth: number;
}

export const unicodeSymbols: Symbols = {
  yes: "✓",
  no: "✗",
  dot: "·",
  warning: "!",
  bar: "│",
  ellipsis: "…",
  dash: "—",
};

export const asciiSymbols: Symbols = {
  yes: "+",
  no: "x",
  dot: "-",
  warning: "!",
  bar: "|",
  ellipsis: "...",
  dash: "-",
};

const same: Paint = (text) => text;

/** For runs that print data only: nothing is coloured, and no library is loaded. */
export const plainPainter: Painter = {
  bold: same,
  dim: same,
  red: same,
  green: same,
  yellow: same,
  cyan: same,
  symbols: asciiSymbols,
  isTTY: false,
  width: Number.POSITIVE_INFINITY,
  textWidth: 100,
};
