import { printable } from "../text/printable.ts";
import { addFinding, type Findings } from "./findings.ts";
import { type Damage, type Entry, entryPlace, type ValueNode } from "./frontmatter-node.ts";
import { forbiddenKey } from "./frontmatter-value.ts";
import { keyShapes, misspeltKey, type SkillKey, skillKey } from "./skill-keys.ts";
import { quotedYaml } from "./yaml-text.ts";

/** The entry that counts for each known key, and the rest. */
export type FieldSlots = { [K in SkillKey]?: Entry } & {
  /** Unknown keys in file order. This and what follows are null while empty, as they nearly always are. */
  extra: Map<string, Entry> | null;
  /** Entries that do not count: repetitions, forbidden and unreadable keys. */
  dropped: Set<Entry> | null;
  /** All entries of a key that is given more than once. */
  repeated: Map<SkillKey, Entry[]> | null;
};

/**
 * Sorts entries to known keys. Other spellings of a known key count as the key; of repeated keys the first that is not
 * empty counts (security.md A10); a misspelt key stands in for a known one that is missing.
 */
export function fieldSlots(entries: readonly Entry[], findings: Findings): FieldSlots {
  const slots: FieldSlots = { extra: null, repeated: null, dropped: null };
  const unknown: Entry[] = [];
  for (const entry of entries) {
    if (entry.value.kind !== "scalar") noteInnerRepeats(entry.value, entry, findings);
    if (entry.damage.length > 0 && entry.key !== "<<" && noteDamage(entry, findings)) {
      drop(slots, entry);
      continue;
    }
    const key = skillKey(entry.key);
    if (key === null) unknown.push(entry);
    else place(slots, key, entry, findings);
  }
  for (const entry of unknown) placeUnknown(slots, entry, findings);
  return slots;
}

function drop(slots: FieldSlots, entry: Entry): void {
  slots.dropped ??= new Set();
  slots.dropped.add(entry);
}

function place(slots: FieldSlots, key: SkillKey, entry: Entry, findings: Findings): void {
  if (entry.key !== key) {
    const message = `${printable(entry.key)} is another spelling of ${key}`;
    addFinding(findings, "frontmatter/key-spelling", message, {
      entry,
      at: entry.keyStart,
      hint: `write it as: ${key}`,
    });
  }
  const before = slots[key];
  if (before === undefined) {
    slots[key] = entry;
    return;
  }
  slots.repeated ??= new Map();
  const all = slots.repeated.get(key);
  if (all === undefined) slots.repeated.set(key, [before, entry]);
  else all.push(entry);
  const first = isEmpty(before) ? entry : before;
  slots[key] = first;
  drop(slots, first === entry ? before : entry);
  slots.dropped?.delete(first);
  noteRepeated(key, { used: first, other: first === entry ? before : entry }, findings);
}

function noteRepeated(
  key: string,
  pair: { readonly used: Entry; readonly other: Entry },
  findings: Findings,
): void {
  const used = entryPlace(pair.used, pair.used.keyStart).line;
  const other = entryPlace(pair.other, pair.other.keyStart).line;
  const message =
    used === other
      ? `${key} is given twice; one of them is used`
      : `${key} is given twice; the one in line ${used} is used, the one in line ${other} is not`;
  addFinding(findings, "frontmatter/duplicate-key", message, {
    entry: pair.other,
    at: pair.other.keyStart,
    hint: `remove line ${other}`,
  });
}

/** Keys given twice inside a mapping; the first one counts. */
function noteInnerRepeats(node: ValueNode, entry: Entry, findings: Findings): void {
  if (node.kind === "scalar") return;
  if (node.kind === "list") {
    for (const item of node.items) noteInnerRepeats(item, entry, findings);
    return;
  }
  const seen = new Set<string>();
  for (const { key, value } of node.entries) {
    if (seen.has(key)) {
      const message = `${printable(key)} is given twice in ${printable(entry.key)}; the first one is used`;
      addFinding(findings, "frontmatter/duplicate-key", message, { entry });
    }
    seen.add(key);
    noteInnerRepeats(value, entry, findings);
  }
}

function placeUnknown(slots: FieldSlots, entry: Entry, findings: Findings): void {
  const shown = printable(entry.key).slice(0, 60);
  const at = entry.keyStart;
  if (entry.key === "<<") {
    addFinding(findings, "frontmatter/alias", "merge keys (<<) are not followed", { entry, at });
    drop(slots, entry);
    return;
  }
  if (entry.key === forbiddenKey) {
    addFinding(findings, "frontmatter/forbidden-key", `the key ${shown} is not allowed; left out`, {
      entry,
      at,
    });
    drop(slots, entry);
    return;
  }
  const meant = misspeltKey(entry.key);
  if (meant !== null) {
    const missing = slots[meant] === undefined || isEmpty(slots[meant]);
    if (!missing) {
      const message = `unknown key ${shown}: did you mean ${meant}? ${meant} is given as well, so it has no effect`;
      addFinding(findings, "frontmatter/unknown-key", message, { entry, at });
    }
    if (missing) {
      const message = `unknown key ${shown}: did you mean ${meant}? it is used as ${meant}`;
      addFinding(findings, "frontmatter/misspelt-key", message, { entry, at, hint: `write it as: ${meant}` });
      const empty = slots[meant];
      if (empty !== undefined) drop(slots, empty);
      slots[meant] = entry;
      return;
    }
  }
  slots.extra ??= new Map();
  const before = slots.extra.get(entry.key);
  if (before === undefined) slots.extra.set(entry.key, entry);
  else {
    drop(slots, entry);
    noteRepeated(shown, { used: before, other: entry }, findings);
  }
}

export function isEmpty(entry: Entry): boolean {
  return entry.value.kind === "scalar" && entry.value.text.trim() === "";
}

/** Reports what was repaired, each with the line as it should be; true when the entry is lost. */
function noteDamage(entry: Entry, findings: Findings): boolean {
  let lost = false;
  for (const one of entry.damage) {
    lost ||= one.lost === true;
    addFinding(findings, one.code, printable(one.message), {
      entry,
      at: one.at,
      hint: damageHint(entry, one),
    });
  }
  return lost;
}

/** Longest text that a hint repeats in full; `check --fix` writes any. */
const hintLength = 300;

function damageHint(entry: Entry, damage: Damage): string | undefined {
  if (damage.lost === true) return undefined;
  const { value } = entry;
  const key = skillKey(entry.key) ?? printable(entry.key);
  if (value.kind === "scalar") {
    if (damage.code === "frontmatter/missing-space" || damage.code === "frontmatter/wide-colon") {
      return `write it as: ${key}: ${shortened(value.text)}`;
    }
    return `write it as: ${key}: ${shortened(quotedYaml(value.text.trim()))}`;
  }
  if (value.kind === "list" && value.items.every((item) => item.kind === "scalar")) {
    const known = skillKey(entry.key);
    if (known !== null && keyShapes[known] === "list") {
      const items = value.items.map((item) => quotedYaml(item.kind === "scalar" ? item.text : ""));
      return `write it as: ${key}: ${shortened(`[${items.join(", ")}]`)}`;
    }
  }
  return undefined;
}

function shortened(text: string): string {
  const line = printable(text);
  return line.length > hintLength ? `${line.slice(0, hintLength)}…` : line;
}
