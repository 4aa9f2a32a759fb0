/** The part of the FAKE backend that is about colors of designs. Like the rest of it, for component tests and the dev page only. */
import type { Backend, DesignColor, DesignColorChange, DesignColorRole, DesignColors, DesignView, Problem } from "../src/backend";

const OWN: Record<DesignColorRole, string> = { ground: "#f5eee0", accent: "#c8502d", second: "#1c3a4a" };
/** The fake draws this one as another, as a service does with what would not be seen. */
export const UNSEEN = "#f4f4f4";
export const SEEN = "#b0b0b0";

/** What is in memory: by the id of the design. */
export interface FakeColors {
  designColors: Record<string, Partial<Record<DesignColorRole, string>>>;
  /** How often each design was drawn in other colors. */
  colorRevisions: Record<string, number>;
}

export const noColors = (): FakeColors => ({ designColors: {}, colorRevisions: {} });

type Answers = { [Name in Exclude<keyof Backend, "on">]: (...given: Parameters<Backend[Name]>) => unknown };

/** The commands about colors. `missing` is what is thrown for a design that is not there. */
export function colorCommands(
  state: FakeColors & { designs: DesignView[]; selected: string | null },
  missing: () => Problem,
  refused: (given: Partial<Problem>) => Problem,
): Pick<Answers, "list_design_colors" | "change_design_colors"> {
  const revision = (id: string) => `c${state.colorRevisions[id] ?? 0}`;
  const answer = (id: string): DesignColors => {
    const design = state.designs.find((each) => each.id === id);
    if (!design) throw missing();
    const color = (role: DesignColorRole): DesignColor => {
      const chosen = state.designColors[id]?.[role] ?? null;
      return { role, color: chosen === UNSEEN ? SEEN : (chosen ?? OWN[role]), chosen };
    };
    return { connection_id: state.selected ?? "", design, revision: revision(id), colors: [color("ground"), color("accent"), color("second")] };
  };
  return {
    list_design_colors: (id) => answer(id),
    change_design_colors: (id, given, changes: DesignColorChange[]) => {
      if (given !== revision(id)) throw refused({ code: "canvas_changed", title: "This design has been changed meanwhile", detail: "Look again." });
      const chosen = { ...state.designColors[id] };
      for (const { role, color } of changes) {
        if (color === null) delete chosen[role];
        else chosen[role] = color;
      }
      state.designColors[id] = chosen;
      state.colorRevisions[id] = (state.colorRevisions[id] ?? 0) + 1;
      state.designs = state.designs.map((each) => (each.id === id ? { ...each, updated_at: new Date(Date.parse(each.updated_at ?? "") + 1000).toISOString() } : each));
      return answer(id);
    },
  };
}
