import type { Entry } from "./entry.ts";

const longest = 1_500;

/** Name and purpose of a manual page with the beginning of its description; null where it has none. */
export function readManual(source: string): Entry | null {
  const sections = source.split(/^\.S[Hh] +/m).map((section) => {
    const end = section.indexOf("\n");
    return {
      heading: section.slice(0, end).replaceAll('"', "").trim().toUpperCase(),
      body: plain(section.slice(end + 1)),
    };
  });
  const body = (heading: string): string => sections.find((one) => one.heading === heading)?.body ?? "";
  const text = body("DESCRIPTION").slice(0, longest);
  const title = body("NAME");
  return title === "" || text.length < 40 ? null : { title, text };
}

/** The words of roff source. */
function plain(source: string): string {
  return source
    .split("\n")
    .filter((line) => !/^[.']\\"|^\.(?:if|ie|el|de|nr|ds|so|TH|nf|fi|in|sp|RS|RE|PP|TP|IP|P|PD)\b/.test(line))
    .map((line) => line.replace(/^[.'](?:[A-Z]{1,2}|Sy|Fl|Ar)\s+/, "").replaceAll('"', ""))
    .join(" ")
    .replace(/\\f[A-Z0-9]|\\f\([A-Z]{2}|\\f\[\w*\]|\\&|\\,|\\\//g, "")
    .replace(/\\-/g, "-")
    .replace(/\\\(\w\w|\\[a-z]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
