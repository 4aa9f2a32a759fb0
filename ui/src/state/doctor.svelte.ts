/**
 * The signature doctor's consulting room: what was pasted, and what was found.
 *
 * Nothing of it outlives its dialog. Not here: what is wrong with a signature; the app says that.
 */
import { backend, problemFrom, type HeaderView, type Problem, type SignatureDiagnosis } from "../backend";

class Doctor {
  open = $state(false);
  headers = $state("");
  body = $state("");
  secret = $state("");
  busy = $state(false);
  diagnosis = $state.raw<SignatureDiagnosis | null>(null);
  problem = $state.raw<Problem | null>(null);
  #log = $state.raw<{ headers: string; body: string } | null>(null);

  /** Headers and body are still those that a delivery filled in. */
  fromLog = $derived(this.#log !== null && this.#log.headers === this.headers && this.#log.body === this.body);

  show(delivery?: { headers: readonly HeaderView[]; body: string }): void {
    this.#forget();
    if (delivery) {
      this.headers = delivery.headers.map(({ name, value }) => `${name}: ${value}`).join("\n");
      this.body = delivery.body;
      this.#log = { headers: this.headers, body: this.body };
    }
    this.open = true;
  }

  close(): void {
    this.open = false;
    this.#forget();
  }

  async examine(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      const { headers, body, secret, fromLog } = this;
      const diagnosis = await backend().examine_signature({ headers, body, secret, is_from_log: fromLog });
      if (!this.open) return;
      this.diagnosis = diagnosis;
      this.problem = null;
    } catch (thrown) {
      this.problem = problemFrom(thrown);
    } finally {
      this.busy = false;
    }
  }

  #forget(): void {
    this.headers = "";
    this.body = "";
    this.secret = "";
    this.#log = null;
    this.diagnosis = null;
    this.problem = null;
  }
}

export const doctor = new Doctor();
