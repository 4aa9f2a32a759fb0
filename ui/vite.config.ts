import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import { defineConfig } from "vitest/config";

// The window loads `dist/` from the app itself: relative addresses, nothing inlined (the content policy forbids it),
// and one target, the oldest WebKitGTK that Easel runs on. Tests wait for the page itself; on a busy machine that takes its time.
export default defineConfig({
  plugins: [svelte(), svelteTesting()],
  base: "./",
  clearScreen: false,
  server: { port: 1420, strictPort: true, host: "127.0.0.1" },
  build: { target: "safari16.4", assetsInlineLimit: 0, modulePreload: { polyfill: false }, sourcemap: false },
  // They run behind the Rust tests, so a test may have to wait for the processor.
  test: { environment: "jsdom", include: ["tests/**/*.test.ts"], setupFiles: ["tests/setup.ts"], testTimeout: 60_000 },
});
