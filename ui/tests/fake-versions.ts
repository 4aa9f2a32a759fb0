/** The part of the FAKE backend that is about versions of files and designs. Like the rest of it, for component tests and the dev page only. */
import type { Backend, DesignVersionView, DesignView, DriveItem, FileVersionView, Problem } from "../src/backend";
import { NOW_MS } from "./fake-clock";

const ago = (ms: number) => new Date(NOW_MS - ms).toISOString();

let nextId = 1;

export function fileVersion(since_ms: number, given: Partial<FileVersionView> = {}): FileVersionView {
  nextId += 1;
  return {
    id: `ver_${nextId}`,
    size_bytes: 2_200_000,
    mime_type: null,
    content_hash: null,
    created_at: ago(since_ms),
    created_by: "Teammate",
    created_by_you: false,
    replaced_at: ago(since_ms / 2),
    picture: null,
    is_text: false,
    ...given,
  };
}

export function designVersion(since_ms: number, given: Partial<DesignVersionView> = {}): DesignVersionView {
  nextId += 1;
  return {
    id: `ver_${nextId}`,
    page_count: 6,
    thumbnail: null,
    created_at: ago(since_ms),
    created_by: "Teammate",
    created_by_you: false,
    replaced_at: ago(since_ms / 2),
    ...given,
  };
}

/** What is in memory: by the id of what they are of. */
export interface FakeVersions {
  fileVersions: Record<string, FileVersionView[]>;
  designVersions: Record<string, DesignVersionView[]>;
  /** What each version says that is a text. */
  versionTexts: Record<string, string>;
}

export const noVersions = (): FakeVersions => ({ fileVersions: {}, designVersions: {}, versionTexts: {} });

type Answers = { [Name in Exclude<keyof Backend, "on">]: (...given: Parameters<Backend[Name]>) => unknown };
type Names =
  | "look_at_file" | "list_document_pages" | "list_file_versions" | "get_version_text" | "restore_file_version" | "save_file_version" | "list_design_versions" | "restore_design_version";

/** The commands about what files and designs hold, and held before. `missing` is what is thrown for a version that is not there. */
export function versionCommands(
  state: FakeVersions & { items: DriveItem[]; designs: DesignView[]; selected: string | null },
  missing: () => Problem,
): Pick<Answers, Names> {
  const connection_id = () => state.selected ?? "";
  /** Takes a version out of a list and puts what was there before in front of it. */
  const swap = <V extends { id: string; replaced_at: string | null }>(list: V[], id: string): { list: V[]; undo: string } => {
    const found = list.find((each) => each.id === id);
    if (!found) throw missing();
    const undo = `ver_${(nextId += 1)}`;
    return { list: [{ ...found, id: undo, replaced_at: ago(0) }, ...list.filter((each) => each.id !== id)], undo };
  };
  return {
    look_at_file: (id) => {
      const found = state.items.find((each) => each.id === id);
      const says = /\.(txt|md)$/u.test(found?.name ?? "");
      const words = `# ${found?.name}\n\nWarm and quiet, six slides. The oven is lit at four; the shop opens at six.`;
      return {
        file_id: id,
        picture: found?.thumbnail ?? null,
        text: says ? { text: words, is_cut: false } : null,
        mime_type: found?.mime_type ?? null,
        size_bytes: found?.size_bytes ?? null,
      };
    },
    list_document_pages: (address) => [address, `${address}/2`, `${address}/3`],
    list_file_versions: (id) => ({ connection_id: connection_id(), file_id: id, versions: state.fileVersions[id] ?? [] }),
    get_version_text: (_, id) => {
      const said = state.versionTexts[id];
      return said === undefined ? null : { text: said, is_cut: said.length > 400 };
    },
    restore_file_version: (id, version) => {
      const { list, undo } = swap(state.fileVersions[id] ?? [], version);
      state.fileVersions[id] = list;
      return { item: state.items.find((each) => each.id === id), undo_version_id: undo, versions: list };
    },
    save_file_version: (id, version) => ({
      download_id: `download_${version}`,
      file_id: id,
      version_id: version,
      name: state.items.find((each) => each.id === id)?.name ?? "",
      place: "Desktop",
      state: "finished",
      received_bytes: 1,
      size_bytes: 1,
      problem: null,
    }),
    list_design_versions: (id) => ({ connection_id: connection_id(), design_id: id, versions: state.designVersions[id] ?? [] }),
    restore_design_version: (id, version) => {
      const { list, undo } = swap(state.designVersions[id] ?? [], version);
      state.designVersions[id] = list;
      return { design: state.designs.find((each) => each.id === id), undo_version_id: undo, versions: list };
    },
  };
}
