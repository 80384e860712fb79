import type { Configuration } from "../../core/configuration.ts";
import type { Decision } from "../../core/decision.ts";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import type { Environment } from "../../core/environment.ts";
import type { FileSystem, TextCodec } from "../../core/file-system.ts";
import { contentLine, type ListedFile, type ListedSkill, pathIn } from "../../core/mcp/listing.ts";
import { mcpLocation, mcpRoot, mcpSkills } from "../../core/mcp/mcp-skills.ts";
import { type McpServer, readMcpServers } from "../../core/mcp/server-settings.ts";
import type { EmbeddedSkill } from "../../core/profile.ts";
import type { Skill } from "../../core/snapshot.ts";
import type { TrustVerdict } from "../../core/visibility/view.ts";
import { type McpApprovals, readApprovals } from "./approvals.ts";
import { createContentCache } from "./content-cache.ts";
import { listingPath, readListing, type StoredListing, writeListing } from "./stored-listing.ts";

/** Milliseconds after which a server is asked again that did not say how long its list stays good, or failed. */
const usualAge = 60_000;

interface Known {
  readonly server: McpServer;
  readonly skill: ListedSkill;
}

/** Skills of MCP servers: what they listed, what of it the user approved, and files on demand. */
export interface McpSources {
  /** Candidates for one search, from what is stored; asks nobody. Reads approvals anew. */
  provide(configuration: Configuration): {
    readonly embedded: readonly EmbeddedSkill[];
    readonly decisions: readonly Decision[];
    readonly diagnostics: readonly Diagnostic[];
  };
  /** Whether the user approved this skill with these files. */
  verdict(skill: Skill): TrustVerdict;
  /** SKILL.md, verified; null until it was fetched. */
  text(skill: Skill): Uint8Array | null;
  /** Paths of its files besides SKILL.md. */
  files(skill: Skill): readonly string[];
  /** One of its files, or why there is none. */
  file(skill: Skill, path: string): { readonly bytes: Uint8Array } | { readonly reason: string };
  /** Why SKILL.md, or another file, did not come when it was fetched last; null = nothing was wrong. */
  problem(skill: Skill, path: string | null): Diagnostic | null;
  /** Asks every server whose list is older than it is good for; true when something is stored anew. */
  connect(options: { readonly force: boolean; readonly signal?: AbortSignal | undefined }): Promise<boolean>;
  /** Fetches SKILL.md or another file of the skill where it is not here yet; true when a list had to be stored anew. */
  retrieve(skill: Skill, path: string | null, signal: AbortSignal | undefined): Promise<boolean>;
}

