/** What the signature doctor found, in words. */
import type { SignatureFinding } from "./backend";
import { text } from "./text";

/** A title and what to do about it; a fault that this page does not know yet is named as it came. */
export function findingWords(finding: Pick<SignatureFinding, "amount" | "quoted"> & { fault: string }): { title: string; detail: string } {
  const words = text.doctor.faults[finding.fault];
  const say = (part: NonNullable<typeof words>["title"]) => (typeof part === "function" ? part(finding) : part);
  return words ? { title: say(words.title), detail: say(words.detail) } : { title: finding.fault, detail: "" };
}
