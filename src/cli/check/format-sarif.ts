import { codeText } from "../../core/diagnostics/table.ts";
import { printable } from "../../core/text/printable.ts";
import { version } from "../../version.ts";
import { type Finding, wholeText } from "./finding.ts";
import { relativePath } from "./relative-path.ts";

const levels = { error: "error", warning: "warning", info: "note" } as const;

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** SARIF 2.1.0: one run, one rule a code, paths relative to the working folder. */
export function sarifLog(findings: readonly Finding[], cwd: string): object {
  const codes = [...new Set(findings.map(({ code }) => code))].sort();
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "skillet", semanticVersion: version, rules: codes.map(rule) } },
        columnKind: "utf16CodeUnits",
        originalUriBaseIds: { CWD: { uri: fileUri(cwd.endsWith("/") ? cwd : `${cwd}/`) } },
        results: findings.map((finding) => result(finding, codes, cwd)),
      },
    ],
  };
}

function rule(code: string): object {
  const text = codeText(code);
  if (text === null) return { id: code };
  return {
    id: code,
    shortDescription: { text: text.title },
    fullDescription: { text: text.why },
    help: { text: `${text.why} ${text.fix}${text.example === undefined ? "" : `\n\n${text.example}`}` },
    defaultConfiguration: { level: levels[text.severity] },
  };
}

function result(finding: Finding, codes: readonly string[], cwd: string): object {
  const { code, severity, path, range } = finding;
  return {
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: levels[severity],
    message: { text: printable(wholeText(finding)) },
    ...(path === null
      ? {}
      : {
          locations: [
            {
              physicalLocation: {
                artifactLocation: artifact(path, cwd),
                ...(range === undefined
                  ? {}
                  : {
                      region: {
                        startLine: range.line,
                        startColumn: range.column,
                        ...(range.endLine === undefined ? {} : { endLine: range.endLine }),
                        ...(range.endColumn === undefined ? {} : { endColumn: range.endColumn }),
                      },
                    }),
              },
            },
          ],
        }),
  };
}

function artifact(path: string, cwd: string): object {
  const inside = relativePath(path, cwd);
  return inside === path ? { uri: fileUri(path) } : { uri: encodePath(inside), uriBaseId: "CWD" };
}

function fileUri(path: string): string {
  return `file://${path.startsWith("/") ? "" : "/"}${encodePath(path)}`;
}

/** Every segment percent-encoded; lone surrogates, which no address can hold, as U+FFFD. */
function encodePath(path: string): string {
  return path
    .split("/")
    .map((segment) => encodeURIComponent(segment.replace(loneSurrogate, "\ufffd")))
    .join("/");
}
