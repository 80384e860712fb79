/** A node of the browser's accessibility tree, by the fields that are used here. */
export interface TreeNode {
  readonly nodeId: string;
  readonly ignored?: boolean;
  readonly role?: { readonly value?: unknown };
  readonly name?: { readonly value?: unknown };
  readonly value?: { readonly value?: unknown };
  readonly description?: { readonly value?: unknown };
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value?: unknown } }[];
  readonly childIds?: readonly string[];
  readonly parentId?: string;
  readonly backendDOMNodeId?: number;
}

const usable = new Set(
  "button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option radio searchbox slider spinbutton switch tab textbox treeitem DateTime Date ColorWell InputTime DisclosureTriangle".split(
    " ",
  ),
);
const layout = new Set(
  "none generic InlineTextBox LayoutTable LayoutTableRow LayoutTableCell presentation Section sectionheader sectionfooter MenuListPopup LabelText".split(
    " ",
  ),
);
/** Fields whose parts tell nothing more. */
const whole = new Set("textbox searchbox Date DateTime InputTime ColorWell".split(" "));
const states: readonly string[] = [
  "checked",
  "pressed",
  "selected",
  "expanded",
  "disabled",
  "readonly",
  "required",
  "invalid",
  "focused",
];

/**
 * The page as an indented outline. Lines of what can be used begin with a number: what `click`, `type` and others take.
 * Text of one block is joined. Order is that of the document.
 */
export function outline(nodes: readonly TreeNode[]): readonly string[] {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const lines: string[] = [];
  const walk = (node: TreeNode, depth: number, named: string): void => {
    const role = word(node.role?.value);
    const name = flat(word(node.name?.value));
    const children = (node.childIds ?? []).flatMap((id) => byId.get(id) ?? []);
    const skipped = node.ignored === true || layout.has(role) || (role === "RootWebArea" && depth === 0);
    if (role === "StaticText") {
      if (name !== "" && name !== named) append(lines, depth, name);
      return;
    }
    if (role === "LineBreak") return;
    if (skipped) {
      for (const child of children) walk(child, depth, named);
      return;
    }
    const number = usable.has(role) || editable(node) ? `[${node.backendDOMNodeId ?? "?"}] ` : "";
    const value = flat(word(node.value?.value));
    const told = [
      `${role}${name === "" ? "" : ` "${name}"`}`,
      ...(value === "" || value === name ? [] : [`= "${value}"`]),
      ...stateWords(node),
    ].join(" ");
    const plain =
      number === "" && (role === "paragraph" || role === "listitem" || role === "LabelText") && name === "";
    if (!plain) lines.push(`${"  ".repeat(Math.min(depth, 12))}${number}${told}`);
    if (whole.has(role)) return;
    for (const child of children) walk(child, plain ? depth : depth + 1, name);
    lines.push("");
  };
  for (const node of nodes) if (node.parentId === undefined || !byId.has(node.parentId)) walk(node, 0, "");
  return lines.filter((line) => line !== "");
}

/** Joins a text to the line before when that is text of the same depth. */
function append(lines: string[], depth: number, text: string): void {
  const indent = `${"  ".repeat(Math.min(depth, 12))}: `;
  const before = lines.at(-1);
  if (before?.startsWith(indent) && before.length + text.length < 400)
    lines[lines.length - 1] = `${before} ${text}`;
  else lines.push(`${indent}${text}`);
}

function editable(node: TreeNode): boolean {
  return (
    node.properties?.some(({ name, value }) => name === "editable" && value.value === "richtext") === true &&
    node.properties.some(({ name, value }) => name === "focusable" && value.value === true)
  );
}

function stateWords(node: TreeNode): readonly string[] {
  return (node.properties ?? []).flatMap(({ name, value }) => {
    if (name === "level") return [`(level ${word(value.value)})`];
    if (!states.includes(name)) return [];
    const is = value.value;
    if (name === "expanded") return [is === true ? "(open)" : "(closed)"];
    return is === false || is === "false" || is === undefined
      ? []
      : [`(${name}${is === "mixed" ? " partly" : ""})`];
  });
}

function word(value: unknown): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : "";
}

function flat(text: string): string {
  const short = text
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return short.length > 300 ? `${short.slice(0, 300)}…` : short;
}
