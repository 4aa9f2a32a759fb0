/** The time as the screens write it: it moves every half minute, so that "9 minutes ago" stays true. */
class Clock {
  now_ms = $state(Date.now());

  /** Starts the clock; the returned function stops it. */
  start(): () => void {
    const timer = setInterval(() => (this.now_ms = Date.now()), 30_000);
    return () => clearInterval(timer);
  }
}

export const clock = new Clock();
