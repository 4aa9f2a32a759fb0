/** The states in which the doctor's dialog and the receiver are looked at, by name. */
import type { SignatureFinding } from "../../src/backend";
import { doctor } from "../../src/state/doctor.svelte";
import { receiver } from "../../src/state/receiver.svelte";
import type { Place } from "../../src/state/route.svelte";
import { LISTENING_AT, noWebhooks, received } from "../fake-webhooks";
import { press, settle } from "./hands";
import type { Scene } from "./scenes";

const webhooks = (): Place => ({ screen: "developer", tab: "webhooks" });
const listen = (): Place => ({ screen: "developer", tab: "listen" });
const finding = (part: SignatureFinding["part"], fault: SignatureFinding["fault"], given: Partial<SignatureFinding> = {}): SignatureFinding => ({
  part,
  fault,
  amount: null,
  quoted: null,
  ...given,
});
const pasted = {
  headers: [
    { name: "X-Webhook-Timestamp", value: "1795165920" },
    { name: "X-Webhook-Signature", value: `v1=${"7c0b52f1".repeat(8)}` },
  ],
  body: '{"id":"evt_01","type":"task.succeeded","data":{"id":"task_01","status":"succeeded"}}\n',
};
const examined = async () => {
  await settle();
  doctor.show(pasted);
  doctor.secret = "whsec_example";
  await settle();
  await press("doctor-examine");
};
const listening = () => ({
  receiver: {
    ...noWebhooks().receiver,
    address: LISTENING_AT,
    takes_own_tasks: true,
    received: [
      received({ number: 4, state: "not_verified" as const, event_type: "task.failed" }),
      received({ number: 3, is_repeat: true }),
      received({ number: 2 }),
      received({ number: 1, state: "not_checked" as const, event_type: "" }),
    ],
  },
});

export const WEBHOOK_SCENES: Record<string, Scene> = {
  doctor: {
    place: webhooks,
    after: async () => {
      await settle();
      doctor.show();
    },
  },
  "doctor-good": { place: webhooks, after: examined },
  "doctor-mendable": {
    state: () => ({
      diagnosis: {
        verdict: "mendable",
        findings: [
          finding("timestamp", "timestamp_too_old", { amount: 4_200 }),
          finding("body", "body_with_more_lines"),
          finding("delivery", "delivery_repeated", { amount: 3, quoted: "evt_01jd4q2kf8" }),
        ],
        event_id: "evt_01jd4q2kf8",
      },
    }),
    place: webhooks,
    after: examined,
  },
  listen: { place: listen },
  "listen-waiting": { state: () => ({ receiver: { ...listening().receiver, received: [] } }), place: listen },
  "listen-full": { state: listening, place: listen },
  "listen-open": {
    state: listening,
    place: listen,
    after: async () => {
      await settle();
      await receiver.open(4);
    },
  },
};
