import { beforeEach, describe, expect, it, vi } from "vitest";
import { useBackend } from "../src/backend";
import { gridKey } from "../src/gridkeys";
import { connections } from "../src/state/connection.svelte";
import { description } from "../src/state/describe.svelte";
import { design } from "../src/state/design.svelte";
import { designs, PAGE } from "../src/state/designs.svelte";
import { exports } from "../src/state/exports.svelte";
import { route } from "../src/state/route.svelte";
import { elapsed_ms, tasks } from "../src/state/tasks.svelte";
import { toasts } from "../src/state/toasts.svelte";
import { fakeBackend, type FakeBackend, problem } from "./fake-backend";
import { NOW_MS } from "./fake-clock";
import { design as made, exported, sampleDesigns, task } from "./fake-designs";

let fake: FakeBackend;
const called = (name: string) => fake.calls.filter((call) => call[0] === name).map((call) => call.slice(1));
const names = () => designs.list?.map((each) => each.name);
const said = () => toasts.list.map((toast) => toast.text);

function begin(state: Parameters<typeof fakeBackend>[0] = {}) {
  fake = fakeBackend(state);
  useBackend(fake);
}

beforeEach(() => {
  for (const each of [designs, tasks, exports]) each.forget();
  description.clear();
  description.forget();
  description.format = null;
  connections.selectedId = "local";
  route.reset({ screen: "designs" });
  for (const toast of toasts.list) toasts.dismiss(toast.id);
});

