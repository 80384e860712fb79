import { FetchProblem } from "./http-failure.ts";

const reasons: Readonly<Record<string, readonly [text: string, transient: boolean]>> = {
  ENOTFOUND: ["the host name is not known", false],
  EAI_AGAIN: ["the name server does not answer", true],
  EAI_FAIL: ["the name server does not answer", true],
  ECONNREFUSED: ["nothing answers at this address", false],
  ECONNRESET: ["the connection broke off", true],
  EPIPE: ["the connection broke off", true],
  ECONNABORTED: ["the connection broke off", true],
  ETIMEDOUT: ["no connection came about in time", true],
  EHOSTUNREACH: ["there is no way to this host", false],
  ENETUNREACH: ["there is no network", false],
  ENETDOWN: ["there is no network", false],
  EADDRNOTAVAIL: ["there is no network", false],
  EPROTO: ["no secure connection came about", false],
};

/** An error of Node's network modules as a problem with a reason for people. */
export function networkProblem(error: unknown): FetchProblem {
  if (error instanceof FetchProblem) return error;
  if (error instanceof AggregateError && error.errors.length > 0) return networkProblem(error.errors[0]);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const known = reasons[code];
  if (known !== undefined)
    return new FetchProblem("unreachable", `${known[0]} (${code})`, { transient: known[1] });
  if (code.startsWith("HPE_"))
    return new FetchProblem("content", "the answer is not proper HTTP, or its headers are too long");
  if (/CERT|SIGNATURE|ISSUER|SELF_SIGNED/.test(code))
    return new FetchProblem("unreachable", `the server's certificate is not trusted (${code})`, {
      hint: "If your network has certificates of its own, name their file in NODE_EXTRA_CA_CERTS or SSL_CERT_FILE",
    });
  if (code.startsWith("ERR_SSL")) return new FetchProblem("unreachable", "no secure connection came about");
  return new FetchProblem("unreachable", `the connection failed${code === "" ? "" : ` (${code})`}`, {
    transient: code === "" || code === "ABORT_ERR",
  });
}
