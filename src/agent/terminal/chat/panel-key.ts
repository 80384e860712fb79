import { SkilletError } from "../../../core/error.ts";
import { recalled } from "../input/editor.ts";
import type { Key } from "../input/key.ts";
import type { ChatDesk } from "./chat.ts";
import { filterBy, filteredRows, permissionsPanel } from "./panels.ts";
import { entryOfRow, skillRows, toggleSkill, whyLines } from "./skills-panel.ts";
import type { Panel, PanelRow } from "./state.ts";

/** A key while a panel is open. */
export function panelKey(desk: ChatDesk, key: Key): void {
  const { panel } = desk.state();
  if (panel === null) return;
  const rows = filteredRows(panel);
  const set = (change: Partial<Panel>): void => desk.set({ panel: { ...panel, ...change } });
  if (panel.detail !== null) {
    const most = Math.max(0, panel.detail.lines.length - 1);
    if (key.name === "down") set({ scroll: Math.min(most, panel.scroll + 1) });
    else if (key.name === "up") set({ scroll: Math.max(0, panel.scroll - 1) });
    else if (key.name === "page-down") set({ scroll: Math.min(most, panel.scroll + 8) });
    else if (key.name === "page-up") set({ scroll: Math.max(0, panel.scroll - 8) });
    else if (key.name === "escape" || key.name === "enter") set({ detail: null, scroll: 0 });
    return;
  }
  const row = rows[Math.min(panel.selected, rows.length - 1)];
  switch (key.name) {
    case "escape":
      if (panel.filter !== "") set(filterBy(panel, ""));
      else desk.set({ panel: null });
      return;
    case "up":
    case "down": {
      const step = key.name === "down" ? 1 : rows.length - 1;
      if (rows.length > 0)
        set({ selected: (Math.min(panel.selected, rows.length - 1) + step) % rows.length });
      return;
    }
    case "page-down":
      set({ selected: Math.min(rows.length - 1, panel.selected + 8) });
      return;
    case "page-up":
      set({ selected: Math.max(0, panel.selected - 8) });
      return;
    case "tab":
      if (panel.kind === "skills" && row !== undefined) switchRow(desk, row);
      return;
    case "enter":
      if (row !== undefined) take(desk, panel, row);
      return;
    case "backspace":
      set(filterBy(panel, panel.filter.slice(0, -1)));
      return;
    case "text":
    case "paste":
      if (!key.ctrl && !key.meta) set(filterBy(panel, panel.filter + key.input.replace(/[\r\n]/g, "")));
      return;
    default:
      return;
  }
}

function switchRow(desk: ChatDesk, row: PanelRow): void {
  const entry = entryOfRow(desk.agent.skills, row);
  if (entry === null) return;
  try {
    desk.notice(desk.agent.quietly(() => toggleSkill(desk.agent.skills, entry)));
    const { panel } = desk.state();
    if (panel !== null)
      desk.set({ panel: { ...panel, rows: skillRows(desk.agent.skills, desk.agent.status.agent) } });
  } catch (error) {
    desk.notice(error instanceof Error ? error.message : String(error), "error");
  }
}

function take(desk: ChatDesk, panel: Panel, row: PanelRow): void {
  switch (panel.kind) {
    case "skills":
      desk.set({
        panel: {
          ...panel,
          detail: {
            id: row.id,
            title: `why ${row.label}`,
            lines: whyLines(desk.agent.skills, row.label, desk.agent.status.agent),
          },
          scroll: 0,
        },
      });
      return;
    case "agents":
      desk.set({ panel: null });
      switchAgent(desk, row.id);
      return;
    case "models":
      desk.set({ panel: null });
      switchModel(desk, row.id);
      return;
    case "permissions": {
      const [permission = "", pattern = ""] = row.id.split("\0");
      desk.agent.revoke({ permission, pattern, action: "allow" });
      desk.notice(`No longer always allowed: ${row.value}`);
      const left = desk.agent.approvals();
      desk.set({ panel: left.length === 0 ? null : { ...permissionsPanel(left), filter: panel.filter } });
      return;
    }
    case "history":
      desk.set({ panel: null, editor: recalled(desk.state().editor, row.id) });
      return;
    case "sessions":
      desk.end({ exitCode: 0, next: { resume: row.id } });
      return;
  }
}

/** From the next message on. */
export function switchAgent(desk: ChatDesk, name: string): void {
  if (name === desk.agent.status.agent) {
    desk.notice(`You are with the ${name} agent already.`);
    return;
  }
  try {
    desk.agent.switchTo({ agent: name });
    desk.refreshStatus();
    desk.notice(`From the next message on: the ${name} agent.`);
  } catch (error) {
    desk.notice(error instanceof Error ? error.message : String(error), "error");
  }
}

export function switchModel(desk: ChatDesk, name: string): void {
  try {
    desk.agent.switchTo({ model: desk.options.started.choose(name) });
    desk.refreshStatus();
    desk.notice(`From the next message on: ${name}.`);
  } catch (error) {
    const hint = error instanceof SkilletError && error.hint !== null ? ` ${error.hint}` : "";
    desk.notice(`${error instanceof Error ? error.message : String(error)}${hint}`, "error");
  }
}
