/** The team of the studio in view. The code of a new invitation is never kept here: the dialog that shows it holds it. */
import {
  backend,
  problemFrom,
  type AuditEntryView,
  type InvitationView,
  type MadeInvitationView,
  type PersonView,
  type Problem,
  type TeamKeyView,
  type TeamRole,
  type TeamView,
} from "../backend";

/** Entries of the log that are asked for at first, and more each time. */
const ENTRIES = 25;
const MOST_ENTRIES = 1_000;

class Team {
  view = $state.raw<TeamView | null>(null);
  problem = $state.raw<Problem | null>(null);
  log = $state.raw<AuditEntryView[]>([]);
  /** There may be entries before those. */
  hasMore = $state(false);
  #entries = ENTRIES;
  /** Counts the questions, so that a late answer about another connection is not shown. */
  #asked = 0;

  forget(): void {
    this.#asked += 1;
    this.view = null;
    this.problem = null;
    this.log = [];
    this.hasMore = false;
    this.#entries = ENTRIES;
  }

  /** Asks anew, for a connection that came into view. */
  async begin(): Promise<void> {
    this.forget();
    await this.load();
  }

  async load(): Promise<void> {
    const asked = (this.#asked += 1);
    this.problem = null;
    try {
      const view = await backend().get_team();
      const log = await backend().list_team_log(this.#entries);
      if (asked !== this.#asked) return;
      this.view = view;
      this.log = log;
      this.hasMore = log.length === this.#entries && this.#entries < MOST_ENTRIES;
    } catch (thrown) {
      if (asked !== this.#asked) return;
      this.view = null;
      this.problem = problemFrom(thrown);
    }
  }

  async showMore(): Promise<void> {
    this.#entries = Math.min(this.#entries * 4, MOST_ENTRIES);
    await this.load();
  }

  async invite(email: string, role: TeamRole): Promise<MadeInvitationView> {
    const made = await backend().invite_person(email, role);
    await this.load();
    return made;
  }

  revoke = (invitation: InvitationView) => this.#change(() => backend().revoke_invitation(invitation.id));
  setRole = (person: PersonView, role: TeamRole) => this.#change(() => backend().change_person_role(person.id, role));
  remove = (person: PersonView) => this.#change(() => backend().remove_person(person.id));
  deleteKey = (key: TeamKeyView) => this.#change(() => backend().delete_team_key(key.id));

  /** Looks again also where the change failed: what was shown may not be so any more. */
  async #change(change: () => Promise<unknown>): Promise<void> {
    try {
      await change();
    } finally {
      await this.load();
    }
  }
}

export const team = new Team();
