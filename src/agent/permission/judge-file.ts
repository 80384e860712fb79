import { contains } from "../../core/path.ts";
import { isDelicate } from "./delicate-places.ts";
import { type JudgeFacts, type Judgement, ruled, storable } from "./judgement.ts";

/** Decides about reading or changing one file, by where it really lies. */
export function judgeFile(kind: "read" | "edit", path: string, facts: JudgeFacts): Judgement {
  const { workspace } = facts;
  const relative = workspace.inside(path);
  const real = workspace.real(workspace.absolute(path));
  const pattern = relative ?? real;
  const shown = relative === "" ? "." : pattern;
  const { action, byDefault } = ruled(kind, shown, facts);
  const base = { permission: kind, patterns: [shown] };
  if (action === "deny") return { ...base, action, always: [], reason: null };
  if (kind === "edit") {
    if (relative === null)
      return { ...base, action: "ask", always: [], reason: "it lies outside the working folder" };
    if (isDelicate(relative))
      return { ...base, action: "ask", always: [], reason: "a change there can run code or move rules" };
    const lifted =
      action === "ask" && facts.saved.some((one) => one.permission === "edit" && one.pattern === ".");
    return { ...base, action: lifted ? "allow" : action, always: ["."], reason: null };
  }
  if (relative !== null) {
    const lifted =
      action === "ask" && facts.saved.some((one) => one.permission === "read" && one.pattern === shown);
    return { ...base, action: lifted ? "allow" : action, always: storable([shown]), reason: null };
  }
  if (facts.readable.some((folder) => contains(folder, real)))
    return { ...base, action: "allow", always: [], reason: null };
  const always = storable([real]);
  if (facts.saved.some((one) => one.permission === "read" && contains(one.pattern, real)))
    return { ...base, action: "allow", always, reason: null };
  if (!byDefault) return { ...base, action, always, reason: null };
  return { ...base, action: "ask", always, reason: "it lies outside the working folder" };
}
