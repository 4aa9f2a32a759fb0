/**
 * The dev page: the whole window on the fake backend, in the state that `?scene=` names. For looking at screens without
 * the app (`npm run dev`, then /tests/page/?scene=drive). Never built into what the window loads.
 */
import "@fontsource-variable/inter/index.css";
import { mount } from "svelte";
import App from "../../src/App.svelte";
import { useBackend } from "../../src/backend";
import { design } from "../../src/state/design.svelte";
import { drive } from "../../src/state/drive.svelte";
import { route } from "../../src/state/route.svelte";
import { transfers } from "../../src/state/transfers.svelte";
import "../../src/styles/base.css";
import "../../src/styles/tokens.css";
import { fakeBackend, type FakeBackend, NOW_MS, SETTINGS } from "../fake-backend";
import { SCENES } from "./scenes";

const asked = new URLSearchParams(location.search);
const scene = SCENES[asked.get("scene") ?? "home"] ?? SCENES.home;
if (!scene) throw new Error("there is no such scene");

// The screens read the clock for "9 minutes ago" and the greeting; here it stands still.
Date.now = () => NOW_MS;
// What one scene left open is closed in the next.
design.showDetails(false);
const fake: FakeBackend = fakeBackend(scene.state?.());
fake.state.settings = {
  ...SETTINGS,
  theme: asked.get("theme") === "dark" ? "dark" : "light",
  text_scale_percent: Number(asked.get("zoom") ?? 100),
  language: asked.get("lang") === "de" ? "de" : "en",
};
useBackend(fake);
if (scene.place) route.place = scene.place(fake);
fake.state.settings.shows_developer = route.place.screen === "developer";
const target = document.getElementById("app");
if (!target) throw new Error("the page has no #app");
mount(App, { target });
Object.assign(window, { fake, drive, transfers, route });
void Promise.resolve(scene.after?.(fake)).then(() => document.body.setAttribute("data-ready", ""));
