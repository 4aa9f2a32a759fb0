/**
 * The one seam between the page and the rest of Easel.
 *
 * Everything else in the page speaks to `backend()`; no other file imports `@tauri-apps/*` or the generated bindings.
 * A command either answers or rejects with a `Problem`; whatever else goes wrong on the way (the window's own bridge
 * failing) is turned into one by `problemFrom`, so that a screen has one kind of failure to show.
 */
import { text } from "../text";
import { commands, events, type Problem } from "./bindings";

export type * from "./bindings";
export { default_settings } from "./bindings";

/** Ends a subscription. */
export type Unlisten = () => void;

type Settled = { status: "ok"; data: unknown } | { status: "error"; error: unknown };
type Answer<Result> = Extract<Result, { status: "ok" }> extends { data: infer Data } ? Data : never;

/** Every command by the name that it has in the app, answering plainly or rejecting with a {@link Problem}. */
export type Commands = {
  [Name in keyof typeof commands]: (
    ...given: Parameters<(typeof commands)[Name]>
  ) => Promise<Answer<Awaited<ReturnType<(typeof commands)[Name]>>>>;
};

/** What comes with each event. */
export type Events = {
  [Name in keyof typeof events]: Parameters<Parameters<(typeof events)[Name]["listen"]>[0]>[0]["payload"];
};

export type EventName = keyof Events;

export interface Backend extends Commands {
  /** Calls `handler` for every event of this name until the returned function is called. */
  on<Name extends EventName>(name: Name, handler: (event: Events[Name]) => void): Promise<Unlisten>;
}

/** The app around this page. */
export function appBackend(): Backend {
  const unwrapped = Object.entries(commands).map(([name, command]) => [
    name,
    async (...given: unknown[]) => {
      const settled = await (command as (...given: unknown[]) => Promise<Settled>)(...given);
      if (settled.status === "error") throw settled.error;
      return settled.data;
    },
  ]);
  return {
    ...(Object.fromEntries(unwrapped) as Commands),
    on: (name, handler) => events[name].listen((event) => handler(event.payload as Events[typeof name])),
  };
}

let inUse: Backend | null = null;

/** The backend in use. */
export function backend(): Backend {
  if (!inUse) throw new Error("useBackend comes before the first screen");
  return inUse;
}

/** Chooses the backend: the app around this page, or a fake one in a test. */
export function useBackend(chosen: Backend): void {
  inUse = chosen;
}

/** Whatever was thrown, as a problem to show. */
export function problemFrom(thrown: unknown): Problem {
  if (typeof thrown === "object" && thrown !== null && "code" in thrown && "title" in thrown && "action" in thrown) {
    return thrown as Problem;
  }
  // The bridge itself failed. Its text is for the person who mends it, not for the one who reads the screen.
  console.error("a command failed outside its own errors", thrown);
  return {
    code: "window_bridge_failed",
    ...text.unexpected,
    action: { kind: "try_again", label: text.common.retry, target: null },
    request_id: null,
  };
}