/** `enabled`: false for profiles that mirror a system without such a source. */
export function createMcpSources(parts: {
  readonly environment: Environment;
  readonly fileSystem: FileSystem;
  readonly codec: TextCodec;
  readonly enabled: boolean;
}): McpSources {
  const { environment, codec } = parts;
  const cache = createContentCache(parts);
  let servers: readonly McpServer[] = [];
  let known = new Map<string, Known>();
  let approved: McpApprovals = {};
  const findings = new Map<string, Diagnostic>();
  const findingKey = ({ location }: Skill, path: string | null): string =>
    `${location}\0${path ?? "SKILL.md"}`;

  const digestOf = (skill: ListedSkill): string => codec.digest(new TextEncoder().encode(contentLine(skill)));
  const stored = (server: McpServer): StoredListing | null =>
    readListing(listingPath(environment, server), parts);
  const store = (server: McpServer, listing: StoredListing): void => {
    try {
      writeListing(listingPath(environment, server), listing);
    } catch {
      // A home that takes no files: it is asked again by the next process.
    }
  };
  const fileOf = ({ skill }: Known, path: string): ListedFile | undefined => {
    const root = skill.uri.slice(0, -"SKILL.md".length);
    return skill.resources.find(({ uri }) => pathIn(root, uri) === path);
  };

  return {
    provide(configuration) {
      if (!parts.enabled) return { embedded: [], decisions: [], diagnostics: [] };
      const read = readMcpServers(configuration.mcp);
      servers = read.servers;
      known = new Map();
      approved = servers.length === 0 ? {} : readApprovals(environment, parts);
      const decisions: Decision[] = [];
      const diagnostics = read.problems.map(({ message, path }) =>
        makeDiagnostic("mcp/server-setting", { path, message }),
      );
      const embedded = servers.flatMap((server) => {
        const listing = stored(server);
        const root = mcpRoot(server.name, server.layer);
        const { message, diagnostics: own } = reportOf(server, listing);
        diagnostics.push(...own);
        decisions.push({
          stage: "root",
          outcome: listing === null ? "missing" : "searched",
          reason: listing === null ? "not-asked" : "mcp",
          path: root.path,
          message,
        });
        for (const skill of listing?.skills ?? [])
          known.set(mcpLocation(server.name, skill.uri), { server, skill });
        return mcpSkills(listing?.skills ?? [], { server: server.name, root, digest: digestOf });
      });
      return { embedded, decisions, diagnostics: [...diagnostics, ...findings.values()] };
    },
    verdict(skill) {
      const before = Object.hasOwn(approved, skill.location) ? approved[skill.location] : undefined;
      if (before === skill.digest) return { trusted: true };
      const server = known.get(skill.location)?.server.name ?? "";
      return before === undefined
        ? {
            trusted: false,
            reason: "untrusted",
            message: `The MCP server "${server}" offers it, and you did not approve it yet, so no model is told of it.`,
          }
        : {
            trusted: false,
            reason: "changed",
            message: `The MCP server "${server}" lists other files for it than those that you approved, so no model is told of it.`,
          };
    },
    text(skill) {
      const found = known.get(skill.location);
      const file = found === undefined ? undefined : fileOf(found, "SKILL.md");
      return found === undefined || file === undefined ? null : cache.get(found.server.name, file);
    },
    files(skill) {
      const found = known.get(skill.location);
      if (found === undefined) return [];
      const root = found.skill.uri.slice(0, -"SKILL.md".length);
      return found.skill.resources
        .flatMap(({ uri }) => pathIn(root, uri) ?? [])
        .filter((path) => path !== "SKILL.md")
        .sort();
    },
    file(skill, path) {
      const found = known.get(skill.location);
      const file = found === undefined ? undefined : fileOf(found, path);
      if (found === undefined || file === undefined)
        return { reason: "The server lists no such file of this skill." };
      const bytes = cache.get(found.server.name, file);
      if (bytes !== null) return { bytes };
      const { message: reason } = findings.get(findingKey(skill, path)) ?? {
        message: "The file could not be fetched from its MCP server.",
      };
      return { reason };
    },
    problem: (skill, path) => findings.get(findingKey(skill, path)) ?? null,
    async connect({ force, signal }) {
      const now = Date.now();
      const due = servers.filter((server) => {
        const listing = stored(server);
        if (force || listing === null) return true;
        const age = now - listing.asked;
        const good = listing.failure === null ? Math.max(listing.goodFor, usualAge) : usualAge;
        return age < 0 || age > good;
      });
      if (due.length === 0) return false;
      const { listSkills } = await import("./ask-server.ts");
      await Promise.all(
        due.map(async (server) => {
          const asked = await listSkills(server, signal);
          if (signal?.aborted === true) return;
          const before = stored(server);
          const at = { asked: Date.now() };
          if (asked.kind === "listed")
            store(server, { ...asked.listing, ...at, failure: null, goodFor: asked.goodFor });
          else
            store(server, {
              skills: before?.skills ?? [],
              problems: before?.problems ?? [],
              goodFor: before?.goodFor ?? 0,
              ...at,
              failure: asked.reason,
            });
        }),
      );
      return true;
    },
    async retrieve(skill, path, signal) {
      const found = known.get(skill.location);
      const file = found === undefined ? undefined : fileOf(found, path ?? "SKILL.md");
      if (found === undefined || file === undefined || cache.get(found.server.name, file) !== null)
        return false;
      const { server } = found;
      const key = findingKey(skill, path);
      const about = `"${skill.name}" of the MCP server "${server.name}"`;
      const { fetchFile } = await import("./ask-server.ts");
      const fetched = await fetchFile(server, { skill: found.skill, file, signal });
      findings.delete(key);
      if (fetched.kind === "file") {
        try {
          cache.put(server.name, file, fetched.bytes);
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error);
          const message = `${about} came, but could not be kept: ${reason}`;
          findings.set(key, makeDiagnostic("mcp/unreachable", { path: null, message }));
          return true;
        }
        return false;
      }
      if (fetched.kind === "changed") {
        const listing = stored(server);
        const others = (listing?.skills ?? []).filter(({ uri }) => uri !== found.skill.uri);
        const skills = fetched.skill === null ? others : [...others, fetched.skill];
        store(server, { problems: [], failure: null, goodFor: 0, ...listing, skills, asked: Date.now() });
        return true;
      }
      const what = path === null ? "The text" : "A file";
      findings.set(
        key,
        fetched.kind === "failed"
          ? makeDiagnostic("mcp/unreachable", {
              path: null,
              message: `${what} of ${about} could not be fetched: ${fetched.reason}`,
            })
          : makeDiagnostic("mcp/not-verified", {
              path: null,
              message: `${what} of ${about} is not used, because it is not what the server listed: ${fetched.reason}`,
            }),
      );
      return true;
    },
  };
}

function reportOf(
  { name, layer }: McpServer,
  listing: StoredListing | null,
): { readonly message: string; readonly diagnostics: readonly Diagnostic[] } {
  if (listing === null) return { message: "This MCP server was not asked yet.", diagnostics: [] };
  const { length } = listing.skills;
  const count = `${length} ${length === 1 ? "skill" : "skills"}`;
  const left = listing.problems.map((problem) =>
    makeDiagnostic("mcp/left-out", { path: layer.path, message: `MCP server "${name}": ${problem}` }),
  );
  if (listing.failure === null) return { message: `MCP server; it lists ${count}.`, diagnostics: left };
  const kept = length === 0 ? "" : ` The ${count} that it listed before stay.`;
  const message = `The MCP server "${name}" does not give its skills: ${listing.failure}${kept}`;
  return {
    message,
    diagnostics: [...left, makeDiagnostic("mcp/unreachable", { path: layer.path, message })],
  };
}
