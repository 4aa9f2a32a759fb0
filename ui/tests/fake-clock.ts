/** Midday of a fixed day, so that pictures and expectations do not depend on when they are made. */
export const NOW_MS = new Date(2026, 10, 20, 9, 12).getTime();
