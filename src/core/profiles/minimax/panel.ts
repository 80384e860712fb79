/** An entry of the runtime list as the panel gets it. */
export interface PanelSkill {
  readonly name: string;
  readonly displayName?: string | null;
  readonly description?: string | null;
  /** `workspace`, `user`, `agent`, `global`, `builtin…`, `plugin`. */
  readonly sourceKind?: string | null;
  /** 1 = built-in, 2 = the user's; used where the kind does not say. */
  readonly sourceType?: number | null;
  readonly enabled?: boolean;
}

export interface PanelRow {
  readonly name: string;
  readonly label: string;
  /** `● available · workspace`. */
  readonly value: string;
  readonly description: string;
}

/** The read-only panel of `/skills`, as data. */
export interface SkillsPanel {
  /** Empty ones are left out. */
  readonly groups: readonly {
    readonly title: string;
    readonly heading: string;
    readonly rows: readonly PanelRow[];
  }[];
  readonly badge: string;
  readonly subtitle: string;
  /** What stands in place of groups when nothing matches, else null. */
  readonly empty: { readonly heading: string; readonly label: string } | null;
}

const titles = ["Built-in", "User", "Other"] as const;

/**
 * The panel of `/skills [filter]` (feature X17; spec minimax 5.4, golden `minimax.skills-panel`). The filter is a part of
 * name, display name or description, without case; rows keep the order of the list.
 */
export function skillsPanel(skills: readonly PanelSkill[], filter = ""): SkillsPanel {
  const shown = filter.trim();
  const wanted = shown.toLowerCase();
  const found = skills.filter((skill) =>
    [skill.name, skill.displayName, skill.description].some(
      (text) => text?.toLowerCase().includes(wanted) === true,
    ),
  );
  const groups = titles.flatMap((title) => {
    const rows = found.filter((skill) => groupOf(skill) === title).map(row);
    return rows.length === 0 ? [] : [{ title, heading: `${title} · ${rows.length}`, rows }];
  });
  return {
    groups,
    badge: `${found.length} FOUND`,
    subtitle: `${shown === "" ? "Available to the current Agent" : `Matching “${shown}”`} · Read-only catalog`,
    empty: groups.length === 0 ? { heading: "Catalog", label: "No matches" } : null,
  };
}

function groupOf({ sourceKind, sourceType }: PanelSkill): (typeof titles)[number] {
  const kind = sourceKind ?? "";
  if (kind.startsWith("builtin") || sourceType === 1) return "Built-in";
  return kind !== "" || sourceType === 2 ? "User" : "Other";
}

function row({ name, displayName, description, sourceKind, enabled }: PanelSkill): PanelRow {
  const source =
    sourceKind === undefined || sourceKind === null || sourceKind === "" ? "unknown source" : sourceKind;
  return {
    name,
    label: displayName === undefined || displayName === null || displayName === "" ? name : displayName,
    value: `${enabled === false ? "○ unavailable" : "● available"} · ${source}`,
    description: description ?? "",
  };
}