describe("the gallery", () => {
  const many = () => Array.from({ length: PAGE + 15 }, (_, index) => made(`Design ${index}`, index));

  it("asks for a part at a time, and each part once", async () => {
    begin({ designs: many() });
    await designs.load();
    expect(designs.list).toHaveLength(PAGE);
    await Promise.all([designs.loadMore(), designs.loadMore()]);
    expect(designs.list).toHaveLength(PAGE + 15);
    await designs.loadMore();
    expect(called("list_designs")).toHaveLength(2);
  });

  it("keeps what is shown when news come", async () => {
    begin({ designs: many() });
    await designs.load();
    await designs.loadMore();
    await designs.load();
    expect(designs.list).toHaveLength(PAGE + 15);
  });

  it("looks for what was typed last, whichever answer comes first", async () => {
    vi.useFakeTimers();
    try {
      begin({ designs: sampleDesigns() });
      const slow = designs.load();
      designs.search("aut");
      designs.search("autumn");
      await vi.runAllTimersAsync();
      await slow;
      expect(names()).toEqual(["Autumn launch, take 2", "Autumn launch"]);
      expect(called("list_designs").map(([query]) => query)).toEqual(["", "autumn"]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("says why it could not be listed, and keeps what it shows", async () => {
    begin({ designs: sampleDesigns() });
    await designs.load();
    fake.state.failing = { list_designs: problem() };
    await designs.load();
    expect(designs.problem?.code).toBe("unreachable");
    expect(designs.list).toHaveLength(11);
  });

  it("is empty only where nothing was looked for", async () => {
    begin();
    await designs.load();
    expect(designs.empty).toBe(true);
    designs.query = "zebra";
    expect(designs.empty).toBe(false);
  });
});

describe("a remix", () => {
  beforeEach(async () => {
    begin({ designs: sampleDesigns() });
    await designs.load();
  });
  const source = () => {
    const found = designs.list?.[1];
    if (!found) throw new Error("the gallery is empty");
    return found;
  };

  it("shows a copy at once, before the service has answered, and the copy itself after", async () => {
    const before = source();
    const remixed = designs.remix(before, 0);
    expect(designs.coming.map((each) => each.source.name)).toEqual(["Autumn launch"]);
    await remixed;
    expect(designs.coming).toEqual([]);
    expect(names()?.[0]).toBe("Autumn launch (2)");
    expect(designs.fresh.has(designs.list?.[0]?.id ?? "")).toBe(true);
    expect(designs.total).toBe(12);
  });

  it("makes one copy of a double click, and another one of a later click", async () => {
    await Promise.all([designs.remix(source(), 1_000), designs.remix(source(), 1_180)]);
    expect(called("remix_design")).toHaveLength(1);
    const again = designs.list?.find((each) => each.name === "Autumn launch");
    if (again) await designs.remix(again, 2_500);
    expect(called("remix_design")).toHaveLength(2);
  });

  it("takes the copy back where the service refuses, and says why", async () => {
    fake.state.failing = { remix_design: problem({ title: "This design is no longer there" }) };
    await designs.remix(source(), 0);
    expect(designs.coming).toEqual([]);
    expect(names()).toHaveLength(11);
    expect(said()).toEqual(["This design is no longer there"]);
  });

  it("with words becomes a task that can be watched", async () => {
    await designs.remixWithWords(source(), "In green");
    expect(called("remix_design")).toEqual([[source().id, "In green"]]);
    expect(tasks.making.map((each) => each.title)).toEqual(["In green"]);
    toasts.list[0]?.action?.run();
    expect(route.place).toEqual({ screen: "activity", tab: "tasks" });
  });

  it("is announced where there is no gallery to see it in", async () => {
    route.go({ screen: "design", designId: source().id });
    await designs.remix(source(), 0);
    expect(said()).toEqual(["Autumn launch (2) is ready"]);
  });
});

describe("a name", () => {
  it("is shown at once, and put back where the service says no", async () => {
    begin({ designs: sampleDesigns() });
    await designs.load();
    const [first] = designs.list ?? [];
    if (!first) throw new Error("the gallery is empty");
    await design.open(first.id);
    const refusal = problem({ code: "canvas_name_conflict" });
    fake.state.failing = { rename_design: refusal };
    const renamed = design.rename("Weekly numbers");
    expect(design.details?.design.name).toBe("Weekly numbers");
    await expect(renamed).rejects.toBe(refusal);
    expect(design.details?.design.name).toBe("Autumn launch, take 2");
    expect(names()?.[0]).toBe("Autumn launch, take 2");
  });
});

describe("the open design", () => {
  it("knows its family", async () => {
    begin({ designs: sampleDesigns() });
    const [copy, source] = fake.state.designs;
    await design.open(source?.id ?? "");
    expect(design.details?.remixes.map((each) => each.name)).toEqual(["Autumn launch, take 2"]);
    await design.open(copy?.id ?? "");
    expect(design.details?.source?.name).toBe("Autumn launch");
  });

  it("turns its pages and stops at both ends", async () => {
    begin({ designs: sampleDesigns() });
    await design.open(fake.state.designs[1]?.id ?? "");
    design.turn(-1);
    expect(design.index).toBe(0);
    design.turn(4);
    design.turn(4);
    expect(design.index).toBe(5);
  });

  it.each([
    [41, 1, 50],
    [41, -1, 25],
    [100, 1, 150],
    [400, 1, 400],
    [10, -1, 10],
  ])("in %i percent, %i step leads to %i", (shown, step, expected) => {
    design.zoom = null;
    design.zoomBy(step as 1 | -1, shown);
    expect(design.zoom).toBe(expected);
  });

  it("takes the answer of the design that is open, not of one that was", async () => {
    begin({ designs: sampleDesigns() });
    const [copy, source] = fake.state.designs;
    const slow = design.open(copy?.id ?? "");
    await design.open(source?.id ?? "");
    await slow;
    expect(design.details?.design.id).toBe(source?.id);
  });
});

describe("describing a design", () => {
  beforeEach(() => begin());

  it("asks the service for what the chips say", async () => {
    description.prompt = " A poster for the opening night ";
    description.toggle("poster");
    description.kitId = "";
    expect(await description.make()).toBe(true);
    const [[draft]] = called("describe_design") as [[Record<string, unknown>]];
    expect(draft).toMatchObject({
      prompt: "A poster for the opening night",
      format: { category: "other", width: 1240, height: 1754, label: "Poster" },
      brand_kit_id: null,
      skip_brand_kit: true,
      attachment_ids: [],
    });
    expect(description.prompt).toBe("");
    expect(tasks.making).toHaveLength(1);
  });

  it("asks for words before it asks the service", async () => {
    expect(await description.make()).toBe(false);
    expect(description.asked).toBe(true);
    expect(called("describe_design")).toEqual([]);
  });

  it("keeps the words where it could not be begun", async () => {
    fake.state.failing = { describe_design: problem() };
    description.prompt = "A poster";
    expect(await description.make()).toBe(false);
    expect(description.prompt).toBe("A poster");
  });

  it("takes files along, those on their way too, but none that failed", async () => {
    const file = { size_bytes: 10, sent_bytes: 0, problem: null };
    description.attach([
      { ...file, id: "transfer_1", name: "a.png", state: "sending" },
      { ...file, id: "transfer_2", name: "b.png", state: "failed" },
      { ...file, id: "file_3", name: "c.png", state: "ready" },
    ]);
    description.attach([{ ...file, id: "transfer_1", name: "a.png", state: "ready", sent_bytes: 10 }]);
    expect(description.attachments.map((each) => each.state)).toEqual(["ready", "failed", "ready"]);
    description.prompt = "A poster";
    await description.make();
    expect(called("describe_design")[0]?.[0]).toMatchObject({ attachment_ids: ["transfer_1", "file_3"] });
    expect(description.attachments).toEqual([]);
  });
});

describe("tasks", () => {
  it("tell once that a design was made, and the gallery looks again", async () => {
    begin({ tasks: [task({ id: "task_a", state: "running" })], designs: sampleDesigns() });
    await Promise.all([tasks.load(), designs.load()]);
    const done = task({ id: "task_a", state: "succeeded", design_id: "cvs_new" });
    tasks.apply([done]);
    tasks.apply([done]);
    expect([...designs.fresh]).toEqual(["cvs_new"]);
    expect(tasks.making).toEqual([]);
  });

  it("stay over where the list was asked for before they ended", async () => {
    begin({ tasks: [task({ id: "task_a", state: "queued" }), task({ id: "task_b", state: "succeeded" })] });
    const asked = tasks.load();
    tasks.apply([task({ id: "task_a", state: "succeeded" }), task({ id: "task_b", state: "running" })]);
    await asked;
    expect(tasks.unfinished).toEqual([]);
  });

  it("are drawn once, though one began while the list was asked for and came as both", async () => {
    const begun = task({ id: "here_a", task_id: "task_s", state: "running" });
    begin({ tasks: [task({ id: "here_a", task_id: null, state: "queued" }), begun] });
    await tasks.load();
    expect(tasks.unfinished).toEqual([begun]);
  });

  it("are shown once, though the service lists one before the app knows it for its own", async () => {
    const listed = task({ id: "task_s", task_id: "task_s", state: "queued" });
    begin({ tasks: [task({ id: "here_a", task_id: null, state: "queued" }), listed] });
    await tasks.load();
    expect(tasks.unfinished).toHaveLength(2);
    tasks.apply([task({ id: "here_a", task_id: "task_s", state: "succeeded" })]);
    expect(tasks.list?.map((each) => [each.id, each.state])).toEqual([["here_a", "succeeded"]]);
  });

  it("are shown once, though both ways of knowing one come with the same news", () => {
    const seen = task({ id: "task_s", task_id: "task_s", state: "running" });
    tasks.apply([seen, task({ id: "here_a", task_id: "task_s", state: "succeeded" })]);
    expect(tasks.list?.map((each) => [each.id, each.state])).toEqual([["here_a", "succeeded"]]);
  });

  it("stay over where older news comes after their end, and begin again where the service never had them", async () => {
    begin({ tasks: [task({ id: "task_a", task_id: "task_a", state: "succeeded" }), task({ id: "here_b", task_id: null, state: "failed" })] });
    await tasks.load();
    tasks.apply([task({ id: "task_a", task_id: "task_a", state: "running" }), task({ id: "here_b", task_id: null, state: "queued" })]);
    expect(tasks.unfinished.map((each) => each.id)).toEqual(["here_b"]);
  });

  it("need the person where one failed before their eyes, until it was looked at", async () => {
    begin({ tasks: [task({ id: "task_a", state: "running" }), task({ id: "task_old", state: "failed" })] });
    await tasks.load();
    expect(tasks.failed).toEqual([]);
    tasks.apply([task({ id: "task_a", state: "failed", retryable: true })]);
    expect(tasks.failed.map((each) => each.id)).toEqual(["task_a"]);
    tasks.seen();
    expect(tasks.failed).toEqual([]);
  });

  it("stop at once on the screen, and go on where the service says no", async () => {
    begin({ tasks: [task({ id: "task_a", state: "running" })], failing: { cancel_task: problem() } });
    await tasks.load();
    const [running] = tasks.list ?? [];
    if (!running) throw new Error("there is no task");
    const canceled = tasks.cancel(running);
    expect(tasks.list?.[0]?.canceling).toBe(true);
    await canceled;
    expect(tasks.list?.[0]?.canceling).toBe(false);
  });

  it("show a change of a design, but not as a design of its own", () => {
    tasks.apply([task({ id: "task_e", edits: true, state: "running" }), task({ id: "task_r", kind: "remix", state: "queued" })]);
    expect(tasks.unfinished).toHaveLength(2);
    expect(tasks.making.map((each) => each.id)).toEqual(["task_r"]);
  });

  const begun = new Date(NOW_MS - 14_000).toISOString();
  it.each([
    ["runs for as long as it has", task({ state: "running", started_at: begun }), 14_000],
    ["waits since it was asked for", task({ state: "queued", created_at: begun }), 14_000],
    ["took what it took", task({ state: "succeeded", started_at: begun, finished_at: new Date(NOW_MS - 4_000).toISOString() }), 10_000],
    ["was never begun", task({ state: "canceled", started_at: null, finished_at: begun }), null],
    ["runs on a clock that is ahead", task({ state: "running", started_at: new Date(NOW_MS + 2_000).toISOString() }), 0],
  ])("one that %s", (_, given, expected) => {
    expect(elapsed_ms(given, NOW_MS)).toBe(expected);
  });
});

describe("exports", () => {
  const list = (...each: ReturnType<typeof exported>[]) => ({ exports: each, waiting: 0, per_minute: 25, time_left_ms: null });

  it("say once that the file is there, and show it where it is", async () => {
    const running = exported({ id: "export_a" });
    begin({ exports: [running] });
    await exports.load();
    const finished = { ...running, state: "finished" as const, file_name: "Autumn launch.pdf", place: "Downloads" };
    exports.apply(list(finished));
    exports.apply(list(finished));
    expect(said()).toEqual(["Autumn launch.pdf is in Downloads"]);
    toasts.list[0]?.action?.run();
    expect(called("reveal_export")).toEqual([["export_a"]]);
  });

  it("that end one after the other share one message, which leads to all of them", async () => {
    const running = ["a", "b", "c"].map((id) => exported({ id: `export_${id}` }));
    begin({ exports: running });
    await exports.load();
    const done = running.map((each) => ({ ...each, state: "finished" as const, file_name: `${each.id}.pdf`, place: "Downloads" }));
    for (const count of [1, 2, 3]) exports.apply(list(...done.slice(0, count), ...running.slice(count)));
    expect(said()).toEqual(["3 exports are ready"]);
    toasts.list[0]?.action?.run();
    expect(route.place).toEqual({ screen: "activity", tab: "exports" });
  });

  it("say nothing about what was over before", () => {
    begin();
    exports.apply(list(exported({ state: "finished", file_name: "a.pdf", place: "Downloads" })));
    expect(said()).toEqual([]);
  });

  it("give the service what was chosen, and what it does by itself where nothing was", async () => {
    begin({ designs: sampleDesigns() });
    const [first] = fake.state.designs;
    if (!first) throw new Error("there is no design");
    await exports.start(first, "pdf");
    await exports.start(first, "png", "ask", { page: 2, scale: 3, flatten: true });
    expect(called("export_design")).toEqual([
      [first.id, { format: "pdf", page: null, scale: null, flatten: true }, "downloads"],
      [first.id, { format: "png", page: 2, scale: 3, flatten: true }, "ask"],
    ]);
  });
});

describe("a key in a grid of ten cards, four beside each other, on the sixth", () => {
  const place = { active: 5, count: 10, columns: 4 };
  it.each([
    ["ArrowRight", 6],
    ["ArrowLeft", 4],
    ["ArrowUp", 1],
    ["ArrowDown", 9],
    ["Home", 0],
    ["End", 9],
    ["Enter", null],
  ])("%s", (key, expected) => {
    expect(gridKey(key, place)).toBe(expected);
  });

  it("stays at the edges, and reaches a short last row", () => {
    expect(gridKey("ArrowDown", { ...place, active: 7 })).toBe(9);
    expect(gridKey("ArrowDown", { ...place, active: 9 })).toBe(9);
    expect(gridKey("ArrowUp", { ...place, active: 2 })).toBe(2);
    expect(gridKey("ArrowRight", { ...place, count: 0 })).toBeNull();
  });
});
