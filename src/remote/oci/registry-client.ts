import type { Environment } from "../../core/environment.ts";
import { SkilletError } from "../../core/error.ts";
import { printable } from "../../core/text/printable.ts";
import type { HttpBytes, HttpClient, HttpMethod } from "../http/http-types.ts";
import { registryCredentials } from "./credentials.ts";
import type { OciReference } from "./reference.ts";

export interface RegistryRequest {
  readonly method?: HttpMethod;
  /** Below `/v2/NAME/`, or a whole address that the registry gave. */
  readonly path: string;
  readonly accept?: string;
  readonly type?: string;
  readonly body?: Uint8Array;
  readonly most?: number;
  /** Also an answer, besides success. */
  readonly statuses?: readonly number[];
}

export interface RegistryClient {
  /** Throws `SkilletError` when the registry refuses. */
  request(request: RegistryRequest): Promise<HttpBytes>;
}

/** Speaks the distribution protocol with one repository of a registry: asks for a token when it has to, and keeps it. */
export function registryClient(
  reference: OciReference,
  options: {
    readonly client: HttpClient;
    readonly environment: Environment;
    readonly signal?: AbortSignal | undefined;
  },
): RegistryClient {
  const { client, environment, signal } = options;
  const base = `${reference.origin}/v2/${reference.name}/`;
  const credentials = registryCredentials(reference.host, environment);
  let authorization: string | null = null;
  const send = async (request: RegistryRequest): Promise<HttpBytes> => {
    const url = new URL(request.path, base);
    const headers = {
      ...(request.type === undefined ? {} : { "content-type": request.type }),
      // An upload address may be on another host; what is meant for the registry stays with it.
      ...(authorization !== null && url.origin === reference.origin ? { authorization } : {}),
    };
    const answer = await client.fetch({
      url: url.href,
      method: request.method ?? "GET",
      headers,
      statuses: [401, ...(request.statuses ?? [])],
      ...(request.body === undefined ? {} : { body: request.body }),
      ...(request.accept === undefined ? {} : { accept: request.accept }),
      ...(request.most === undefined ? {} : { limits: { bytes: request.most } }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (answer.kind === "bytes") return answer;
    if (answer.kind === "unchanged") throw new SkilletError("failed", `${reference.host} gave no content.`);
    if (answer.reason === "cancelled") throw new SkilletError("cancelled", "Cancelled.");
    const { message, hint } = answer.diagnostic;
    throw new SkilletError("failed", message, hint === null ? {} : { hint });
  };
  return {
    async request(request) {
      const answer = await send(request);
      if (answer.status !== 401) return answer;
      authorization = await authorize(answer.headers.get("www-authenticate") ?? "", reference, {
        client,
        credentials,
        signal,
      });
      const again = authorization === null ? answer : await send(request);
      if (again.status !== 401) return again;
      throw new SkilletError("failed", `${reference.host} does not let you in.`, {
        hint: `Run docker login ${reference.host}, or set SKILLET_REGISTRY_AUTH=${reference.host}=USER:PASSWORD.`,
      });
    },
  };
}

/** The header that the challenge asks for; null when there is none to give. */
async function authorize(
  challenge: string,
  reference: OciReference,
  options: {
    readonly client: HttpClient;
    readonly credentials: string | null;
    readonly signal: AbortSignal | undefined;
  },
): Promise<string | null> {
  const { client, credentials, signal } = options;
  const basic = credentials === null ? null : `Basic ${Buffer.from(credentials).toString("base64")}`;
  if (/^basic\b/i.test(challenge)) return basic;
  const fields = new Map(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [key, value]),
  );
  const realm = fields.get("realm");
  if (!/^bearer\b/i.test(challenge) || realm === undefined || !URL.canParse(realm)) return null;
  const url = new URL(realm);
  // A password goes out encrypted, or not at all but to this machine.
  const safe = url.protocol === "https:" || url.origin === reference.origin;
  for (const key of ["service", "scope"]) {
    const value = fields.get(key);
    if (value !== undefined) url.searchParams.set(key, value);
  }
  const answer = await client.fetch({
    url: url.href,
    ...(basic !== null && safe ? { headers: { authorization: basic } } : {}),
    limits: { bytes: 1024 * 1024 },
    ...(signal === undefined ? {} : { signal }),
  });
  if (answer.kind !== "bytes") return null;
  try {
    const value = JSON.parse(Buffer.from(answer.bytes).toString("utf8")) as {
      token?: unknown;
      access_token?: unknown;
    };
    const token = value.token ?? value.access_token;
    return typeof token === "string" && /^[\w.~+/=-]+$/.test(token) ? `Bearer ${token}` : null;
  } catch {
    return null;
  }
}

/** An error for people about an artifact. */
export function ociError(reference: OciReference, problem: string): SkilletError {
  return new SkilletError("failed", `${reference.host}/${reference.name}: ${printable(problem)}.`);
}
