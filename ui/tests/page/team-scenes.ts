/** The states of Settings › Team and of the way in by an invitation that are looked at, by name. */
import type { Problem } from "../../src/backend";
import { problem, serviceConnection } from "../fake-backend";
import { CODE, sampleLog, sampleTeam } from "../fake-team";
import { press, settle } from "./hands";
import type { Scene } from "./scenes";

const place = () => ({ screen: "settings", section: "team" }) as const;
const elsewhere = () => ({ connections: [serviceConnection()], selected: "service", team: sampleTeam(), teamLog: sampleLog() });
const refused = (given: Partial<Problem>) => () => ({ ...elsewhere(), team: problem(given) });
const first = () => ({ connections: [], selected: null });

async function fill(testId: string, value: string) {
  await settle();
  const field = document.querySelector<HTMLInputElement>(`[data-testid="${testId}"]`);
  if (!field) return;
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  await settle(50);
}

export const TEAM_SCENES: Record<string, Scene> = {
  team: { state: elsewhere, place },
  "team-local": { place },
  "team-loading": { state: () => ({ ...elsewhere(), silent: ["get_team"] }), place },
  "team-member": {
    state: refused({
      code: "team_not_allowed",
      title: "Admins and owners manage the team",
      detail: "You are a member. Ask an admin or an owner of the team to invite somebody or to change a role.",
      action: { kind: "dismiss", label: "OK", target: null },
    }),
    place,
  },
  "team-needs-key": {
    state: refused({
      code: "team_needs_key",
      title: "This key may not manage the team",
      detail:
        'A key that may is made by whoever runs the studio, with easel-studio keys create "Team" --user ada@example.org --admin. Enter it here in place of the present one; it does everything else as well.',
      action: { kind: "enter_key", label: "Enter a key", target: "service" },
    }),
    place,
  },
  "team-not-offered": {
    state: refused({
      code: "not_offered",
      title: "This service does not manage its team in Easel",
      detail: "People, keys and invitations are managed where the service is, by whoever runs it.",
      action: { kind: "dismiss", label: "OK", target: null },
    }),
    place,
  },
  "team-invite": { state: elsewhere, place, after: () => press("team-invite") },
  "team-invited": {
    state: elsewhere,
    place,
    after: async () => {
      await press("team-invite");
      await fill("invite-email", "zoe@example.org");
      await press("invite-confirm");
    },
  },
  "team-remove": { state: elsewhere, place, after: () => press("team-remove") },
  invited: { state: first, after: () => press("welcome-invited") },
  "invited-pasted": {
    state: first,
    after: async () => {
      await press("welcome-invited");
      await fill("invited-code", CODE);
    },
  },
  "invited-refused": {
    state: () => ({
      ...first(),
      failing: {
        redeem_invitation: problem({
          code: "invitation_refused",
          title: "This invitation does not open anything any more",
          detail:
            "It was used, revoked, or is older than 72 hours; or the studio never made it. Ask whoever invited you for a new one.",
          action: { kind: "edit_name", label: "Choose another name", target: null },
        }),
      },
    }),
    after: async () => {
      await press("welcome-invited");
      await fill("invited-code", CODE);
      await press("invited-submit");
    },
  },
};
