/** Building blocks of the generated skills. Three lists make more than 140,000 different names. */
export const verbs = list(
  "analyze audit build check clean compare compose convert create debug deploy describe design document draft edit explain export extract format generate import inspect measure merge migrate monitor optimize organize plan prepare publish query refactor render report research review schedule search simplify split summarize test translate validate write",
);

export const subjects = list(
  "api app archive article backup branch budget calendar chart cluster component container contract dashboard database dataset diagram document email endpoint form image index invoice job ledger letter log meeting message metric model notebook page paper pdf pipeline podcast prompt query queue recipe release report repository resume schema script slide spreadsheet table template test ticket token trace video website workflow",
);

export const areas = list(
  "android angular aws azure bash css django docker dotnet elixir excel fastapi figma flask gcp git github go graphql html ios java jira kafka kotlin kubernetes latex linux markdown mongodb mysql nextjs node pandas postgres python rails react redis rust salesforce shopify slack spark sql stripe svelte swift terraform typescript vue webpack wordpress",
);

export const tools = list("Read Write Edit Bash Grep Glob WebFetch WebSearch Task TodoWrite");

export const sentences: readonly [string, ...string[]] = [
  "Read the whole file before you change a line of it.",
  "Ask for the missing value when the request leaves it open; never invent one.",
  "Run the checks after each step and stop at the first one that fails.",
  "Keep the original beside the result until the user has looked at both.",
  "Write the result next to the input, with the same name and a new ending.",
  "Prefer the project's own scripts over commands typed by hand.",
  "Name each assumption in one line at the top of the answer.",
  "If the tool reports a warning, say what it means for this case.",
  "Work on a copy when the file has no history of its own.",
  "Large inputs are split at headings, never in the middle of a table.",
  "Leave the formatting of lines alone that the task does not touch.",
  "Check the exit code as well as the text that was printed.",
];

/** The same kind of text with the characters that real files hold beside ASCII. */
export const unicodeSentences: readonly [string, ...string[]] = [
  "Read first — then plan — then change.",
  "Input → check → result, in that order.",
  "✅ Small steps, ❌ one large rewrite.",
  "Größen stehen in Millimetern, Preise in €.",
  "先阅读整个文件，再修改其中的内容。",
  "The table’s last row holds the totals “as reported”.",
];

function list(text: string): readonly [string, ...string[]] {
  const [first = "", ...rest] = text.split(" ");
  return [first, ...rest];
}
