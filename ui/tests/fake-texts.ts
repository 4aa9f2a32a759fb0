/** The part of the FAKE backend that is about texts of designs. Like the rest of it, for component tests and the dev page only. */
import type { Backend, DesignPicture, DesignText, DesignTextChange, DesignTextPage, DesignTexts, DesignView, Problem } from "../src/backend";

/** So many letters fit a text of the fake, whatever they are. */
export const MOST_LETTERS = 60;

/** A text at a place of a page, in its pixels. */
export function designText(reference: string, text: string, place: [number, number, number, number], given: Partial<DesignText> = {}): DesignText {
  const [x, y, width, height] = place.map((side) => side * 100) as [number, number, number, number];
  const frame = { x, y, width, height };
  return {
    reference,
    text,
    frame,
    ink: frame,
    size_hundredths: Math.round(height * 0.8),
    line_height_hundredths: height,
    align: "start",
    anchor: "top",
    color: "#222222",
    ground: "#ffffff",
    is_serif: false,
    weight: 700,
    italic: false,
    capitals: false,
    right_to_left: false,
    ...given,
  };
}

/** A picture at a place of a page, in its pixels. */
export function designPicture(reference: string, description: string, place: [number, number, number, number]): DesignPicture {
  const [x, y, width, height] = place.map((side) => side * 100) as [number, number, number, number];
  return { reference, description, frame: { x, y, width, height } };
}

export function textPage(number: number, texts: DesignText[], given: Partial<DesignTextPage> = {}): DesignTextPage {
  return { number, width: 1920, height: 1080, picture: "", texts, pictures: [], ...given };
}

/** What is in memory: by the id of the design. */
export interface FakeTexts {
  designTexts: Record<string, DesignTextPage[]>;
  /** How often each design was changed. */
  textRevisions: Record<string, number>;
}

export const noTexts = (): FakeTexts => ({ designTexts: {}, textRevisions: {} });

type Answers = { [Name in Exclude<keyof Backend, "on">]: (...given: Parameters<Backend[Name]>) => unknown };
type Names = "choose_picture" | "change_design_picture" | "list_design_texts" | "change_design_texts" | "check_design_texts";

/** The commands about texts. `missing` is what is thrown for a design that is not there. */
export function textCommands(
  state: FakeTexts & { designs: DesignView[]; selected: string | null },
  missing: () => Problem,
  refused: (given: Partial<Problem>) => Problem,
): Pick<Answers, Names> {
  const revision = (id: string) => `r${state.textRevisions[id] ?? 0}`;
  const answer = (id: string, pages: DesignTextPage[]): DesignTexts => {
    const design = state.designs.find((each) => each.id === id);
    if (!design) throw missing();
    return { connection_id: state.selected ?? "", design, revision: revision(id), pages };
  };
  const changed = (id: string, given: string, changes: DesignTextChange[]): DesignTextPage[] => {
    if (given !== revision(id)) throw refused({ code: "canvas_changed", title: "This design has been changed meanwhile", detail: "Look again." });
    const long = changes.find((change) => change.text.length > MOST_LETTERS);
    if (long) {
      const detail = `${MOST_LETTERS} of ${long.text.length} letters fit.`;
      throw refused({ code: "text_too_long", title: "Too long for this place", detail, action: { kind: "dismiss", label: "OK", target: null } });
    }
    return (state.designTexts[id] ?? []).map((page) => ({
      ...page,
      texts: page.texts.map((each) => {
        const change = changes.find((one) => one.page === page.number && one.reference === each.reference);
        return change ? { ...each, text: change.text } : each;
      }),
    }));
  };
  /** Notes a change of a design, and that its pages have other pictures. */
  const drawn = (id: string, pages: DesignTextPage[]): DesignTexts => {
    const count = (state.textRevisions[id] ?? 0) + 1;
    state.textRevisions[id] = count;
    state.designTexts[id] = pages.map((page) => ({ ...page, picture: page.picture === "" ? "" : `${page.picture.split("#")[0]}#${count}` }));
    state.designs = state.designs.map((each) => (each.id === id ? { ...each, updated_at: new Date(Date.parse(each.updated_at ?? "") + 1000).toISOString() } : each));
    return answer(id, state.designTexts[id] ?? []);
  };
  return {
    choose_picture: () => ({ id: "transfer_7", name: "harvest.png", size_bytes: 90_000, state: "sending", sent_bytes: 0, problem: null }),
    change_design_picture: (id, given, reference) => {
      const pages = changed(id, given, []);
      return drawn(id, pages.map((page) => ({ ...page, pictures: page.pictures.map((each) => (each.reference === reference ? { ...each, reference: "harvest", description: "Harvest" } : each)) })));
    },
    list_design_texts: (id) => answer(id, state.designTexts[id] ?? []),
    check_design_texts: (id, given, changes) => answer(id, changed(id, given, changes)),
    change_design_texts: (id, given, changes) => drawn(id, changed(id, given, changes)),
  };
}
