import { isBrokenForSure } from "./broken-line.ts";
import { fastEntries } from "./fast-entries.ts";
import {
  type Damage,
  type Entry,
  entryPlace,
  type MapEntry,
  noDamage,
  type ValueNode,
} from "./frontmatter-node.ts";
import { repairedValue } from "./repair-value.ts";
import { type Segment, type StrayLine, segments } from "./segments.ts";
import { type YamlEntries, type YamlOptions, yamlEntries } from "./yaml-entries.ts";

export interface Recovered {
  readonly entries: readonly Entry[];
  readonly stray: readonly StrayLine[];
}

/** Levels of mappings that are repaired one by one; below that the text is kept as it is. */
const deepestRepair = 4;

/**
 * Reads damaged frontmatter field by field, so that one broken field does not cost the others (feature "repair",
 * pains section 3). Each field is tried alone; what YAML still refuses is read as the text a person meant.
 */
export function recoverEntries(text: string, options: YamlOptions): Recovered {
  const { fields, stray } = segments(text, options.line);
  return { entries: fields.map((field) => recovered(field, options, 0)), stray };
}

function recovered(field: Segment, options: YamlOptions, depth: number): Entry {
  const rest = field.rest.trim();
  const first = `${yamlKey(field.key)}:${rest === "" ? "" : ` ${field.rest.trimStart()}`}`;
  const clean = field.damage.every(
    (one) => one.code === "frontmatter/tab" || one.code === "frontmatter/indentation",
  );
  const lines =
    clean && field.lines[0]?.startsWith(field.key) === true ? field.lines : [first, ...field.lines.slice(1)];
  const source = `${lines.join("\n")}\n`;
  const alone = entriesOf(source, { limits: options.limits, line: field.line });
  if (alone.kind === "entries" && alone.entries.length === 1) {
    const entry = alone.entries[0] as Entry;
    if (entry.key === field.key) {
      return field.damage.length === 0 ? entry : { ...entry, damage: [...field.damage, ...entry.damage] };
    }
  }
  const shift = source.indexOf(":") + 1;
  const aliases = alone.kind === "broken" && alone.aliases;
  const reparse = (value: string): ValueNode | null => {
    const again = entriesOf(`${yamlKey(field.key)}: ${value}\n`, {
      limits: options.limits,
      line: field.line,
    });
    return again.kind === "entries" && again.entries.length === 1 ? (again.entries[0]?.value ?? null) : null;
  };
  const repair = repairedValue(
    { key: field.key, source, restAt: shift, aliases, reparse },
    depth < deepestRepair
      ? (inner, line) => recoverChildren(inner, { ...options, line: field.line + line }, depth + 1)
      : null,
  );
  return {
    key: field.key,
    value: repair.value,
    source,
    keyStart: 0,
    end: repair.value.end,
    line: field.line,
    damage: [...field.damage, ...repair.damage],
  };
}

/**
 * Sound fields stand beside a broken one; the fast reader gives for them what the library gives, and the commonest slip
 * is known without it.
 */
function entriesOf(source: string, options: YamlOptions): YamlEntries {
  const { limits, line } = options;
  if (limits.depth < 20) return yamlEntries(source, options);
  const fast = { line, keys: limits.keys };
  const entries = fastEntries(source, fast);
  if (entries !== null) return { kind: "entries", entries };
  return isBrokenForSure(source, fast) ? { kind: "broken", aliases: false } : yamlEntries(source, options);
}

/** A key that is not a plain word in its quotes. */
function yamlKey(key: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_.$/+ -]*$/u.test(key) ? key : JSON.stringify(key);
}

/** The fields of a mapping inside a field; null when its lines are no mapping. */
function recoverChildren(
  text: string,
  options: YamlOptions,
  depth: number,
): { readonly entries: readonly MapEntry[]; readonly damage: readonly Damage[] } | null {
  const { fields, stray } = segments(text, options.line);
  if (fields.length === 0 || stray.length > 0) return null;
  const damage: Damage[] = [];
  const entries: { key: string; value: ValueNode }[] = [];
  for (const field of fields) {
    const entry = recovered(field, options, depth);
    const place = entryPlace(entry, entry.keyStart);
    for (const one of entry.damage)
      damage.push({ ...one, at: offsetOfLine(text, place.line - options.line) });
    // Offsets inside a child's own text mean nothing in the field's; nothing is cut out of it by offset any more.
    entries.push({ key: entry.key, value: { ...entry.value, start: 0, end: 0 } });
  }
  return { entries, damage: damage.length === 0 ? noDamage : damage };
}

function offsetOfLine(text: string, line: number): number {
  let offset = 0;
  for (let count = 0; count < line; count++) offset = text.indexOf("\n", offset) + 1;
  return offset;
}
