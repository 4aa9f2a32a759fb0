/** A link that opened Easel. It is shown, and does nothing without a click. */
import { backend, type LinkView } from "../backend";
import { connections } from "./connection.svelte";
import { attempt } from "./remedies.svelte";
import { route } from "./route.svelte";

class Links {
  open = $state.raw<LinkView | null>(null);

  async take(): Promise<void> {
    await attempt(async () => {
      this.open = (await backend().take_link()) ?? this.open;
    });
  }

  /** Goes where the link leads, in the connection that it is about. */
  async follow({ target, connection_id }: LinkView): Promise<void> {
    this.open = null;
    if (connection_id !== null && connection_id !== connections.selectedId && !(await attempt(() => connections.select(connection_id)))) return;
    if (target.code === "design") route.go({ screen: "design", designId: target.design_id });
    else if (target.code === "folder") route.go({ screen: "drive", folderId: target.folder_id });
    else if (target.code === "file") route.go({ screen: "drive", folderId: null, selectId: target.file_id });
  }
}

export const links = new Links();
