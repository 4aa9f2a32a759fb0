/** The page's beginning: the app around it is the backend. Tests begin elsewhere, with a fake one. */
import "@fontsource-variable/inter/index.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { appBackend, useBackend } from "./backend";
import { watchFaults } from "./faults";
import "./styles/tokens.css";
import "./styles/base.css";

useBackend(appBackend());
watchFaults();

const target = document.getElementById("app");
if (!target) throw new Error("index.html has no #app");

// The typeface lies beside the page: waiting for it takes a moment, and without it every line would be set twice.
void document.fonts.load("1rem 'Inter Variable'").finally(() => mount(App, { target }));
