/** The FAKE app's choice of who writes. */
import type { Backend, WritingView } from "../src/backend";

export interface FakeWriting {
  writing: WritingView;
  /** The models at every address. */
  models: string[];
}

export const WRITING: WritingView = {
  kind: "built_in",
  on_this_computer: { address: "http://127.0.0.1:11434", model: "", protocol: "ollama" },
  service: { address: "", model: "", protocol: null },
  has_key: false,
  problem: null,
};

export const NO_WRITING: FakeWriting = { writing: WRITING, models: ["small:7b", "large:70b"] };

type Names = "get_writing" | "set_writing" | "list_writing_models";

export function writingCommands(state: FakeWriting): { [Name in Names]: (...given: Parameters<Backend[Name]>) => unknown } {
  return {
    get_writing: () => state.writing,
    set_writing: ({ kind, place, key }) => {
      const places = kind === "built_in" ? {} : { [kind]: place };
      state.writing = { ...state.writing, kind, ...places, has_key: state.writing.has_key || key !== null };
      return state.writing;
    },
    list_writing_models: () => state.models,
  };
}
