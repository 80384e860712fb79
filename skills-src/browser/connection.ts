import WebSocket from "ws";
import { Failure } from "../common/failure.ts";

type Fields = Readonly<Record<string, unknown>>;
type Listener = (params: Fields) => void;

interface Waiting {
  readonly method: string;
  resolve(value: Fields): void;
  reject(error: Error): void;
}

/** One page of the browser, or the browser itself. */
export interface Session {
  send(method: string, params?: Fields): Promise<Fields>;
  /** Calls `listener` with every event of that name from now on; returns what ends it. */
  on(event: string, listener: Listener): () => void;
}

export interface Connection extends Session {
  session(id: string): Session;
  close(): void;
}

const patience = 30_000;

/** Connects to a browser's debugging address. Every call ends within 30 seconds. */
export async function connect(address: string): Promise<Connection> {
  const socket = new WebSocket(address, { perMessageDeflate: false, maxPayload: 256 * 1024 * 1024 });
  await new Promise<void>((done, fail) => {
    socket.once("open", done);
    socket.once("error", () =>
      fail(new Failure("the browser does not answer", { hint: "`stop`, then `start` again" })),
    );
  });
  const waiting = new Map<number, Waiting>();
  const listeners = new Map<string, Set<Listener>>();
  let last = 0;
  socket.on("message", (data) => {
    const message = JSON.parse(String(data)) as Fields & {
      id?: number;
      error?: { message?: string };
      params?: Fields;
    };
    if (message.id === undefined) {
      const key = `${String(message.sessionId ?? "")} ${String(message.method)}`;
      for (const listener of [...(listeners.get(key) ?? [])]) listener(message.params ?? {});
      return;
    }
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error === undefined) call?.resolve((message.result ?? {}) as Fields);
    else call?.reject(new Failure(`${call.method}: ${message.error.message ?? "failed"}`));
  });
  socket.on("error", () => socket.close());
  socket.on("close", () => {
    for (const call of waiting.values())
      call.reject(new Failure("the browser went away", { hint: "`start` opens a new one" }));
    waiting.clear();
  });

  const session = (id: string): Session => ({
    send: (method, params = {}) =>
      new Promise((resolve, reject) => {
        const number = ++last;
        const timer = setTimeout(() => {
          waiting.delete(number);
          reject(new Failure(`the page did not answer within ${patience / 1000} s (${method})`));
        }, patience);
        const end =
          <Value>(then: (value: Value) => void) =>
          (value: Value) => {
            clearTimeout(timer);
            then(value);
          };
        waiting.set(number, { method, resolve: end(resolve), reject: end(reject) });
        if (socket.readyState !== WebSocket.OPEN)
          waiting.get(number)?.reject(new Failure("the browser went away"));
        else
          socket.send(
            JSON.stringify({ id: number, method, params, ...(id === "" ? {} : { sessionId: id }) }),
          );
      }),
    on: (event, listener) => {
      const key = `${id} ${event}`;
      const known = listeners.get(key) ?? new Set();
      listeners.set(key, known.add(listener));
      return () => void known.delete(listener);
    },
  });
  return { ...session(""), session, close: () => socket.terminate() };
}
