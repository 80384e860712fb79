import { createHash, generateKeyPairSync } from "node:crypto";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readPolicy } from "../../src/core/policy/read-policy.ts";
import { treeDigest } from "../../src/remote/digest/tree-digest.ts";
import { indexSchema } from "../../src/remote/index/parse-index.ts";
import { createInstallTools } from "../../src/remote/install/create-tools.ts";
import { judgeServed, judgeSite } from "../../src/remote/policy/judge-served.ts";
import { signDigest, signedDigest, verifySignature } from "../../src/remote/policy/signature.ts";
import { type LoopbackServer, loopbackServer } from "./loopback-server.ts";
import { findingsOf, makePlace, type Place, skillText } from "./open-pulled.ts";

const sha = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;
const files = (text: string) => [
  { path: "SKILL.md", bytes: new TextEncoder().encode(text), executable: false },
];
const keyPair = () =>
  generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" }).toString();
const [acme, other] = [keyPair(), keyPair()];
const keyOf = (pem: string) => signDigest("x", pem).key;

let server: LoopbackServer;
let place: Place;
beforeAll(async () => {
  server = await loopbackServer();
});
beforeEach(() => {
  server.seen.length = 0;
  place = makePlace();
  return () => place.remove();
});
afterAll(() => server.close());

/** Settings with this policy and one source at the server's top. */
const configure = (policy: object) =>
  place.configure({ skills: { urls: [`${server.origin}/index.json`] }, policy });
/** An index over single files; `more` adds fields to an entry. */
const serve = (skills: Readonly<Record<string, object>>) => {
  server.serve({
    "/index.json": JSON.stringify({
      $schema: indexSchema,
      skills: Object.entries(skills).map(([name, more]) => ({
        ...{ name, type: "skill-md", description: "d", url: `/${name}.md`, digest: sha(skillText(name)) },
        ...more,
      })),
    }),
    ...Object.fromEntries(Object.keys(skills).map((name) => [`/${name}.md`, skillText(name)])),
  });
};

describe("at the pull", () => {
  test("an origin that is not named is never asked", async () => {
    serve({ one: {} });
    configure({ origins: ["skills.example.com"] });
    const result = await place.pull();
    expect(result.outcomes[0]?.status).toBe("refused");
    expect(findingsOf(result)).toEqual([expect.stringMatching(/^policy\/origin: .*`policy\.origins`/)]);
    expect(server.seen).toEqual([]);
    configure({ origins: [`http://127.0.0.1:${server.port}`] });
    expect((await place.pull()).names).toEqual(["one"]);
  });

  test("a policy that cannot be read lets nothing pass", async () => {
    serve({ one: {} });
    configure({ origins: "everything" });
    const { names, outcomes, skills } = await place.pull();
    expect([names, outcomes[0]?.status, server.seen]).toEqual([[], "refused", []]);
    expect(skills.diagnostics.map(({ code }) => code)).toContain("policy/invalid");
  });

  test("a denied name is not even fetched", async () => {
    serve({ one: {}, "evil-one": {} });
    configure({ deny: ["evil-*"] });
    const result = await place.pull();
    expect(result.names).toEqual(["one"]);
    expect(findingsOf(result)).toEqual([expect.stringMatching(/^policy\/name: evil-one: .*`policy\.deny`/)]);
    expect(server.seen.map(({ path }) => path)).not.toContain("/evil-one.md");
    expect(result.skills.explain("evil-one").summary).toContain("policy.deny");
  });

  test("scripts, sizes and digests", async () => {
    server.serve({
      "/index.json": JSON.stringify({
        skills: [
          { name: "one", files: ["SKILL.md"] },
          { name: "two", files: ["SKILL.md", "run.py"] },
          { name: "three", files: ["SKILL.md", "big.txt"] },
        ],
      }),
      ...Object.fromEntries(["one", "two", "three"].map((name) => [`/${name}/SKILL.md`, skillText(name)])),
      "/two/run.py": "print()",
      "/three/big.txt": "x".repeat(5_000),
    });
    configure({ scripts: "deny", limits: { fileBytes: 4_000 } });
    const result = await place.pull();
    expect(result.names).toEqual(["one"]);
    expect(findingsOf(result)).toEqual([
      expect.stringMatching(/^policy\/script: two: .*run\.py/),
      expect.stringMatching(/^remote\/too-large: three: /),
    ]);
    configure({ require: "digest" });
    expect(findingsOf(await place.pull()).map((finding) => finding.slice(0, 13))).toEqual(
      Array(3).fill("policy/digest"),
    );
  });
});

