import type { Diagnostic } from "../../core/diagnostic.ts";

/** Bounds of one request; all times in milliseconds. */
export interface HttpLimits {
  /** Bytes of the body after decoding. */
  readonly bytes: number;
  readonly redirects: number;
  /** Tries in all, the first one included. */
  readonly tries: number;
  /** Pause before the second try; it doubles, with some jitter. */
  readonly retryDelay: number;
  /** The longest pause that a server may ask for; a longer one ends the request. */
  readonly retryAfter: number;
  /** Until a connection (through proxy and TLS) stands. */
  readonly connect: number;
  /** From then until the headers are there. */
  readonly headers: number;
  /** Between two pieces of the body. */
  readonly idle: number;
  /** The whole request with redirects, pauses and tries. */
  readonly total: number;
}

/** What the user's own settings allow. Every address is asked about: the first one, each redirect, each resolved one. */
export interface HostPolicy {
  /** A sentence why this address may not be used at all; null = it may. */
  refuse(url: URL): string | null;
  /** Unencrypted http to this host is fine. */
  plainHttp(url: URL): boolean;
  /** This host may be, or resolve to, this machine or its private network. */
  privateHost(url: URL): boolean;
  /** A redirect from one origin to another one may be followed (without the request's own headers). */
  redirect(from: URL, to: URL): boolean;
}

export type HttpMethod = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface HttpRequest {
  readonly url: string;
  /** Default GET. Only GET and HEAD follow redirects and are tried again. */
  readonly method?: HttpMethod;
  /** Sent to the first origin only; values are never printed. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** What is known of an earlier answer; "unchanged" is possible then. */
  readonly known?: { readonly etag: string | null; readonly modified: string | null };
  /** `Accept`; default any type. */
  readonly accept?: string;
  /** A type of content that cannot be right, as `text/html`; null or absent = all can. */
  readonly refuseTypes?: readonly string[];
  /** Statuses outside of 2xx that are an answer too, e.g. 401 or 404. */
  readonly statuses?: readonly number[];
  readonly limits?: Partial<HttpLimits>;
  readonly signal?: AbortSignal;
}

/** Headers by lower-case name; of repeated ones all values, joined by a comma. */
export type HttpHeaders = ReadonlyMap<string, string>;

export type FailureReason =
  | "address"
  | "forbidden"
  | "private"
  | "redirect"
  | "unreachable"
  | "timeout"
  | "status"
  | "too-large"
  | "content"
  | "cancelled";

export interface HttpBytes {
  readonly kind: "bytes";
  readonly status: number;
  /** Where it came from in the end. */
  readonly url: string;
  readonly headers: HttpHeaders;
  /** Lower case, without parameters; null = not said. */
  readonly type: string | null;
  readonly etag: string | null;
  readonly modified: string | null;
  /** Decoded. */
  readonly bytes: Uint8Array;
  readonly tries: number;
}

/** The server says that what is known still holds. */
export interface HttpUnchanged {
  readonly kind: "unchanged";
  readonly tries: number;
}

export interface HttpFailure {
  readonly kind: "failed";
  readonly reason: FailureReason;
  /** The server's status where that is the reason. */
  readonly status: number | null;
  /** Says what, where and what to do; without passwords and tokens. */
  readonly diagnostic: Diagnostic;
  readonly tries: number;
}

export type HttpAnswer = HttpBytes | HttpUnchanged | HttpFailure;

/** Fetches within limits and policy. */
export interface HttpClient {
  /** Never rejects. */
  fetch(request: HttpRequest): Promise<HttpAnswer>;
  /** Ends idle connections. */
  close(): void;
}
