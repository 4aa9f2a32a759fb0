/** Lists that news overtake, as pages see it where an answer takes its time. */
import { beforeEach, describe, expect, it } from "vitest";
import { Asking } from "../src/state/asking";

let asking: Asking<string>;
let answer: Map<string, { take: (rows: string) => void; fail: (reason: Error) => void }>;

beforeEach(() => {
  asking = new Asking();
  answer = new Map();
});

function ask(name: string) {
  return asking.ask(() => new Promise<string>((take, fail) => answer.set(name, { take, fail })));
}

describe("an answer", () => {
  it("comes with the news that were told while it was under way, and no others", async () => {
    asking.tell("before");
    const first = ask("first");
    asking.tell("one");
    const second = ask("second");
    asking.tell("two");
    answer.get("first")?.take("rows");
    expect(await first).toEqual({ answer: "rows", told: ["one", "two"] });
    asking.tell("three");
    answer.get("second")?.take("rows");
    expect(await second).toEqual({ answer: "rows", told: ["two", "three"] });
  });

  it("is none where a later question was answered first", async () => {
    const [first, second] = [ask("first"), ask("second")];
    answer.get("second")?.take("new");
    expect((await second)?.answer).toBe("new");
    answer.get("first")?.take("old");
    expect(await first).toBeNull();
  });

  it("is none where nobody waits for it any more, and neither is its failure", async () => {
    const [first, second] = [ask("first"), ask("second")];
    asking.forget();
    answer.get("first")?.take("rows");
    answer.get("second")?.fail(new Error("gone"));
    expect(await Promise.all([first, second])).toEqual([null, null]);
    const third = ask("third");
    answer.get("third")?.fail(new Error("offline"));
    await expect(third).rejects.toThrow("offline");
  });
});
