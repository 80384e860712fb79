import { createHash, randomBytes } from "node:crypto";
import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import type { Environment } from "../../core/environment.ts";
import { SkilletError } from "../../core/error.ts";
import { basename, join } from "../../core/path.ts";
import { dataFolder } from "../../core/places.ts";
import { closestNames } from "../../core/text/closest-names.ts";
import { toNative } from "../../host/native-path.ts";
import { parseLine } from "./session-file.ts";

/** A stored session, as a list shows it. */
export interface SessionSummary {
  readonly id: string;
  readonly path: string;
  /** ISO 8601. */
  readonly created: string;
  /** Of the last line, milliseconds since the epoch. */
  readonly modified: number;
  readonly cwd: string;
  /** What was typed first; a session without that is not listed. */
  readonly title: string;
}

/** Where the sessions of a project lie: `DATA/sessions/NAME-DIGEST`. */
export function sessionFolder(environment: Environment, root: string): string {
  const digest = createHash("sha256").update(root).digest("hex").slice(0, 12);
  const name = basename(root)
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .slice(0, 40);
  return join(dataFolder(environment), "sessions", `${name === "" ? "root" : name}-${digest}`);
}

/** A new session's name: when it began, and some letters, so that sorting by name is sorting by time. */
export function newSessionId(now: Date): string {
  const stamp = now.toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-");
  return `${stamp}-${randomBytes(3).toString("hex")}`;
}

export function sessionPath(folder: string, id: string): string {
  return join(folder, `${id}.jsonl`);
}

/** Sessions of a project, the one that was used last first. Reads the beginning of each file only. */
export function listSessions(folder: string): readonly SessionSummary[] {
  let names: readonly string[];
  try {
    names = readdirSync(toNative(folder)).filter((name) => name.endsWith(".jsonl"));
  } catch {
    return [];
  }
  return names
    .flatMap((name) => summaryOf(join(folder, name), name.slice(0, -".jsonl".length)) ?? [])
    .sort((one, other) => other.modified - one.modified || (one.id < other.id ? 1 : -1));
}

/** The session that an id, or the beginning of one, means. Throws `SkilletError` ("not-found"). */
export function findSession(folder: string, id: string): SessionSummary {
  const all = listSessions(folder);
  const exact = all.find((one) => one.id === id);
  const begun = all.filter((one) => one.id.startsWith(id));
  if (exact !== undefined) return exact;
  const [only] = begun;
  if (only !== undefined && begun.length === 1) return only;
  const near = closestNames(
    id,
    all.map((one) => one.id),
    3,
  );
  const hint =
    begun.length > 1
      ? `It is the beginning of ${begun.length} sessions: ${begun
          .slice(0, 5)
          .map((one) => one.id)
          .join(", ")}.`
      : near.length > 0
        ? `Did you mean ${near.join(" or ")}?`
        : "skillet chat --sessions lists those of this folder.";
  throw new SkilletError("not-found", `There is no session "${id}" here.`, { hint });
}

/** Bytes that are read at once. */
const pieceBytes = 256 * 1024;

function summaryOf(path: string, id: string): SessionSummary | null {
  let descriptor: number | null = null;
  try {
    const stats = statSync(toNative(path));
    if (!stats.isFile()) return null;
    descriptor = openSync(toNative(path), "r");
    let created = "";
    let cwd = "";
    for (const line of linesOf(descriptor)) {
      const record = parseLine(line);
      if (record?.type === "session") [created, cwd] = [record.created, record.cwd];
      if (record?.type !== "user") continue;
      const title = record.text.trim().split("\n")[0]?.slice(0, 200) ?? "";
      return created === "" || title === ""
        ? null
        : { id, path, created, modified: stats.mtimeMs, cwd, title };
    }
    return null;
  } catch {
    return null;
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

/** Whole lines from the beginning, read as they are asked for: a system prompt of any length may stand first. */
function* linesOf(descriptor: number): Generator<string> {
  const piece = Buffer.alloc(pieceBytes);
  let rest: Buffer[] = [];
  for (;;) {
    const length = readSync(descriptor, piece, 0, piece.length, null);
    if (length === 0) return;
    let from = 0;
    for (let end = piece.indexOf(10); end >= 0 && end < length; end = piece.indexOf(10, from)) {
      yield Buffer.concat([...rest, piece.subarray(from, end)]).toString("utf8");
      rest = [];
      from = end + 1;
    }
    rest.push(Buffer.from(piece.subarray(from, length)));
  }
}
