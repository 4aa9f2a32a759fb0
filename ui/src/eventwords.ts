/** What the event of a webhook is called. */
import { text } from "./text";

/** In words where the type is known, else the type itself; what came without one says so. */
export function eventName(type: string): string {
  return type === "" ? text.receiver.noEvent : (text.webhooks.types[type] ?? type);
}
