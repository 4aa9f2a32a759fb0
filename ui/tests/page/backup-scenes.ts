/** The states of Settings › Backup that are looked at, by name. */
import type { BackupsView } from "../../src/backend";
import { problem, serviceConnection } from "../fake-backend";
import { sampleBackups } from "../fake-backups";
import { press } from "./hands";
import type { Scene } from "./scenes";

const place = () => ({ screen: "settings", section: "backup" }) as const;
const given = (news: Partial<BackupsView> = {}) => ({ backups: sampleBackups(news) });
const gaps = problem({
  code: "backup_has_gaps",
  title: "This backup is not whole",
  detail: "Missing from it: 3 items. Nothing was changed. You can restore the rest, or choose another backup.",
  action: { kind: "choose_again", label: "Choose again", target: null },
});

export const BACKUP_SCENES: Record<string, Scene> = {
  backup: { state: given, place },
  "backup-none": { place },
  "backup-first": {
    state: () => given({ place: { path: "/media/ada/Archive/Easel backup", is_reachable: true, backups: [] } }),
    place,
  },
  "backup-away": { state: () => given({ place: { path: "/media/ada/Archive/Easel backup", is_reachable: false, backups: [] } }), place },
  "backup-running": { state: () => given({ under_way: { stage: "backing_up", done: 412, total: 1_290, bytes: 2_100_000_000 } }), place },
  "backup-restoring": { state: () => given({ under_way: { stage: "verifying", done: 0, total: 0, bytes: 0 } }), place },
  "backup-restore": { state: given, place, after: () => press("backup-restore") },
  "backup-restored": {
    state: given,
    place,
    after: async () => {
      await press("backup-restore");
      await press("restore-confirm");
    },
  },
  "backup-gaps": {
    state: () => ({ ...given(), failing: { restore_studio: gaps } }),
    place,
    after: async () => {
      await press("backup-restore");
      await press("restore-confirm");
    },
  },
  "backup-loading": { state: () => ({ silent: ["get_backups"] }), place },
  "backup-service": { state: () => ({ connections: [serviceConnection()], selected: "service" }), place },
};
