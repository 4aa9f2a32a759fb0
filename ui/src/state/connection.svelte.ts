/**
 * The services that Easel is connected to, and which of them is in view.
 *
 * What is known comes from the app: whole at the start, then by event. Not here: keys. A key that a person types goes
 * straight to the app with the draft and is held by the form alone.
 */
import {
  backend,
  type ConnectionDraft,
  type ConnectionView,
  type InvitationDraft,
  type Overview,
  type Problem,
  type ServiceFeature,
  type ServiceLack,
} from "../backend";

/** The code of a problem that is none: the service in view does not have what was asked for, and the rest goes on. */
export const NOT_OFFERED = "not_offered";

class ConnectionStore {
  /** False until the app has answered once. */
  loaded = $state(false);
  loadProblem = $state.raw<Problem | null>(null);
  all = $state.raw<ConnectionView[]>([]);
  selectedId = $state<string | null>(null);
  /** Counts how often what is in view became another drive without becoming another connection. */
  turn = $state(0);
  appVersion = $state("");
  /** The last message about the keychain; goes when the key is kept, or when the person closes it. */
  keyStoreProblem = $state.raw<Problem | null>(null);

  current = $derived(this.all.find((each) => each.id === this.selectedId) ?? null);

  /** What the service in view was seen to lack, in words; `null` where it has it, or where that is not known. */
  lack(feature: ServiceFeature): ServiceLack | null {
    return this.current?.service.lacks.find((each) => each.feature === feature) ?? null;
  }

  start(overview: Overview): void {
    this.all = overview.connections;
    this.selectedId = overview.selected_connection_id;
    this.appVersion = overview.app_version;
    this.loadProblem = null;
    this.loaded = true;
  }

  /** Takes a connection's news in, or the connection itself where it is new. */
  update(connection: ConnectionView): void {
    const known = this.all.some((each) => each.id === connection.id);
    this.all = known
      ? this.all.map((each) => (each.id === connection.id ? connection : each))
      : [...this.all, connection];
    if (connection.key_kept === "keychain" && connection.id === this.selectedId) this.keyStoreProblem = null;
  }

  /** What is in view is another drive from now on, as after a backup was restored. */
  startAnew(): void {
    this.turn += 1;
  }

  async startLocal(keepForSession = false): Promise<ConnectionView> {
    return this.#enter(await backend().start_local_studio(keepForSession));
  }

  async connect(draft: ConnectionDraft): Promise<ConnectionView> {
    const connection = await backend().connect_service(draft);
    // Corrected to one that was there already: the other has no use any more, and the app has removed it.
    const superfluous = draft.corrects !== connection.id ? draft.corrects : null;
    this.all = this.all.filter((each) => each.id !== superfluous);
    return this.#enter(connection);
  }

  async redeem(draft: InvitationDraft): Promise<ConnectionView> {
    return this.#enter(await backend().redeem_invitation(draft));
  }

  async replaceKey(id: string, key: string, keepForSession: boolean): Promise<ConnectionView> {
    const connection = await backend().replace_key(id, key, keepForSession);
    this.update(connection);
    return connection;
  }

  async select(id: string): Promise<void> {
    this.#enter(await backend().select_connection(id));
  }

  async remove(id: string): Promise<void> {
    await backend().remove_connection(id);
    this.all = this.all.filter((each) => each.id !== id);
    if (this.selectedId === id) this.selectedId = this.all[0]?.id ?? null;
  }

  /** Forgets what was found out about the service, so that everything is tried again. */
  async forgetCapabilities(id: string): Promise<void> {
    this.update(await backend().forget_capabilities(id));
  }

  /** Asks the service again now. */
  async retry(id: string): Promise<void> {
    this.update(await backend().retry_connection(id));
  }

  #enter(connection: ConnectionView): ConnectionView {
    this.update(connection);
    this.selectedId = connection.id;
    return connection;
  }
}

export const connections = new ConnectionStore();
