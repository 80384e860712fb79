import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What the server does with a request: answers, answers with a status, never answers, or answers this body. */
export type Mood = "well" | "silent" | { readonly status: number } | { readonly body: string };

export interface EmbeddingsServer {
  /** Up to `/v1`. */
  readonly url: string;
  readonly asked: {
    readonly input: readonly string[];
    readonly model: string;
    readonly key: string | null;
  }[];
  mood: Mood;
  /** Answers a text. */
  vector: (text: string) => readonly number[];
  close(): Promise<void>;
}

/** A loopback server that speaks OpenAI's embeddings protocol, with one direction for each group of words. */
export async function embeddingsServer(groups: readonly RegExp[]): Promise<EmbeddingsServer> {
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (part) => {
      text += part;
    });
    request.on("end", () => {
      const { input, model } = JSON.parse(text) as { input: readonly string[]; model: string };
      own.asked.push({ input, model, key: request.headers.authorization ?? null });
      const { mood } = own;
      if (mood === "silent") return;
      if (mood !== "well") {
        response.writeHead("status" in mood ? mood.status : 200).end("body" in mood ? mood.body : "{}");
        return;
      }
      const data = input.map((one, index) => ({ object: "embedding", index, embedding: own.vector(one) }));
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ object: "list", model, data }));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const own: EmbeddingsServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked: [],
    mood: "well",
    vector: (text) => groups.map((group) => (group.test(text) ? 1 : 0.1)),
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
  return own;
}
