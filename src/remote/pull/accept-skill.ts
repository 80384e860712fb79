import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import { judgeSkill, policyDiagnostics } from "../../core/policy/judge.ts";
import { profileNamed } from "../../core/profiles/index.ts";
import type { PulledSkill } from "../../core/remote/pulled-record.ts";
import { realSource, showSource } from "../../core/remote/pulled-roots.ts";
import type { RemoteSource } from "../../core/remote/remote-source.ts";
import { printable } from "../../core/text/printable.ts";
import { nodeCodec } from "../../host/node-file-system.ts";
import { describeFiles } from "../cache/skill-store.ts";
import { treeDigest } from "../digest/tree-digest.ts";
import { publisherOf } from "../policy/signature.ts";
import type { Incoming, PullContext } from "./pull-types.ts";

export type Accepted =
  | { readonly kind: "accepted"; readonly skill: PulledSkill; readonly findings: readonly Diagnostic[] }
  /** By the policy. */
  | { readonly kind: "refused"; readonly findings: readonly Diagnostic[] }
  /** It is no skill. */
  | { readonly kind: "failed"; readonly findings: readonly Diagnostic[] };

/**
 * Decides whether what arrived becomes part of the cache, and puts it there: it has to be a readable skill, and the policy has
 * to allow it (rows E05, E21). Throws `SkilletError` only when the disk refuses.
 */
export function acceptSkill(incoming: Incoming, source: RemoteSource, context: PullContext): Accepted {
  const { policy, store } = context;
  const { name, files } = incoming;
  const path = showSource(source);
  const reading = readAs(incoming, path);
  if (reading.problem !== null)
    return { kind: "failed", findings: [...incoming.diagnostics, reading.problem] };
  const publisher = publisherOf(policy, files, incoming.signatures);
  const described = describeFiles(files, incoming.etags);
  const judgement = judgeSkill(policy, {
    name,
    origin: realSource(source, context.fileSystem),
    files: described.files,
    digestStated: incoming.stated !== null,
    publisher: publisher?.name ?? null,
  });
  const findings = [...incoming.diagnostics, ...reading.notes];
  if (!judgement.allowed)
    return {
      kind: "refused",
      findings: [...findings, ...policyDiagnostics(judgement, { name, path, policy })],
    };
  const skill: PulledSkill = {
    name,
    tree: treeDigest(files),
    ...described,
    stated: incoming.stated,
    version: incoming.version,
    publisher: publisher?.name ?? null,
    key: publisher?.key ?? null,
    arrived: context.now,
  };
  if (!context.dryRun) store.put(skill, files);
  return { kind: "accepted", skill, findings };
}

function readAs(
  { name, files }: Incoming,
  path: string,
): { readonly problem: Diagnostic | null; readonly notes: readonly Diagnostic[] } {
  const main =
    files.find((file) => file.path === "SKILL.md") ??
    files.find((file) => file.path.toLowerCase() === "skill.md");
  const problem = (why: string) => ({
    problem: makeDiagnostic("remote/not-a-skill", { path, message: `${printable(name)}: ${why}.` }),
    notes: [],
  });
  if (main === undefined) return problem("there is no SKILL.md in it");
  const { reader, readLimits, fileLimit } = profileNamed("skillet");
  if (main.bytes.length > fileLimit) return problem(`SKILL.md has more than ${fileLimit} bytes`);
  const source = { path: `${path}#${name}`, folder: name, file: null, bytes: Uint8Array.from(main.bytes) };
  const { document, skip } = reader.read(source, { codec: nodeCodec, limits: readLimits });
  if (document === null)
    return problem(`SKILL.md cannot be read (${skip.message.replace(/\.$/, "") || skip.code})`);
  if (document.nameFrom !== "frontmatter" || document.name === name) return { problem: null, notes: [] };
  const message = `${printable(name)}: its file says "${printable(document.name.slice(0, 100))}"; it is offered as "${printable(name)}".`;
  return { problem: null, notes: [makeDiagnostic("remote/other-name", { path, message })] };
}
