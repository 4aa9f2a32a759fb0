/** The FAKE app's team: a small studio elsewhere, seen by one of its admins. */
import type { AuditEntryView, Backend, InvitationView, PersonView, Problem, TeamKeyView, TeamView } from "../src/backend";
import { NOW_MS } from "./fake-clock";

export interface FakeTeam {
  /** What is refused in its place, as to a member. */
  team: TeamView | Problem;
  teamLog: AuditEntryView[];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ago = (ms: number) => new Date(NOW_MS - ms).toISOString();

const person = (email: string, role: PersonView["role"], given: Partial<PersonView> = {}): PersonView => ({
  id: `user_${email}`,
  email,
  name: null,
  role,
  is_you: false,
  may_be_changed: role !== "owner",
  created_at: ago(40 * DAY_MS),
  ...given,
});

const key = (name: string, user_email: string, given: Partial<TeamKeyView> = {}): TeamKeyView => ({
  id: `ak_${name}`,
  name,
  user_email,
  created_at: ago(40 * DAY_MS),
  last_used_at: ago(2 * HOUR_MS),
  expires_at: null,
  is_admin: false,
  used_by_easel: false,
  may_be_deleted: true,
  ...given,
});

const invitation = (email: string, hours: number, given: Partial<InvitationView> = {}): InvitationView => ({
  id: `inv_${email}`,
  email,
  role: "member",
  invited_by: "ada@example.org",
  expires_at: ago(-hours * HOUR_MS),
  is_over: hours <= 0,
  ...given,
});

export const sampleTeam = (given: Partial<TeamView> = {}): TeamView => ({
  is_local: false,
  may_make_owners: false,
  people: [
    person("olga@example.org", "owner", { name: "Olga Marin" }),
    person("ada@example.org", "admin", { name: "Ada", is_you: true, may_be_changed: false }),
    person("mia@example.org", "member"),
    person("the-agency-that-does-the-print-for-us@a-rather-long-domain.example.org", "member"),
  ],
  invitations: [invitation("ben@example.org", 71), invitation("cleo@example.org", -4, { invited_by: null })],
  keys: [
    key("Easel on ada-laptop", "ada@example.org", { used_by_easel: true, may_be_deleted: false, is_admin: true }),
    key("Easel on mia-desktop", "mia@example.org", { last_used_at: null }),
    key("Website", "olga@example.org", { may_be_deleted: false, expires_at: ago(-30 * DAY_MS) }),
  ],
  limits: { requests_per_minute: 120, exports_per_minute: 10, designs_at_once: 4 },
  storage: { used_bytes: 12_300_000_000, max_bytes: 50_000_000_000, used_files: 1_204, max_files: null },
  ...given,
});

/** The studio on this computer, whose person is alone in it. */
export const localTeam = (): TeamView => ({
  is_local: true,
  may_make_owners: true,
  people: [person("owner@localhost", "owner", { is_you: true, may_be_changed: false })],
  invitations: [],
  keys: [key("Easel on this computer", "owner@localhost", { used_by_easel: true, may_be_deleted: false })],
  limits: { requests_per_minute: null, exports_per_minute: null, designs_at_once: 8 },
  storage: { used_bytes: 0, max_bytes: null, used_files: 0, max_files: null },
});

const entry = (action: string, subject: string, ms: number, actor: string | null = "ada@example.org"): AuditEntryView => ({
  at: ago(ms),
  actor,
  address: actor === null ? "command line, user 1000" : "192.0.2.7",
  action,
  subject,
});

export const sampleLog = (): AuditEntryView[] => [
  entry("user_invited", "ben@example.org", HOUR_MS),
  entry("role_changed", "mia@example.org", 5 * HOUR_MS),
  entry("item_deleted", "Summer campaign", DAY_MS, "mia@example.org"),
  entry("invitation_redeemed", "mia@example.org", 3 * DAY_MS, "mia@example.org"),
  entry("something_newer", "cvs_1", 4 * DAY_MS),
  entry("key_created", "Website", 40 * DAY_MS, null),
];

export const noTeam = (): FakeTeam => ({ team: localTeam(), teamLog: [] });

type Names =
  | "get_team"
  | "list_team_log"
  | "invite_person"
  | "revoke_invitation"
  | "change_person_role"
  | "remove_person"
  | "delete_team_key"
  | "read_invitation";

export const CODE = "easel_AQcHBwcHBwcHBwcHBwcHBwcHBwcHaHR0cHM6Ly9zdHVkaW8uZXhhbXBsZS5vcmehrF2Z";

export function teamCommands(state: FakeTeam, refuse: (given: Partial<Problem>) => Problem): {
  [Name in Names]: (...given: Parameters<Backend[Name]>) => unknown;
} {
  const seen = (): TeamView => {
    if ("code" in state.team) throw state.team;
    return state.team;
  };
  const change = (news: Partial<TeamView>) => {
    state.team = { ...seen(), ...news };
    return null;
  };
  return {
    get_team: () => seen(),
    list_team_log: (limit) => (seen(), state.teamLog.slice(0, limit)),
    invite_person: (email, role) => {
      const made = invitation(email, 72, { role });
      change({ invitations: [made, ...seen().invitations.filter((each) => each.email !== email)] });
      return { invitation: made, code: CODE };
    },
    revoke_invitation: (id) => change({ invitations: seen().invitations.filter((each) => each.id !== id) }),
    change_person_role: (id, role) =>
      change({ people: seen().people.map((each) => (each.id === id ? { ...each, role } : each)) }),
    remove_person: (id) => change({ people: seen().people.filter((each) => each.id !== id) }),
    delete_team_key: (id) => change({ keys: seen().keys.filter((each) => each.id !== id) }),
    read_invitation: (code) => {
      if (!code.includes(CODE)) throw refuse({ code: "invitation_unreadable", title: "This is not a whole invitation" });
      return { host: "studio.example.org" };
    },
  };
}
