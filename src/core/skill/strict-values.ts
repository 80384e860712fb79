import { isMap, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap } from "yaml";
import type { TextRange } from "../diagnostic.ts";
import { printable } from "../text/printable.ts";
import { codePointLength } from "../text/single-line.ts";
import { plainType } from "./frontmatter-value.ts";
import { lintDescription } from "./lint-description.ts";
import { nameProblems } from "./strict-name.ts";
import type { Placed } from "./strict-report.ts";

/** Text of a value, null when the key is missing or holds something else (which is reported). */
function textOf(
  found: ReadonlyMap<string, Node | null>,
  key: string,
  input: Placed,
): { text: string; range: TextRange; node: Scalar } | null {
  const node = found.get(key);
  if (node === undefined || node === null) return null;
  const range = input.rangeAt(node.range?.[0] ?? 0);
  if (isScalar(node)) return { text: String(node.value ?? ""), range, node };
  input.report.add("standard/field-type", `${key} is a ${isMap(node) ? "mapping" : "list"}, not a text`, {
    range,
  });
  return null;
}

/** Name and description. */
export function requiredFields(found: ReadonlyMap<string, Node | null>, input: Placed): void {
  const { report, options, source } = input;
  const name = textOf(found, "name", input);
  if (name === null || name.text.trim() === "") {
    if (!isCollection(found.get("name")))
      report.add(
        "standard/name-missing",
        "name is missing or empty",
        name === null ? {} : { range: name.range },
      );
  } else {
    const folder = source.file === null ? source.folder : null;
    for (const { code, message } of nameProblems(name.text, folder, options.names))
      report.add(code, message, { range: name.range });
    if (/anthropic|claude/i.test(name.text))
      report.add(
        "standard/name-reserved",
        `the name "${printable(name.text.trim()).slice(0, 100)}" holds a reserved word`,
        { range: name.range },
      );
  }
  const description = textOf(found, "description", input);
  if (description === null || description.text.trim() === "") {
    if (!isCollection(found.get("description"))) {
      report.add(
        "standard/description-missing",
        "description is missing or empty",
        description === null ? {} : { range: description.range },
      );
    }
    return;
  }
  const length = codePointLength(description.text.trim());
  if (length > 1024) {
    report.add(
      "standard/description-too-long",
      `description has ${length} characters; the standard allows 1024`,
      { range: description.range },
    );
  }
  for (const { code, message } of lintDescription(description.text))
    report.add(code, message, { range: description.range });
}

function isCollection(node: Node | null | undefined): boolean {
  return isMap(node) || isSeq(node);
}

/** License, compatibility, allowed-tools and metadata. */
export function optionalFields(found: ReadonlyMap<string, Node | null>, input: Placed): void {
  const { report } = input;
  textOf(found, "license", input);
  const compatibility = textOf(found, "compatibility", input);
  if (found.has("compatibility") && !isCollection(found.get("compatibility"))) {
    const length = codePointLength((compatibility?.text ?? "").trim());
    if (length === 0 || length > 500) {
      const message =
        length === 0
          ? "compatibility is empty"
          : `compatibility has ${length} characters; the standard allows 500`;
      report.add(
        "standard/compatibility",
        message,
        compatibility === null ? {} : { range: compatibility.range },
      );
    }
  }
  const tools = found.get("allowed-tools");
  if (isCollection(tools)) {
    report.add("standard/tool-list", "allowed-tools is not one text with blanks between the tools", {
      range: input.rangeAt(tools?.range?.[0] ?? 0),
    });
  } else if (isScalar(tools) && /,(?![^(]*\))/.test(String(tools.value).slice(0, 1000))) {
    report.add(
      "standard/tool-list",
      "allowed-tools has commas between the tools; the published format has blanks",
      { range: input.rangeAt(tools.range?.[0] ?? 0) },
    );
  }
  const metadata = found.get("metadata");
  if (isMap(metadata)) metadataValues(metadata, input);
  else if (metadata !== undefined && metadata !== null && !(isScalar(metadata) && metadata.value === "")) {
    report.add("standard/field-type", "metadata is not a mapping", {
      range: input.rangeAt(metadata.range?.[0] ?? 0),
    });
  }
}

function metadataValues(metadata: YAMLMap, input: Placed): void {
  for (const pair of metadata.items as Pair<Node, Node | null>[]) {
    const key = isScalar(pair.key) ? printable(String(pair.key.value)) : "a key";
    const range = input.rangeAt(pair.value?.range?.[0] ?? pair.key?.range?.[0] ?? 0);
    if (isCollection(pair.value)) {
      input.report.add("standard/metadata-value", `metadata.${key} is not a text`, { range });
    } else if (isScalar(pair.value) && pair.value.type === "PLAIN") {
      const type = plainType(String(pair.value.value));
      if (type !== null)
        input.report.add("standard/metadata-number", `metadata.${key} is ${type} without quotes`, { range });
    }
  }
}
