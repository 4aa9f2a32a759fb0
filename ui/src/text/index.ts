/** The catalogue in use. There is one language so far; components read words from here only. */
import { en } from "./en";

export const text = en;
