import { codePage, codeText, diagnosticTable } from "../../core/diagnostics/table.ts";
import { closestNames } from "../../core/text/closest-names.ts";
import type { Context } from "../command.ts";
import { ownText } from "../output/own-text.ts";
import { wrap } from "../output/text-width.ts";
import { usageError } from "../usage-error.ts";

/** What a finding's code means, why it matters and what to do. Throws a usage error for a code that does not exist. */
export function explainCode(context: Context, code: string): number {
  const text = codeText(code);
  if (text === null) {
    const near = closestNames(code, Object.keys(diagnosticTable), 3);
    throw usageError(
      `There is no code "${code}".`,
      near.length === 0
        ? "skillet check and skillet doctor name codes."
        : `Did you mean ${near.join(" or ")}?`,
    );
  }
  if (context.json) {
    context.printJson({ version: 1, code, ...text });
    return 0;
  }
  const { paint } = context;
  const room = paint.textWidth - 2;
  const indented = (part: string) => wrap(ownText(part, paint), room).map((line) => `  ${line}`);
  context.print(
    `${paint.bold(code)}  ${paint.dim(text.severity)}`,
    ...indented(text.title),
    "",
    ...indented(text.why),
    "",
    ...indented(text.fix),
    ...(text.example === undefined
      ? []
      : [
          "",
          ...ownText(text.example, paint)
            .split("\n")
            .map((line) => `  ${line}`),
        ]),
    "",
    ...indented(`${text.mendable === true ? "skillet check --fix repairs it. " : ""}${codePage(code)}`).map(
      paint.dim,
    ),
  );
  return 0;
}
