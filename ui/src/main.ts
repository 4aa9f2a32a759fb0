/** The page's beginning: the app around it is the backend. Tests begin elsewhere, with a fake one. */
import "@fontsource-variable/inter/index.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { appBackend, useBackend } from "./backend";
import "./styles/tokens.css";
import "./styles/base.css";

useBackend(appBackend());

const target = document.getElementById("app");
if (!target) throw new Error("index.html has no #app");

export default mount(App, { target });
