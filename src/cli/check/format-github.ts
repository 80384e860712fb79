import { printable } from "../../core/text/printable.ts";
import type { Place } from "../output/display-path.ts";
import { type Finding, wholeText } from "./finding.ts";
import { relativePath } from "./relative-path.ts";

const commands = { error: "error", warning: "warning", info: "notice" } as const;

/** Workflow commands of GitHub Actions, one a line; text can neither end its command nor start another. */
export function githubLines(findings: readonly Finding[], place: Place): readonly string[] {
  return findings.map((finding) => {
    const { range, path } = finding;
    const properties: readonly (readonly [string, string | number | undefined])[] = [
      ["file", path === null ? undefined : relativePath(path, place.cwd)],
      ["line", range?.line],
      ["col", range?.column],
      ["endLine", range?.endLine],
      ["endColumn", range?.endColumn],
      ["title", finding.code],
    ];
    const list = properties
      .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${escapeProperty(String(value))}`]))
      .join(",");
    return `::${commands[finding.severity]} ${list}::${escapeData(wholeText(finding))}`;
  });
}

function escapeData(text: string): string {
  return printable(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
