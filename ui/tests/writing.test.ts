/** Settings › Writing: who writes, and what is said before anything leaves. */
import { fireEvent, screen, waitFor } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import { hostOf, isHere } from "../src/state/writing.svelte";
import { at, called, openAt, press, type, violations } from "./stage";
import { problem } from "./fake-backend";
import { WRITING } from "./fake-writing";

const place = { screen: "settings", section: "writing" } as const;
const choose = async (kind: string) => fireEvent.click((await at(`writing-${kind}`)).querySelector("input")!);
const leaves = async () => (await at("writing-leaves")).textContent ?? "";
const isDisabled = async () => (await at("writing-use") as HTMLButtonElement).disabled;

describe("who writes", () => {
  it("is the studio itself at first, and looking at another changes nothing", async () => {
    const fake = await openAt(place);
    expect((await at("writing-now")).textContent).toContain("Writes now");
    expect((await at("writing-built_in")).contains(await at("writing-now"))).toBe(true);
    expect(await leaves()).toContain("Nothing leaves this computer");
    expect(await isDisabled()).toBe(true);
    await choose("service");
    await choose("on_this_computer");
    expect(called(fake, "set_writing")).toEqual([]);
    expect(await violations()).toEqual([]);
  });

  it("is a model of this computer, chosen from those that are there", async () => {
    const fake = await openAt(place);
    await choose("on_this_computer");
    expect((await at("writing-address") as HTMLInputElement).value).toBe("http://127.0.0.1:11434");
    expect(await leaves()).toContain("nothing leaves this computer");
    expect(await isDisabled()).toBe(true);
    await press("writing-look");
    await screen.findByText("2 models are there.");
    await fireEvent.change(await at("writing-models"), { target: { value: "small:7b" } });
    await press("writing-use");
    await waitFor(async () => expect((await at("writing-now")).textContent).toContain("small:7b"));
    const model = { address: "http://127.0.0.1:11434", model: "small:7b", protocol: "ollama" };
    expect(called(fake, "set_writing")).toEqual([[{ kind: "on_this_computer", place: model, key: null, keep_for_session: false }]]);
    expect(await isDisabled()).toBe(true);
  });

  it("says what leaves, and where to, before a service is used", async () => {
    const fake = await openAt(place);
    await choose("service");
    await type("writing-address", "https://models.example.org/v1");
    await type("writing-model", "large");
    await type("writing-key", "sk-planted");
    expect(await leaves()).toContain("What leaves this computer, to models.example.org");
    expect(await leaves()).toContain("the text of files that you attach");
    expect(called(fake, "set_writing")).toEqual([]);
    expect(await violations()).toEqual([]);
    await press("writing-use");
    await waitFor(async () => expect((await at("writing-now")).textContent).toContain("large"));
    const [[choice]] = called(fake, "set_writing") as [[{ key: string }]];
    expect(choice.key).toBe("sk-planted");
    expect((await at("writing-key") as HTMLInputElement).value).toBe("");
    expect(document.documentElement.outerHTML).not.toContain("sk-planted");
  });

  it("warns where a model that was to be on this computer is not", async () => {
    await openAt(place);
    await choose("on_this_computer");
    await type("writing-address", "http://192.168.1.20:11434");
    expect(await leaves()).toContain("What leaves this computer, to 192.168.1.20:11434");
  });

  it("keeps a key until Easel closes where the keychain does not take it", async () => {
    const locked = problem({ code: "key_store_locked", action: { kind: "keep_for_session", label: "Keep it until I close Easel", target: null } });
    const fake = await openAt(place, { failing: { set_writing: locked } });
    await choose("service");
    await type("writing-address", "https://models.example.org/v1");
    await type("writing-model", "large");
    await type("writing-key", "sk-planted");
    await press("writing-use");
    await screen.findByTestId("problem");
    fake.state.failing = {};
    await fireEvent.click(screen.getByText("Keep it until I close Easel"));
    await waitFor(() => expect(called(fake, "set_writing").length).toBe(2));
    expect(called(fake, "set_writing")[1]).toMatchObject([{ keep_for_session: true, key: "sk-planted" }]);
  });

  it("says why a service that was chosen does not write", async () => {
    const writing = { ...WRITING, kind: "service" as const, service: { address: "https://models.example.org", model: "large", protocol: null }, has_key: true };
    await openAt(place, { writing: { ...writing, problem: problem({ code: "writer_key_missing", title: "The key is not here" }) } });
    await screen.findByText("The key is not here");
    expect(await isDisabled()).toBe(true);
    await type("writing-key", "sk-new");
    await waitFor(async () => expect(await isDisabled()).toBe(false));
  });
});

describe("an address", () => {
  it.each([
    ["http://127.0.0.1:11434", true],
    ["http://localhost:11434/x", true],
    ["http://[::1]:11434", true],
    ["https://models.example.org/v1", false],
    ["http://127.0.0.1.example.org", false],
    ["http://192.168.1.20", false],
  ])("%s is of this computer: %s", (address, expected) => {
    expect(isHere(address)).toBe(expected);
  });

  it("is read by its host", () => {
    expect(hostOf(" https://models.example.org:8443/v1?x#y ")).toBe("models.example.org:8443");
  });
});
