/** What a connection is called and how it is, in the words of the catalogue. */
import type { ConnectionView } from "./backend";
import { text } from "./text";

export function connectionName(connection: ConnectionView | null): string {
  if (!connection) return text.connection.none;
  if (connection.kind === "local") return text.connection.local;
  return connection.account?.team_name ?? connection.account?.organization_name ?? connection.host;
}

export function connectionState(connection: ConnectionView | null): string {
  if (!connection) return "";
  if (connection.state === "ready") {
    if (connection.kind === "local") return text.connection.localReady;
    // A service that does not say whose key it is goes by its host already.
    return connectionName(connection) === connection.host ? text.connection.states.ready : connection.host;
  }
  if (connection.state === "needs_attention" && connection.problem) return connection.problem.title;
  return text.connection.states[connection.state];
}
