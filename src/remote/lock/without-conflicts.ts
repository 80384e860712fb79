type Json = Readonly<Record<string, unknown>>;

/**
 * A lock with git's conflict marks, merged: both sides are read whole and joined by skill. Null when a side is no JSON
 * or when both changed one skill in different ways, which a person has to decide.
 */
export function withoutConflicts(text: string): Json | null {
  if (!/^<{7} /m.test(text)) return null;
  const [ours, theirs] = [side(text, "ours"), side(text, "theirs")];
  if (ours === null || theirs === null) return null;
  const skills: Record<string, unknown> = Object.create(null);
  for (const [name, entry] of [...Object.entries(ours.skills), ...Object.entries(theirs.skills)]) {
    if (name in skills && JSON.stringify(skills[name]) !== JSON.stringify(entry)) return null;
    skills[name] = entry;
  }
  return { ...ours, skills };
}

/** One side of every conflict; the common base that `diff3` style shows is dropped. */
function side(text: string, which: "ours" | "theirs"): (Json & { readonly skills: Json }) | null {
  let state: "both" | "ours" | "base" | "theirs" = "both";
  const lines: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    if (/^<{7}(?: |$)/.test(line)) state = "ours";
    else if (/^\|{7}(?: |$)/.test(line) && state !== "both") state = "base";
    else if (/^={7}$/.test(line) && state !== "both") state = "theirs";
    else if (/^>{7}(?: |$)/.test(line)) state = "both";
    else if (state === "both" || state === which) lines.push(line);
  }
  try {
    // Where both sides added an entry at the end, one of them has a comma too many or too few.
    const value: unknown = JSON.parse(
      lines
        .join("\n")
        .replace(/,(\s*[}\]])/g, "$1")
        .replace(/\}(\s*\n\s*")/g, "},$1"),
    );
    if (typeof value !== "object" || value === null || !("skills" in value)) return null;
    const { skills } = value;
    return typeof skills === "object" && skills !== null
      ? ({ ...value, skills } as Json & { readonly skills: Json })
      : null;
  } catch {
    return null;
  }
}
