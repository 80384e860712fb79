import type { Entry } from "./entry.ts";

const longest = 1_200;

/** Public skills, lines of JSON: name with description, and both with each section of the text. No requests. */
export function readSkills(source: string): readonly Entry[] {
  const entries: Entry[] = [];
  const seen = new Set<string>();
  for (const line of source.split("\n")) {
    if (line.trim() === "") continue;
    const { name, description, body } = JSON.parse(line) as Readonly<Record<string, string>>;
    const key = `${name}\n${(description ?? "").slice(0, 100)}`;
    if (name === undefined || !description || seen.has(key)) continue;
    seen.add(key);
    const spoken = name.replace(/[-_:]/g, " ");
    entries.push({ title: spoken, text: description });
    for (const section of (body ?? "").replace(/```[\s\S]*?```/g, " ").split(/^#+ +/m)) {
      const text = section
        .replace(/[#*|`>]+/g, " ")
        .replace(/\s+/g, " ")
        .slice(0, longest);
      if (text.length > 80) entries.push({ title: `${spoken}: ${description}`, text });
    }
  }
  return entries;
}
