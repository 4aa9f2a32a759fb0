/** The states of a copy of the studio that are looked at, by name. */
import { localConnection, problem, serviceConnection } from "../fake-backend";
import { sampleBackups } from "../fake-backups";
import { sampleMigration } from "../fake-migration";
import { press } from "./hands";
import type { Scene } from "./scenes";

const place = () => ({ screen: "settings", section: "backup" }) as const;
const both = () => ({ backups: sampleBackups(), connections: [localConnection(), serviceConnection()] });
const away = problem({
  code: "service_unreachable",
  title: "The service cannot be reached",
  detail: "Nothing answers at studio.example. What was on its way waits.",
  action: { kind: "try_again", label: "Try again", target: null },
});

export const MIGRATION_SCENES: Record<string, Scene> = {
  migration: { state: both, place },
  "migration-dialog": { state: both, place, after: () => press("migration-open") },
  "migration-counting": { state: () => ({ ...both(), silent: ["preview_migration"] }), place, after: () => press("migration-open") },
  "migration-away": { state: () => ({ ...both(), failing: { preview_migration: away } }), place, after: () => press("migration-open") },
  "migration-running": { state: () => ({ ...both(), migration: sampleMigration() }), place },
  "migration-done": { state: () => ({ ...both(), migration: sampleMigration({ state: "done", done: 1_318, total: 1_320, failed: 2 }) }), place },
  "migration-broken": { state: () => ({ ...both(), migration: sampleMigration({ state: "failed", problem: away }) }), place },
};
