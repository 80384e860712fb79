import { describe, expect, it } from "vitest";
import { splitExclusions } from "./split-exclusions.ts";

describe("what a description says the skill is not for", () => {
  it.each([
    ["Makes charts. Not for tables.", "Not for tables"],
    ["Reviews code. Do not use for writing it; use it to read.", "Do not use for writing it"],
    ["Makes charts. For tables, use table-maker instead.", "For tables, use table-maker instead"],
    ["Makes charts. For building tables use table-maker.", "For building tables use table-maker"],
    ["Makes charts; for tables use table-maker.", "for tables use table-maker"],
    ["Pays. Not for A, B or C; for refunds use refund-desk.", "Not for A, B or Cfor refunds use refund-desk"],
    ["制作图表。不适用于表格。", "不适用于表格"],
    ["审查代码。不负责修改代码。", "不负责修改代码"],
    ["審查程式碼。請勿用於修改。", "請勿用於修改"],
    ["審查程式碼。不適用於修改程式碼。", "不適用於修改程式碼"],
    ["制作图表。制作表格请用 table-maker。", "制作表格请用 table-maker"],
    ["製作圖表。製作表格請用 table-maker。", "製作表格請用 table-maker"],
  ])("%s", (text, exclusion) => {
    const split = splitExclusions(text);
    expect(split.exclusion).toBe(exclusion);
    expect(split.purpose.length + split.exclusion.length).toBe(text.length);
  });

  it.each([
    "Use for charts, tables and maps.",
    "When in doubt, use it.",
    "To see more, use the tools of the editor.",
    "请用中文回答，应该使用简单的词。",
    "把改过的文件用 git 提交。",
  ])("leaves %s whole", (text) => expect(splitExclusions(text)).toEqual({ purpose: text, exclusion: "" }));
});
