import type { Client } from "@modelcontextprotocol/client";
import type { SkillFile as VerifiedFile } from "@modelcontextprotocol/client/ext/skills";
import {
  checkEntry,
  checkListing,
  type ListedFile,
  type ListedSkill,
  type Listing,
  listingLimits,
} from "../../core/mcp/listing.ts";
import type { McpServer } from "../../core/mcp/server-settings.ts";
import { printable } from "../../core/text/printable.ts";
import { version } from "../../version.ts";

/** What a look at a server gave. */
export type Asked =
  | { readonly kind: "listed"; readonly listing: Listing; readonly goodFor: number }
  | { readonly kind: "failed"; readonly reason: string };

/** A file of a skill, verified against the entry that it was asked for by. */
export type Fetched =
  | { readonly kind: "file"; readonly bytes: Uint8Array }
  /** The server lists another set of files now; nothing was read. */
  | { readonly kind: "changed"; readonly skill: ListedSkill | null }
  | { readonly kind: "not-verified"; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string };

const idleDay = 86_400_000;

/** Asks one server for its skills, within its time and the bounds of a listing. Never throws; leaves no process behind. */
export function listSkills(server: McpServer, signal: AbortSignal | undefined): Promise<Asked> {
  return withClient<Asked>(
    server,
    signal,
    async (client, request) => {
      if (!offersSkills(client))
        return {
          kind: "failed",
          reason: "it does not have the skills extension (io.modelcontextprotocol/skills).",
        };
      const entries: unknown[] = [];
      let goodFor = 0;
      let cursor: string | undefined;
      let [units, pages] = [0, 0];
      do {
        const page = await client.request(
          { method: "skills/list", params: cursor === undefined ? {} : { cursor } },
          anything,
          request,
        );
        if (!isRecord(page) || !Array.isArray(page.skills))
          return { kind: "failed", reason: "its answer to skills/list is not a list." };
        if (pages === 0 && typeof page.ttlMs === "number")
          goodFor = Math.min(Math.max(page.ttlMs, 0), idleDay);
        for (const entry of page.skills) entries.push(entry);
        units += JSON.stringify(page.skills).length;
        const next = page.nextCursor;
        if (next === cursor && next !== undefined)
          return { kind: "failed", reason: "its pages do not come to an end." };
        cursor = typeof next === "string" ? next : undefined;
        pages += 1;
      } while (cursor !== undefined && pages < listingLimits.pages && units < listingLimits.units);
      const listing = checkListing(entries);
      const cut =
        cursor === undefined ? [] : ["It lists more than is read of one server; the rest is left out."];
      return { kind: "listed", goodFor, listing: { ...listing, problems: [...listing.problems, ...cut] } };
    },
    (reason) => ({ kind: "failed", reason }),
  );
}

/**
 * Fetches one file of a skill. The server is asked for the entry first: when it lists another set of files than the one
 * that was approved, nothing is read. Then size, digest and, of SKILL.md, every field of the frontmatter must hold.
 */
export function fetchFile(
  server: McpServer,
  {
    skill,
    file,
    signal,
  }: { readonly skill: ListedSkill; readonly file: ListedFile; readonly signal?: AbortSignal | undefined },
): Promise<Fetched> {
  return withClient<Fetched>(
    server,
    signal,
    async (client, request) => {
      if (!offersSkills(client))
        return { kind: "failed", reason: "it does not have the skills extension any more." };
      const answer = await client.request(
        { method: "skills/get", params: { uri: skill.uri } },
        anything,
        request,
      );
      const now = isRecord(answer) ? checkEntry(answer.skill) : "no entry";
      if (typeof now === "string") return { kind: "changed", skill: null };
      if (!isSame(now.skill, skill)) return { kind: "changed", skill: now.skill };
      const { SkillsClient, SkillVerificationError } = await import(
        "@modelcontextprotocol/client/ext/skills"
      );
      try {
        const entry = { ...skill, resources: skill.resources.map((listed) => ({ ...listed })) };
        const read: VerifiedFile = await new SkillsClient(client).read(entry, file.uri, request);
        return { kind: "file", bytes: read.bytes };
      } catch (error) {
        if (!(error instanceof SkillVerificationError)) throw error;
        return { kind: "not-verified", reason: short(error.message) };
      }
    },
    (reason) => ({ kind: "failed", reason }),
  );
}

/** Takes any answer; what it holds is checked by hand. */
const anything = {
  "~standard": {
    version: 1,
    vendor: "skillet",
    validate: (value: unknown) => ({ value }),
  },
} as const;

interface RequestLimits {
  readonly timeout: number;
  readonly signal: AbortSignal;
}

async function withClient<T>(
  server: McpServer,
  signal: AbortSignal | undefined,
  work: (client: Client, request: RequestLimits) => Promise<T>,
  failed: (reason: string) => T,
): Promise<T> {
  const late = AbortSignal.timeout(server.timeout);
  const limit = signal === undefined ? late : AbortSignal.any([late, signal]);
  let client: Client | null = null;
  try {
    const [{ Client: ClientClass }, transport] = await Promise.all([
      import("@modelcontextprotocol/client"),
      transportOf(server),
    ]);
    client = new ClientClass({ name: "skillet", version }, { versionNegotiation: { mode: "auto" } });
    const request = { timeout: server.timeout, signal: limit };
    const open = client;
    return await bounded(
      open.connect(transport, request).then(() => work(open, request)),
      limit,
    );
  } catch (error) {
    if (signal?.aborted === true) return failed("the look at it was stopped.");
    if (late.aborted) return failed(`it did not answer within ${server.timeout} ms.`);
    return failed(short(error instanceof Error ? error.message : String(error)));
  } finally {
    // The transport ends the process, by force after two seconds; nobody waits longer than that for it.
    if (client !== null) await Promise.race([client.close().catch(() => {}), pause(3_000)]);
  }
}

async function transportOf({ reach }: McpServer) {
  if (reach.kind === "http") {
    const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
    return new StreamableHTTPClientTransport(new URL(reach.url), {
      requestInit: { headers: { ...reach.headers } },
    });
  }
  const { StdioClientTransport, getDefaultEnvironment } = await import("@modelcontextprotocol/client/stdio");
  return new StdioClientTransport({
    command: reach.command,
    args: [...reach.args],
    env: { ...getDefaultEnvironment(), ...reach.env },
    stderr: "ignore",
    ...(reach.cwd === null ? {} : { cwd: reach.cwd }),
  });
}

function bounded<T>(work: Promise<T>, limit: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = (): void => reject(limit.reason);
    if (limit.aborted) late();
    limit.addEventListener("abort", late, { once: true });
    work.then(resolve, reject).finally(() => limit.removeEventListener("abort", late));
  });
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}

function offersSkills(client: Client): boolean {
  const extensions = client.getServerCapabilities()?.extensions;
  return extensions !== undefined && Object.hasOwn(extensions, "io.modelcontextprotocol/skills");
}

function isSame(one: ListedSkill, other: ListedSkill): boolean {
  const files = (skill: ListedSkill) =>
    skill.resources
      .map(({ uri, digest }) => `${uri} ${digest}`)
      .sort()
      .join("\n");
  return one.uri === other.uri && files(one) === files(other);
}

function short(text: string): string {
  const line = printable(text.slice(0, 300));
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
