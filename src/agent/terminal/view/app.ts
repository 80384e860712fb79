import { Box, Static, Text, useCursor, useInput, useStdin, useStdout } from "ink";
import {
  createElement,
  type ReactElement,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import type { Chat } from "../chat/chat.ts";
import type { Block } from "../chat/state.ts";
import { createKeyReader } from "../input/key.ts";
import type { Line, Painter } from "../text/span.ts";
import { chatView } from "./chat-view.ts";

export interface AppProps {
  readonly chat: Chat;
  readonly paint: Painter;
  readonly now: () => number;
  /** Puts the program aside, as Ctrl-Z does. */
  readonly suspend: () => void;
}

/** Milliseconds between two looks at the clock while something runs. */
const tick = 500;

/** The chat on a terminal: blocks are printed once, the rest is drawn anew with every change. */
export function App({ chat, paint, now, suspend }: AppProps): ReactElement {
  const state = useSyncExternalStore(chat.subscribe, () => chat.state);
  const screen = useScreen();
  const busy = state.activity !== null;
  const [time, setTime] = useState(now);
  useEffect(() => {
    if (!busy) return;
    setTime(now());
    const timer = setInterval(() => setTime(now()), tick);
    return () => clearInterval(timer);
  }, [busy, now]);
  useKeys(chat, suspend);
  const printed = useReprint(`${screen.columns} ${state.drawn}`, state.blocks.length);
  const view = chatView(state, { ...screen, now: Math.max(time, state.activity?.since ?? 0) });
  const { setCursorPosition } = useCursor();
  setCursorPosition(view.cursor === null ? undefined : { ...view.cursor });
  return createElement(
    Box,
    { flexDirection: "column" },
    createElement(Static<Block>, {
      key: printed.times,
      items: state.blocks.slice(printed.from),
      // biome-ignore lint/correctness/noChildrenProp: its type wants the function as a property.
      children: (block: Block) =>
        createElement(Rows, { key: block.key, lines: block.lines(Math.max(20, screen.columns - 1)), paint }),
    }),
    createElement(Rows, { lines: view.lines, paint }),
  );
}

function Rows({ lines, paint }: { readonly lines: readonly Line[]; readonly paint: Painter }): ReactElement {
  return createElement(
    Box,
    { flexDirection: "column" },
    ...lines.map((line) => createElement(Text, { wrap: "truncate-end" }, paint(line) || " ")),
  );
}

/** Blocks that are printed once more when the width changes. */
const reprinted = 200;
const clearScreen = "\u001b[2J\u001b[H";

/**
 * When the width changes, a terminal breaks what is on it anew and nobody knows where it is then; so the screen is
 * cleared and the last blocks are printed again at the new width.
 */
function useReprint(look: string, blocks: number): { readonly times: number; readonly from: number } {
  const { stdout } = useStdout();
  const [state, setState] = useState({ times: 0, from: 0, look });
  useEffect(() => {
    if (look === state.look) return;
    const timer = setTimeout(() => {
      stdout.write(clearScreen);
      setState({ times: state.times + 1, from: Math.max(0, blocks - reprinted), look });
    }, 80);
    return () => clearTimeout(timer);
  }, [look, blocks, state, stdout]);
  return state;
}

function useScreen(): { readonly columns: number; readonly rows: number } {
  const { stdout } = useStdout();
  const [size, setSize] = useState({ columns: stdout.columns || 80, rows: stdout.rows || 24 });
  useEffect(() => {
    const look = (): void => setSize({ columns: stdout.columns || 80, rows: stdout.rows || 24 });
    stdout.on("resize", look);
    return () => void stdout.off("resize", look);
  }, [stdout]);
  return size;
}

/** The library's own emitter of what the terminal sends; not in its types. */
interface RawInput {
  on(event: "input", listener: (sent: unknown) => void): void;
  removeListener(event: "input", listener: (sent: unknown) => void): void;
}

function useKeys(chat: Chat, suspend: () => void): void {
  const read = useMemo(createKeyReader, []);
  const sent = useRef<string | null>(null);
  const stdin: unknown = useStdin();
  useEffect(() => {
    const emitter =
      typeof stdin === "object" && stdin !== null
        ? (Reflect.get(stdin, "internal_eventEmitter") as RawInput | undefined)
        : undefined;
    const listener = (bytes: unknown): void => {
      sent.current = typeof bytes === "string" ? bytes : null;
    };
    emitter?.on("input", listener);
    return () => emitter?.removeListener("input", listener);
  }, [stdin]);
  useInput((input, raw) => {
    for (const key of read(input, raw, sent.current))
      if (key.ctrl && key.input === "z") suspend();
      else chat.key(key);
  });
}
