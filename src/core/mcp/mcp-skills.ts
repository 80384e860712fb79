import type { ConfigLayer } from "../configuration.ts";
import type { Root } from "../discovery/root.ts";
import type { EmbeddedSkill } from "../profile.ts";
import { plainDocument } from "../skill/plain-document.ts";
import type { ListedSkill } from "./listing.ts";

/** Where the skills of one server stand. Not a folder: nothing is searched there. */
export function mcpRoot(server: string, layer: ConfigLayer): Root {
  return {
    id: `mcp:${server}`,
    path: `mcp:${server}`,
    scope: "mcp",
    source: `mcp-${server}`,
    brand: null,
    level: null,
    priority: null,
    needsTrust: true,
    boundary: null,
    bundled: false,
    note: layer.path === null ? null : `configured in ${layer.path}`,
    expected: false,
    scan: {
      depth: 0,
      rootIsSkill: false,
      nested: "stop",
      hidden: false,
      ignore: new Set(),
      flat: "none",
      order: "names",
      fileName: "exact",
      visit: "real-path",
      links: { root: "never", folderInside: "refuse", folderOutside: "refuse", file: "refuse" },
    },
  };
}

/** Where a skill of a server is: both halves of its identity. */
export function mcpLocation(server: string, uri: string): string {
  return `mcp:${server}/${uri}`;
}

/**
 * The skills of one server as candidates: called `SERVER:NAME`, behind everything else, so that none of them takes a name
 * from a skill of this machine. Only what narrows is taken from their frontmatter; tools, hooks, aliases and file
 * patterns are not, because a server has no say here. Two of one name are told apart by their path.
 */
export function mcpSkills(
  skills: readonly ListedSkill[],
  {
    server,
    root,
    digest,
  }: { readonly server: string; readonly root: Root; readonly digest: (text: ListedSkill) => string },
): readonly EmbeddedSkill[] {
  const counts = new Map<string, number>();
  for (const { frontmatter } of skills) counts.set(frontmatter.name, (counts.get(frontmatter.name) ?? 0) + 1);
  return skills.map((skill): EmbeddedSkill => {
    const { name, description } = skill.frontmatter;
    const label = counts.get(name) === 1 ? name : pathName(skill.uri);
    const called = `${server}:${label}`;
    return {
      name: called,
      description,
      body: null,
      location: mcpLocation(server, skill.uri),
      place: "last",
      root,
      digest: digest(skill),
      document: {
        ...plainDocument(called, description),
        disableModelInvocation: isYes(skill.frontmatter["disable-model-invocation"]),
        userInvocable: !isNo(skill.frontmatter["user-invocable"]),
        license: typeof skill.frontmatter.license === "string" ? skill.frontmatter.license : null,
      },
    };
  });
}

/** The distinguishing segments of an address: `skill://acme/billing/refunds/SKILL.md` → `acme.billing.refunds`. */
function pathName(uri: string): string {
  return uri
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, "")
    .replace(/\/SKILL\.md$/, "")
    .replaceAll("/", ".")
    .replace(/[^A-Za-z0-9.-]/g, "-")
    .slice(0, 120);
}

/** What could mean that a model must not start it, counts as that. */
function isYes(value: unknown): boolean {
  return value !== undefined && value !== false && value !== null && value !== "false" && value !== "no";
}

function isNo(value: unknown): boolean {
  return value === false || value === "false" || value === "no";
}
