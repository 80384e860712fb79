import type { PermissionRule } from "../../../core/visibility/permission.ts";
import { agentKinds } from "../../permission/agents.ts";
import type { SessionSummary } from "../../session/session-store.ts";
import { fuzzyRank } from "../input/fuzzy.ts";
import { alwaysText } from "./always-text.ts";
import type { Panel, PanelRow } from "./state.ts";

const pickKeys = "↑↓ choose · enter take · type to filter · esc close";

export function agentsPanel(current: string, configured: readonly string[]): Panel {
  const names = [...agentKinds.keys(), ...configured.filter((name) => !agentKinds.has(name))];
  return picker("agents", "Agents", {
    rows: names.map((name) => ({
      id: name,
      group: null,
      label: name,
      value: name === current ? "now" : "",
      description: agentKinds.get(name)?.summary ?? "an agent of your settings",
    })),
    selected: Math.max(0, names.indexOf(current)),
  });
}

export function modelsPanel(names: readonly string[], current: string): Panel {
  return picker("models", "Models", {
    rows: names.map((name) => ({
      id: name,
      group: null,
      label: name,
      value: name === current ? "now" : "",
      description: "",
    })),
    selected: Math.max(0, names.indexOf(current)),
  });
}

export function sessionsPanel(sessions: readonly SessionSummary[], now: number): Panel {
  return picker("sessions", "Sessions of this project", {
    rows: sessions.map(({ id, title, modified }) => ({
      id,
      group: null,
      label: title,
      value: age(now - modified),
      description: id,
    })),
    selected: 0,
  });
}

/** Answers "always" of this project; taking one takes it back. */
export function permissionsPanel(approvals: readonly PermissionRule[]): Panel {
  const panel = picker("permissions", "Always allowed in this project", {
    rows: approvals.map(({ permission, pattern }) => ({
      id: `${permission}\0${pattern}`,
      group: null,
      label: permission,
      value: alwaysText({ permission, always: [pattern] }),
      description: "",
    })),
    selected: 0,
  });
  return { ...panel, keys: "↑↓ choose · enter take back · type to filter · esc close" };
}

/** Earlier messages, newest first, each once. */
export function historyPanel(history: readonly string[]): Panel {
  const messages = [...new Set(history.toReversed())];
  return picker("history", "Earlier messages", {
    rows: messages.map((message) => ({
      id: message,
      group: null,
      label: message.split("\n")[0] ?? "",
      value: message.includes("\n") ? `${message.split("\n").length} lines` : "",
      description: "",
    })),
    selected: 0,
  });
}

function picker(
  kind: Panel["kind"],
  title: string,
  { rows, selected }: { readonly rows: readonly PanelRow[]; readonly selected: number },
): Panel {
  return { kind, title, rows, filter: "", selected, detail: null, scroll: 0, keys: pickKeys };
}

/** The panel with another filter; the row whose name fits best is chosen. */
export function filterBy(panel: Pick<Panel, "rows">, filter: string): Pick<Panel, "filter" | "selected"> {
  const rows = filteredRows({ rows: panel.rows, filter });
  const [best] = fuzzyRank(filter.trim(), rows, { texts: ({ label }) => [label], limit: 1 });
  return { filter, selected: filter.trim() === "" || best === undefined ? 0 : rows.indexOf(best) };
}

/** Rows that the filter leaves: a part of name or description first, else letters in order. */
export function filteredRows({ rows, filter }: Pick<Panel, "rows" | "filter">): readonly PanelRow[] {
  const wanted = filter.trim().toLowerCase();
  if (wanted === "") return rows;
  const parts = rows.filter(({ label, description, id }) =>
    [label, description, id].some((text) => text.toLowerCase().includes(wanted)),
  );
  return parts.length > 0
    ? parts
    : fuzzyRank(wanted, rows, { texts: ({ label }) => [label], limit: rows.length });
}

function age(milliseconds: number): string {
  const minutes = Math.max(0, Math.round(milliseconds / 60_000));
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} h ago`;
  return `${Math.round(minutes / 1440)} days ago`;
}
