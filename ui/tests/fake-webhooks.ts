/**
 * The FAKE backend's part for webhooks as a developer receives them: the signature doctor and the receiver on this computer.
 * Like the rest of it, for component tests and the dev page only.
 */
import type { Backend, ReceivedState, ReceivedView, ReceiverView, SignatureDiagnosis } from "../src/backend";
import { NOW_MS } from "./fake-clock";

export function received(given: Partial<ReceivedView> = {}): ReceivedView {
  const number = given.number ?? 1;
  return {
    number,
    received_at: new Date(NOW_MS - number * 1000).toISOString(),
    state: "verified",
    event_id: `evt_${number}`,
    event_type: "task.succeeded",
    is_repeat: false,
    ...given,
  };
}

/** What is in memory. */
export interface FakeWebhooks {
  receiver: ReceiverView;
  diagnosis: SignatureDiagnosis;
}

export const noWebhooks = (): FakeWebhooks => ({
  receiver: { offer: "offered", address: null, has_secret: false, takes_own_tasks: false, received: [], dropped: 0 },
  diagnosis: { verdict: "good", findings: [], event_id: null },
});

export const LISTENING_AT = "http://127.0.0.1:41874/5f0c1d2e3a4b5c6d7e8f90a1b2c3d4e5";

type Answers = { [Name in Exclude<keyof Backend, "on">]: (...given: Parameters<Backend[Name]>) => unknown };
type Names =
  | "examine_signature" | "get_receiver" | "start_receiver" | "stop_receiver" | "set_receiver_secret"
  | "set_receiver_takes_own_tasks" | "clear_receiver" | "get_received";

export function webhookCommands(state: FakeWebhooks, missing: () => unknown): Pick<Answers, Names> {
  const set = (news: Partial<ReceiverView>) => (state.receiver = { ...state.receiver, ...news });
  return {
    examine_signature: () => state.diagnosis,
    get_receiver: () => state.receiver,
    start_receiver: () => set({ address: LISTENING_AT, takes_own_tasks: true }),
    stop_receiver: () => set({ address: null, has_secret: false, takes_own_tasks: false, received: [], dropped: 0 }),
    set_receiver_secret: (secret) => {
      const judged: ReceivedState = secret === "" ? "not_checked" : "verified";
      return set({ has_secret: secret !== "", received: state.receiver.received.map((each) => ({ ...each, state: judged })) });
    },
    set_receiver_takes_own_tasks: (takes) => set({ takes_own_tasks: takes }),
    clear_receiver: () => set({ received: [], dropped: 0 }),
    get_received: (number) => {
      const found = state.receiver.received.find((each) => each.number === number);
      if (!found) throw missing();
      return {
        received: found,
        headers: [
          { name: "x-webhook-timestamp", value: "1795165920" },
          { name: "x-webhook-signature", value: "v1=7c0b52f1d9" },
        ],
        body: JSON.stringify({ id: found.event_id, type: found.event_type }),
        diagnosis:
          found.state === "not_checked"
            ? null
            : found.state === "verified"
              ? { verdict: "good", findings: [], event_id: found.event_id }
              : { verdict: "no_match", findings: [{ part: "secret", fault: "secret_wrong", amount: null, quoted: null }], event_id: found.event_id },
      };
    },
  };
}
