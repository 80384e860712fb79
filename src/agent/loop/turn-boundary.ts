import { readGuidanceState } from "../../core/guidance/read-guidance-state.ts";
import { escapeXml } from "../../core/text/escape-xml.ts";
import { isDisabled } from "../../core/visibility/permission.ts";
import { createFileSystem } from "../../host/node-file-system.ts";
import { modelName } from "../model/model-choice.ts";
import { agentKind } from "../permission/agents.ts";
import { instructionLayer, readPromptFiles } from "../prompt/instructions.ts";
import { execTool } from "../tools/exec.ts";
import type { Prefix, Workbench } from "./agent.ts";
import { type CallTools, runCall } from "./run-call.ts";
import { systemPrompt } from "./system-prompt.ts";
import { ownTools, skillToolForm, toolsKey } from "./tool-set.ts";

/** What a turn begins with. */
export interface TurnStart extends Prefix {
  readonly tools: CallTools;
  /** What the model is told of changes, behind the user's message, without a frame. */
  readonly notices: readonly string[];
}

/**
 * The safe moment between two turns (features O13, M13): looks at the disk, keeps the prompt's bytes while model, agent,
 * permissions and tools are the same, and says what changed otherwise. A new agent or model begins a new epoch.
 */
export function turnBoundary(bench: Workbench): TurnStart {
  const { options, environment } = bench;
  const skills = bench.skills();
  skills.reload();
  const kind = agentKind(bench.agent());
  const model = bench.model();
  const permission = skills.preparation.permission;
  const own = ownTools(kind, permission);
  const skillTools = bench.desk.tools();
  const many = [...own.map(({ form }) => form), ...skillTools.map(skillToolForm)];
  const inside = { own, skills: skillTools };
  const exec = execTool(many, (call, context) =>
    runCall({ type: "call", id: "inside", ...call }, inside, context),
  );
  const programs = model.tools === "exec" && !isDisabled(permission, "exec");
  const forms = programs ? [exec.form] : many;
  const tools = programs ? { own: [exec], skills: [] } : inside;
  const key = JSON.stringify([
    modelName(model),
    kind.name,
    permission.map((rule) => [rule.permission, rule.pattern, rule.action]),
    toolsKey(forms),
    options.schema ?? null,
  ]);
  const before = bench.conversation();
  const known = readGuidanceState(before.guidance);
  const sameEpoch = before.epoch !== null && before.epoch.key === key;
  const guidance = skills.guidance(sameEpoch || known === null ? known : { ...known, profile: "" }, {
    ...(model.window === null ? {} : { contextWindow: model.window }),
    model: modelName(model),
    tools: toolsKey(forms),
  });
  const files = readPromptFiles(environment, bench.levels, createFileSystem());
  if (!sameEpoch || guidance.kind === "baseline") {
    const system = systemPrompt({
      modelId: model.id,
      kind,
      files,
      guidance,
      schema: options.schema,
      facts: {
        model: modelName(model),
        cwd: environment.cwd,
        repository: bench.repository,
        platform: environment.platform,
        date: options.now().toISOString().slice(0, 10),
        references: [],
      },
    });
    for (const { path, reason } of files.skipped)
      bench.emit({ type: "notice", text: `${path} is not read: ${reason}.`, tone: "warning" });
    options.file.append({
      type: "epoch",
      agent: kind.name,
      model: modelName(model),
      key,
      system,
      guidance: guidance.state,
    });
    bench.emit({ type: "epoch", agent: kind.name, model: modelName(model) });
    const switched = before.epoch !== null && before.epoch.agent !== kind.name;
    const notices = switched ? [`From here on you are the ${kind.name} agent. ${kind.role}`] : [];
    return { system, forms, tools, notices: [...notices, ...outdatedNotices(bench)] };
  }
  const system = before.epoch?.system ?? "";
  if (guidance.state !== known) options.file.append({ type: "guidance", state: guidance.state });
  if (guidance.update !== null) bench.emit({ type: "notice", text: toldText(guidance.kind), tone: "info" });
  const told = guidance.update === null ? [] : [guidance.update];
  return {
    system,
    forms,
    tools,
    notices: [...told, ...outdatedNotices(bench), ...changedInstructions(bench, system, files)],
  };
}

function toldText(kind: string): string {
  return kind === "removed"
    ? "The model is told with this message that there are no skills any more."
    : "The model is told with this message how the skills changed.";
}

/** Skills that the conversation holds and whose file is another now; each change is said once. */
function outdatedNotices(bench: Workbench): readonly string[] {
  return bench.desk.outdated().flatMap(({ name, gone, digest }) => {
    const mark = `${name}\0${digest ?? ""}`;
    if (bench.announced.has(mark)) return [];
    bench.announced.add(mark);
    bench.emit({
      type: "notice",
      text: gone
        ? `The loaded skill ${name} is gone; the model is told.`
        : `The loaded skill ${name} changed; the model is told to load it again.`,
      tone: "info",
    });
    return [
      gone
        ? `The skill "${escapeXml(name)}" that was loaded is no longer there. Do not follow it any further unless the user asks for it.`
        : `The text of the skill "${escapeXml(name)}" changed after it was loaded. What stands above is out of date: load it again with the skill tool before you follow it.`,
    ];
  });
}

/** Instructions that say something else than the prompt: given once more as they are now. */
function changedInstructions(
  bench: Workbench,
  system: string,
  files: ReturnType<typeof readPromptFiles>,
): readonly string[] {
  return files.instructions.flatMap((file) => {
    const layer = instructionLayer(file);
    if (system.includes(layer) || bench.announced.has(layer)) return [];
    const known = bench.options.file.records.some(
      (record) =>
        record.type === "user" &&
        record.parts.some(({ origin, text }) => origin === "notice" && text.includes(layer)),
    );
    bench.announced.add(layer);
    if (known) return [];
    bench.emit({ type: "notice", text: `${file.path} changed; the model is told.`, tone: "info" });
    return [`Instructions changed. These take the place of what this file said before.\n${layer}`];
  });
}