describe("at the load", () => {
  test("a rule of today holds for what came yesterday, and says so", async () => {
    serve({ one: {}, two: {} });
    configure({});
    expect((await place.pull()).names).toEqual(["one", "two"]);
    configure({ deny: ["two"] });
    const skills = place.open();
    expect(skills.entries.filter(({ hidden }) => hidden === null).map(({ skill }) => skill.name)).toEqual([
      "one",
    ]);
    expect(skills.load("two", { by: "model" }).status).toBe("unknown");
    expect(skills.load("two", { by: "user" })).toMatchObject({ status: "denied" });
    expect(skills.catalog().text).not.toContain("two");
    const { summary, steps } = skills.explain("two");
    expect(summary).toContain("`policy.deny` denies the name");
    expect(steps.filter(({ reason }) => reason.startsWith("policy-"))).toHaveLength(5);
    configure({ origins: ["skills.example.com"] });
    expect(place.open().entries.every(({ hidden }) => hidden?.reason === "policy")).toBe(true);
    configure({ origins: 5 });
    expect(place.open().entries.every(({ hidden }) => hidden?.reason === "policy")).toBe(true);
  });

  test("each decision is explained for what is allowed, too", async () => {
    serve({ one: {} });
    configure({ origins: [`http://127.0.0.1:${server.port}`], require: "digest" });
    const { skills } = await place.pull();
    const messages = skills.explain("one").steps.map(({ message }) => message);
    expect(messages).toContain(`\`policy.origins\` allows it: http://127.0.0.1:${server.port}.`);
    expect(messages).toContain("Its content is what the stated digest says.");
  });

  test("the administrator's key stands above the user's", async () => {
    serve({ one: {} });
    const managed = makePlace();
    managed.configure({ policy: { deny: ["one"] } });
    configure({ deny: [] });
    const env = { SKILLET_MANAGED_DIR: `${managed.home}/.config/skillet` };
    expect((await place.pull({}, { env })).names).toEqual([]);
    managed.remove();
  });
});

describe("signatures", () => {
  const digest = signedDigest(files(skillText("one")));

  test("are made over the text of the tree digest", () => {
    expect(digest).toBe(treeDigest(files(skillText("one"))));
    const signature = signDigest(digest, acme);
    expect(verifySignature(digest, signature)).toBe(true);
    expect(verifySignature(signedDigest(files("other")), signature)).toBe(false);
    expect(verifySignature(digest, { ...signature, key: keyOf(other) })).toBe(false);
    for (const broken of ["", "AAAA", "x".repeat(88), `${signature.signature.slice(0, -4)}AA==`])
      expect(verifySignature(digest, { ...signature, signature: broken })).toBe(false);
    for (const key of ["", "ed25519:", "rsa:x", `ed25519:${"A".repeat(43)}=`])
      expect(verifySignature(digest, { ...signature, key })).toBe(false);
    expect(() =>
      signDigest(
        digest,
        generateKeyPairSync("rsa", { modulusLength: 2048 })
          .privateKey.export({ format: "pem", type: "pkcs8" })
          .toString(),
      ),
    ).toThrow("Ed25519");
  });

  test("of a known publisher let a skill pass; others, none and stolen ones do not", async () => {
    const two = signedDigest(files(skillText("two")));
    serve({
      one: { signatures: [signDigest(digest, other), signDigest(digest, acme)] },
      two: { signatures: [signDigest(two, other)] },
      three: {},
      four: { signatures: [signDigest(digest, acme)] },
      five: { signatures: "none" },
    });
    configure({ require: "signature", publishers: { acme: keyOf(acme) } });
    const result = await place.pull();
    expect(result.names).toEqual(["one"]);
    expect(findingsOf(result).map((finding) => finding.split(" ").slice(0, 2).join(" "))).toEqual([
      "policy/signature: two:",
      "policy/signature: three:",
      "policy/signature: four:",
      "policy/signature: five:",
    ]);
    expect(result.skills.explain("one").steps.map(({ message }) => message)).toContain("Signed by acme.");
  });

  test("a publisher that is no longer known is asked about again at the load", async () => {
    serve({ one: { signatures: [signDigest(digest, acme)] } });
    configure({ require: "signature", publishers: { acme: keyOf(acme) } });
    expect((await place.pull()).names).toEqual(["one"]);
    configure({ require: "signature", publishers: { acme: keyOf(other) } });
    expect(place.open().entries[0]?.hidden?.reason).toBe("policy");
    expect((await place.pull()).names).toEqual([]);
  });

  test("may lie in the skill's folder, for sources without an index", async () => {
    const text = skillText("one");
    const signatures = JSON.stringify({ signatures: [signDigest(signedDigest(files(text)), acme)] });
    server.serve({
      "/index.json": JSON.stringify({ skills: [{ name: "one", files: ["SKILL.md", "SIGNATURE.json"] }] }),
      "/one/SKILL.md": text,
      "/one/SIGNATURE.json": signatures,
    });
    configure({ require: "signature", publishers: { acme: [keyOf(acme)] } });
    expect((await place.pull()).names).toEqual(["one"]);
    server.serve({
      "/index.json": JSON.stringify({ skills: [{ name: "one", files: ["SKILL.md", "SIGNATURE.json"] }] }),
      "/one/SKILL.md": skillText("one", "Changed."),
      "/one/SIGNATURE.json": signatures,
    });
    const changed = await place.pull();
    expect(findingsOf(changed)).toEqual([expect.stringContaining("policy/signature: one")]);
  });
});

