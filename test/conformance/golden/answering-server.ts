import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface ScriptedReply {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Script = Readonly<Record<string, ScriptedReply>>;

/** A server on the loopback address that gives scripted answers and remembers what was asked. */
export interface AnsweringServer {
  readonly origin: string;
  readonly host: string;
  readonly requested: string[];
  script: Script;
  close(): Promise<void>;
}

/** Everything that is not in the script is 404; `.json` is JSON, the rest plain text. */
export async function answeringServer(): Promise<AnsweringServer> {
  const requested: string[] = [];
  const answering = { script: {} as Script };
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    requested.push(path);
    const reply = Object.hasOwn(answering.script, path) ? answering.script[path] : undefined;
    const { status, body, headers } = reply ?? { status: 404, body: "not found" };
    const type = path.endsWith(".json") ? "application/json" : "text/plain";
    response.writeHead(status, { "content-type": type, ...headers }).end(body);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(answering, {
    origin: `http://${host}`,
    host,
    requested,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  });
}
