import type { Decision } from "../decision.ts";
import type { Diagnostic } from "../diagnostic.ts";
import type { Root, ScanRules } from "../discovery/root.ts";
import type { FileSystem, TextCodec } from "../file-system.ts";
import { type Judgement, judgeSkill } from "../policy/judge.ts";
import type { Policy } from "../policy/policy.ts";
import { realOrigin, realPolicy } from "../policy/real-origin.ts";
import type { SkillReader } from "../skill/document.ts";
import type { Skill } from "../snapshot.ts";
import { printable } from "../text/printable.ts";
import {
  type PulledRecord,
  type PulledSkill,
  readPulledRecord,
  recordPath,
  storedFolder,
} from "./pulled-record.ts";
import type { RemoteSource, StoreCache } from "./remote-source.ts";

/** What pulled sources add to a preparation. */
export interface PulledRoots {
  readonly roots: readonly Root[];
  readonly decisions: readonly Decision[];
  readonly diagnostics: readonly Diagnostic[];
  /** Keeps back what the policy refuses or what is no longer what was pulled. */
  gate(skill: Skill): { readonly reason: string; readonly message: string } | null;
  /** What the record says of a skill; null = it was not pulled. */
  entry(skill: Skill): PulledSkill | null;
}

/** One folder that is a skill itself; nothing that was pulled may lead anywhere else. */
const scan: ScanRules = {
  depth: 0,
  rootIsSkill: true,
  nested: "stop",
  hidden: false,
  ignore: new Set<string>(),
  flat: "none",
  order: "names",
  fileName: "any-case",
  visit: "real-path",
  links: { root: "never", folderInside: "refuse", folderOutside: "refuse", file: "refuse" },
};

interface Stored {
  readonly skill: PulledSkill;
  readonly judgement: Judgement;
}

/**
 * A root for every skill that the last pull of the sources left in the store, in the order of sources and indexes. Reads
 * the records alone, never the network; the policy is asked again, so that a rule of today holds for what came yesterday.
 */
export function pulledRoots(input: {
  readonly sources: readonly RemoteSource[];
  readonly cache: StoreCache;
  readonly policy: Policy;
  readonly fileSystem: FileSystem;
  readonly codec: TextCodec;
  readonly reader: SkillReader;
}): PulledRoots {
  const { cache, fileSystem, codec } = input;
  const policy = realPolicy(input.policy, fileSystem);
  const roots: Root[] = [];
  const decisions: Decision[] = [];
  const diagnostics: Diagnostic[] = [];
  const stored = new Map<string, Stored>();
  for (const source of input.sources) {
    const record = readPulledRecord(fileSystem, recordPath(cache.folder, source, codec), codec);
    const shown = showSource(source);
    if (record === null || record.address !== source.address) {
      decisions.push(notPulled(shown));
      continue;
    }
    if (record.stale !== null) decisions.push(staleDecision(shown, record));
    for (const { name, message } of record.problems) {
      const held = record.skills.some((skill) => skill.name === name);
      decisions.push({
        stage: "root",
        outcome: held ? "found" : "skipped",
        reason: held ? "pulled-in-part" : "not-pulled",
        path: shown,
        message: `"${printable(name)}" ${held ? "did not come as it should" : "was not pulled"}: ${message}`,
        about: name,
      });
    }
    const address = policy.origins === null ? source.address : realSource(source, fileSystem);
    for (const skill of record.skills) {
      const folder = storedFolder(cache.folder, skill);
      if (stored.has(`${folder}/`)) continue;
      const judgement = judgePulled(policy, { skill, source: { address } });
      stored.set(`${folder}/`, { skill, judgement });
      decisions.push(...stepsOf(skill, { source, judgement, shown }));
      roots.push(rootOf(source, { folder, skill, shown, reader: input.reader }));
    }
  }
  return {
    roots,
    decisions,
    diagnostics,
    entry: (skill) => stored.get(`${skill.root.path}/`)?.skill ?? null,
    gate(skill) {
      if (skill.root.scope !== "remote") return null;
      const entry = stored.get(`${skill.root.path}/`);
      if (entry === undefined) return null;
      const refused = entry.judgement.steps.find(({ allowed }) => !allowed);
      if (refused !== undefined) return { reason: "policy", message: refused.message };
      const file = entry.skill.files.find(({ path }) => skill.location === `${skill.root.path}/${path}`);
      return file !== undefined && file.digest === skill.digest
        ? null
        : {
            reason: "changed-on-disk",
            message:
              "Its SKILL.md in the cache is no longer what was pulled. `skillet pull` fetches it again.",
          };
    },
  };
}