describe("mirrored agents", () => {
  test("their caches obey the policy at the pull", async () => {
    server.serve({
      "/index.json": JSON.stringify({
        skills: [
          { name: "one", files: ["SKILL.md"] },
          { name: "two", files: ["SKILL.md"] },
        ],
      }),
      "/one/SKILL.md": skillText("one"),
      "/two/SKILL.md": skillText("two"),
    });
    place.configure({ policy: { deny: ["two"] } });
    const env = { OPENCODE_CONFIG_CONTENT: JSON.stringify({ skills: { urls: [server.origin] } }) };
    const { names, ...result } = await place.pull({}, { profile: "opencode", env });
    expect(names).toEqual(["one"]);
    expect(findingsOf(result)).toEqual([expect.stringContaining("policy/name: two")]);
  });
});

describe("at the install and at the serve", () => {
  const lock = (entry: object) =>
    JSON.stringify({ version: 1, skills: { one: { kind: "git", agents: [], ...entry } } });
  const install = (entry: object) => {
    mkdirSync(join(place.project, ".agents/skills/one"), { recursive: true });
    writeFileSync(join(place.project, ".agents/skills/one/SKILL.md"), skillText("one"));
    writeFileSync(join(place.project, "skillet.lock"), lock(entry));
  };
  const reason = (policy: object) => {
    place.configure({ policy });
    return place.open({ trust: true }).entries[0]?.hidden?.reason ?? null;
  };

  test("what was installed is asked about again by its lock", () => {
    const digest = `sha256:${"0".repeat(64)}`;
    install({
      source: "acme/skills",
      url: "https://github.com/acme/skills.git",
      digest,
      files: { "run.sh": `755 ${digest}` },
    });
    expect(reason({})).toBeNull();
    expect(reason({ origins: ["github.com/acme"] })).toBeNull();
    expect(reason({ origins: ["github.com/other"] })).toBe("policy");
    expect(reason({ deny: ["on*"] })).toBe("policy");
    expect(reason({ scripts: "deny" })).toBe("policy");
    expect(reason({ require: "digest" })).toBeNull();
    expect(reason({ require: "signature" })).toBe("policy");
    expect(reason({ origins: 1 })).toBe("policy");
    expect(reason({ deny: ["ONE"] })).toBe("policy");
    expect(reason({ deny: ["acme/one"] })).toBe("policy");
  });

  test("sizes on disk and publishers of today count for what was installed, and why prints every answer", () => {
    const digest = `sha256:${"0".repeat(64)}`;
    const key = `ed25519:${"A".repeat(43)}=`;
    install({
      source: "acme/skills",
      url: "https://github.com/acme/skills.git",
      digest,
      files: { "SKILL.md": `644 ${digest}`, "SIGNATURE.json": `644 ${digest}` },
    });
    const signature = join(place.project, ".agents/skills/one/SIGNATURE.json");
    writeFileSync(signature, JSON.stringify({ signatures: [{ key, signature: "x" }] }));
    expect(reason({ limits: { fileBytes: 10 } })).toBe("policy");
    expect(reason({ limits: { fileBytes: 10_000 } })).toBeNull();
    const signed = { require: "signature", publishers: { acme: key } };
    expect(reason(signed)).toBeNull();
    expect(reason({ ...signed, publishers: { other: `ed25519:${"B".repeat(43)}=` } })).toBe("policy");
    place.configure({ policy: { ...signed, deny: ["two"] } });
    const { steps } = place.open({ trust: true }).explain("one", {});
    expect(steps.filter(({ reason }) => reason.startsWith("policy-")).map(({ message }) => message)).toEqual([
      "The policy names no origins, so all are allowed (by the lock).",
      "No rule denies the name (by the lock).",
      "Signed by acme (by the lock).",
      "It has no scripts (by the lock).",
      "Its size is within the limits (by the lock).",
    ]);
    for (const text of ["", "[]", '{"signatures":[5,{"key":1}]}']) {
      writeFileSync(signature, text);
      expect(reason(signed)).toBe("policy");
    }
  });

  test("a lock that cannot be read takes nothing away and gives nothing", () => {
    install({});
    for (const text of ["", "{", "[]", '{"skills":[]}', '{"skills":{"one":5}}']) {
      writeFileSync(join(place.project, "skillet.lock"), text);
      expect(reason({ origins: ["github.com/other"] })).toBeNull();
    }
  });

  test.skipIf(process.platform === "win32")(
    "a link below an allowed path is judged by where it leads",
    async () => {
      for (const path of ["allowed/good", "elsewhere/bad"]) {
        mkdirSync(join(place.root, path), { recursive: true });
        writeFileSync(join(place.root, path, "SKILL.md"), skillText(path.slice(-4).replace("/", "")));
      }
      const allowed = join(place.root, "allowed");
      symlinkSync("../elsewhere/bad", join(allowed, "lnk"));
      symlinkSync(allowed, join(place.root, "also"));
      const { value } = readPolicy({ origins: [join(place.root, "also")] });
      const environment = place.open().environment;
      const tools = createInstallTools({ environment, policy: value, own: [] });
      const fetched = (path: string) => tools.fetch({ kind: "folder", text: path, skill: null, path });
      const good = await fetched(join(allowed, "good"));
      expect(good.skills.flatMap((skill) => tools.approve(skill, good))).toEqual([]);
      await expect(fetched(join(allowed, "lnk"))).rejects.toMatchObject({ code: "denied" });
      const git = { kind: "git", text: "x", skill: null, ref: null, path: null, tree: null } as const;
      await expect(tools.fetch({ ...git, url: `file://${allowed}/lnk` })).rejects.toMatchObject({
        code: "denied",
      });
      tools.close();

      const sources = {
        good: { kind: "folder", path: join(allowed, "good") },
        bad: { kind: "folder", path: join(allowed, "lnk") },
      };
      place.configure({ sources });
      expect((await place.pull()).names).toHaveLength(2);
      place.configure({ sources, policy: { origins: [allowed] } });
      // What came before the rule is kept back, too.
      expect(place.open().entries.filter(({ hidden }) => hidden === null)).toHaveLength(1);
      const { outcomes } = await place.pull();
      expect(outcomes.map(({ status }) => status)).toEqual(["unchanged", "refused"]);
    },
  );

  test("serving hands on what the policy allows", () => {
    const skill = (name: string, path: string) => ({
      name,
      files: [{ path, bytes: new TextEncoder().encode("x"), executable: false }],
    });
    const { value } = readPolicy({
      deny: ["evil"],
      scripts: "deny",
      origins: ["a.example"],
      require: "digest",
    });
    const skills = [skill("one", "SKILL.md"), skill("evil", "SKILL.md"), skill("two", "run.sh")];
    const judged = judgeServed(value, skills, "/x");
    expect(judged.skills.map(({ name }) => name)).toEqual(["one"]);
    expect(judged.diagnostics.map(({ code }) => code)).toEqual(["policy/name", "policy/script"]);
    const site = new Map([[".well-known/skills/evil/SKILL.md", new Uint8Array()]]);
    expect(judgeSite(value, site, "/x").map(({ code }) => code)).toEqual(["policy/name"]);
  });
});
