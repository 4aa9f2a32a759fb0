/** New names for many at once, by a pattern. Pure: names in, names out. */

export interface Named {
  id: string;
  name: string;
  /** Of its name, the ending says what it is and stays. */
  isFile: boolean;
}

/** As long as an ending is at most, its dot included: what is longer belongs to the name. */
const LONGEST_ENDING = 10;

/** The name without its ending, and the ending with its dot; empty where there is none. */
export function splitName(name: string): [string, string] {
  const dot = name.lastIndexOf(".");
  const ending = dot > 0 ? name.slice(dot) : "";
  return /^\.\w+$/.test(ending) && ending.length <= LONGEST_ENDING ? [name.slice(0, dot), ending] : [name, ""];
}

/** What each is called by the pattern, in which `{name}` is its name so far and `{number}` its place, from 1 and with leading zeros. */
export function namesBy(pattern: string, items: readonly Named[]): string[] {
  const digits = String(items.length).length;
  return items.map(({ name, isFile }, index) => {
    const [stem, ending] = isFile ? splitName(name) : [name, ""];
    const number = String(index + 1).padStart(digits, "0");
    // In one pass, so that a name that has such a word in it keeps it.
    return pattern.trim().replace(/\{(name|number)\}/g, (_, word) => (word === "name" ? stem : number)) + ending;
  });
}

/** Whether two of these names are one, as drives see them: without regard to large and small letters. */
export function hasTwice(names: readonly string[]): boolean {
  return new Set(names.map((each) => each.toLocaleLowerCase())).size < names.length;
}