/** Where a pulled skill comes from, and every answer of the policy, for `why`. */
function stepsOf(
  skill: PulledSkill,
  at: { readonly source: RemoteSource; readonly judgement: Judgement; readonly shown: string },
): readonly Decision[] {
  const { name } = skill;
  const label = at.source.label === at.source.address ? "" : ` ("${printable(at.source.label)}")`;
  const version = skill.version === null ? "" : `, version ${printable(skill.version)}`;
  const day = skill.arrived.slice(0, 10);
  return [
    {
      stage: "root",
      outcome: "found",
      reason: "pulled",
      path: at.shown,
      message: `Pulled on ${day}${version}${label}: ${proofOf(skill)}. Tree digest ${skill.tree}.`,
      about: name,
    },
    ...at.judgement.steps.map(({ rule, allowed, message }) => ({
      stage: "gate" as const,
      outcome: allowed ? ("passed" as const) : ("hidden" as const),
      reason: `policy-${rule}`,
      path: at.shown,
      message,
      about: name,
    })),
  ];
}

function proofOf(skill: PulledSkill): string {
  if (skill.publisher !== null) return `signed by ${printable(skill.publisher)}`;
  return skill.stated === null
    ? "the source states no digest"
    : "the digest that the source states was checked";
}

/** What the policy is asked about a source: where it really leads, with the folder inside a local one. */
export function realSource(
  { kind, address, folder }: Pick<RemoteSource, "kind" | "address" | "folder">,
  fileSystem: FileSystem,
): string {
  return realOrigin(kind === "folder" && folder !== null ? `${address}/${folder}` : address, fileSystem);
}

/** The policy's answers about a skill in the store, as the record knows it. */
export function judgePulled(
  policy: Policy,
  { skill, source }: { readonly skill: PulledSkill; readonly source: Pick<RemoteSource, "address"> },
): Judgement {
  const known = policy.publishers.find(({ keys }) => skill.key !== null && keys.includes(skill.key));
  return judgeSkill(policy, {
    name: skill.name,
    origin: source.address,
    files: skill.files,
    digestStated: skill.stated !== null,
    publisher: known?.name ?? null,
  });
}

function rootOf(
  source: RemoteSource,
  at: {
    readonly folder: string;
    readonly skill: PulledSkill;
    readonly shown: string;
    readonly reader: SkillReader;
  },
): Root {
  const { skill } = at;
  return {
    id: `remote:${skill.content}:${skill.name}`,
    path: at.folder,
    scope: "remote",
    source: `remote-${source.kind}`,
    brand: null,
    level: null,
    priority: null,
    needsTrust: false,
    boundary: null,
    bundled: false,
    scan,
    note: `pulled from ${at.shown}`,
    expected: true,
    reader: underName(at.reader, skill.name),
  };
}

/** The index decides how a skill is called: its file may not pose as another one. */
function underName(reader: SkillReader, name: string): SkillReader {
  return {
    read(source, context) {
      const read = reader.read(source, context);
      if (read.document === null || read.document.name === name) return read;
      return { ...read, document: { ...read.document, name, nameFrom: "folder" } };
    },
    body: (source, context) => reader.body(source, context),
  };
}

function notPulled(path: string): Decision {
  const message = "A source of skills that was not pulled yet; `skillet pull` does it.";
  return { stage: "root", outcome: "missing", reason: "not-pulled", path, message };
}

function staleDecision(path: string, record: PulledRecord): Decision {
  const message = `The last pull failed, so its skills are those of ${record.pulled.slice(0, 10)}: ${record.stale}`;
  return { stage: "root", outcome: "searched", reason: "stale", path, message };
}

/** A source for people, without what may be secret. */
export function showSource({ address }: Pick<RemoteSource, "address">): string {
  return printable(
    address
      .replace(/\/\/[^/@]*@/, "//")
      .replace(/[?#].*$/s, "")
      .slice(0, 300),
  );
}
