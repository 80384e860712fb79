import type { Decision } from "../decision.ts";
import { findRepository } from "../discovery/repository.ts";
import type { Root } from "../discovery/root.ts";
import { join } from "../path.ts";
import { configFolder } from "../places.ts";
import { isScript } from "../policy/is-script.ts";
import { type Judgement, judgeSkill } from "../policy/judge.ts";
import { openPolicy, type Policy } from "../policy/policy.ts";
import { realOrigin, realPolicy } from "../policy/real-origin.ts";
import type { PrepareContext } from "../profile.ts";
import type { Skill } from "../snapshot.ts";

/** Bytes of a lock that is looked at. */
const largest = 16 * 1_048_576;

interface Installed {
  readonly origin: string;
  readonly digestStated: boolean;
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly script: boolean }[];
  readonly signed: boolean;
}

export type InstalledGate = (skill: Skill) => { readonly reason: string; readonly message: string } | null;

export interface InstalledPolicy {
  readonly gate: InstalledGate;
  /** Every answer about every skill of the locks, by its name, for `why`. */
  readonly decisions: readonly Decision[];
}

/**
 * Asks the policy again about skills that were installed: the locks of the project and of the user say where they came from.
 * A lock only ever takes something away here. A signature was checked when the skill was installed; what has none, or one of
 * a publisher that is no longer known, is kept back where the policy asks for one.
 */
export function installedGate(
  given: Policy,
  { environment, fileSystem, codec }: Pick<PrepareContext, "environment" | "fileSystem" | "codec">,
): InstalledPolicy {
  const policy = realPolicy(given, fileSystem);
  const read = (path: string): ReadonlyMap<string, Installed> => {
    const found = fileSystem.readFile(path, { limit: largest, follow: true });
    return found.kind === "file" ? installedIn(codec.decode(found.bytes, 0, found.bytes.length)) : new Map();
  };
  const top = findRepository(fileSystem, environment.cwd)?.root ?? environment.cwd;
  const paths: readonly (readonly [Root["scope"], string, string])[] = [
    ["workspace", join(top, "skillet.lock"), join(top, ".agents/skills")],
    ["user", join(configFolder(environment), "skillet.lock"), join(environment.home, ".agents/skills")],
  ];
  const limited = policy.limits !== openPolicy.limits;
  const locks = new Map(
    paths.map(([scope, path, store]) => [
      scope,
      new Map([...read(path)].map(([name, installed]) => [name, judge(name, installed, join(store, name))])),
    ]),
  );
  function judge(name: string, installed: Installed, folder: string): Judgement {
    return judgeSkill(policy, {
      name,
      origin: policy.origins === null ? installed.origin : realOrigin(installed.origin, fileSystem),
      // A lock says no sizes; they are asked of the disk where the policy limits them.
      files: limited
        ? installed.files.map((file) => ({ ...file, bytes: sizeOf(join(folder, file.path)) }))
        : installed.files,
      digestStated: installed.digestStated,
      publisher: policy.require === "nothing" || !installed.signed ? null : publisherIn(folder),
    });
  }
  function sizeOf(path: string): number {
    const status = fileSystem.status(path, { follow: false });
    return status.kind === "file" ? status.identity.size : 0;
  }
  /** Whose key the signature beside the skill has, of the publishers that are known today. */
  function publisherIn(folder: string): string | null {
    const found = fileSystem.readFile(join(folder, "SIGNATURE.json"), { limit: 65_536, follow: false });
    if (found.kind !== "file") return null;
    const keys = signingKeys(codec.decode(found.bytes, 0, found.bytes.length));
    return (
      policy.publishers.find((publisher) => publisher.keys.some((key) => keys.includes(key)))?.name ?? null
    );
  }
  return {
    decisions: paths.flatMap(([scope, path]) =>
      [...(locks.get(scope) ?? [])].flatMap(([name, { steps }]) =>
        steps.map(({ rule, allowed, message }) => ({
          stage: "gate" as const,
          outcome: allowed ? ("passed" as const) : ("hidden" as const),
          reason: `policy-${rule}`,
          path,
          message: `${message.replace(/\.$/, "")} (by the lock).`,
          about: name,
        })),
      ),
    ),
    gate(skill) {
      const judgement = locks.get(skill.root.scope)?.get(skill.name);
      const refused = judgement?.steps.find(({ allowed }) => !allowed);
      return refused === undefined ? null : { reason: "policy", message: `${refused.message} (by its lock)` };
    },
  };
}

function installedIn(text: string): ReadonlyMap<string, Installed> {
  const found = new Map<string, Installed>();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return found;
  }
  const skills = isFields(value) && isFields(value.skills) ? value.skills : {};
  for (const [name, entry] of Object.entries(skills)) {
    if (!isFields(entry)) continue;
    const { source, url, digest, kind, files } = entry;
    const origin = typeof url === "string" ? url : typeof source === "string" ? source : null;
    if (origin === null) continue;
    const listed = Object.entries(isFields(files) ? files : {});
    found.set(name, {
      origin: kind === "folder" && !/^[./~]/.test(origin) ? `./${origin}` : origin,
      digestStated: typeof digest === "string",
      files: listed.map(([path, text]) => ({
        path,
        bytes: 0,
        script: isScript({ path, executable: String(text).startsWith("755"), head: new Uint8Array() }),
      })),
      signed: listed.some(([path]) => path === "SIGNATURE.json"),
    });
  }
  return found;
}

function signingKeys(text: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(text);
    const list = isFields(value) && Array.isArray(value.signatures) ? value.signatures : [];
    return list.flatMap((one: unknown) => (isFields(one) && typeof one.key === "string" ? [one.key] : []));
  } catch {
    return [];
  }
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
