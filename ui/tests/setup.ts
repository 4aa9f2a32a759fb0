/** What jsdom lacks and the components need. */
import { vi } from "vitest";

class NoResizeObserver implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}
globalThis.ResizeObserver ??= NoResizeObserver;
Element.prototype.scrollIntoView ??= () => {};
// axe asks for a canvas to tell icon fonts; there are none.
HTMLCanvasElement.prototype.getContext = () => null;
globalThis.matchMedia ??= vi.fn().mockImplementation((query: string) => ({
  matches: false,
  media: query,
  addEventListener: () => {},
  removeEventListener: () => {},
}));
