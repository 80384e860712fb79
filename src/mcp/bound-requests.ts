import { isJSONRPCRequest, type JSONRPCMessage, type McpServer, ProtocolErrorCode } from "./sdk.ts";

/** UTF-16 units of a name, an address or a cursor; nothing that is served has a longer one. */
export const longestField = 8_192;

/**
 * Makes a server answer requests that name something by a longer text than anything has at once, whatever its transport:
 * looking for an address of a megabyte takes many times as long as reading it (row J02), and its answer would repeat it.
 */
export function boundRequests({ server }: McpServer): void {
  const connect = server.connect.bind(server);
  server.connect = async (transport) => {
    await connect(transport);
    const receive = transport.onmessage;
    transport.onmessage = (message, extra) => {
      const field = longField(message);
      if (field === null || !isJSONRPCRequest(message)) {
        receive?.(message, extra);
        return;
      }
      const text = `\`${field}\` may have ${longestField} characters; this one is longer, and nothing is called that.`;
      const error = { code: ProtocolErrorCode.InvalidParams, message: text };
      const { id } = message;
      void transport.send({ jsonrpc: "2.0", id, error }, { relatedRequestId: id }).catch(() => {});
    };
  };
}

function longField(message: JSONRPCMessage): string | null {
  const params: unknown = "params" in message ? message.params : undefined;
  if (typeof params !== "object" || params === null) return null;
  for (const field of ["uri", "name", "cursor"]) {
    const value: unknown = Reflect.get(params, field);
    if (typeof value === "string" && value.length > longestField) return field;
  }
  return null;
}
