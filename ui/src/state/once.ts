/** Each of these once, where it came first and as it was told last: a list with the same row twice could not be drawn. */
export function onceEach<T extends { id: string | number }>(list: readonly T[]): T[] {
  return [...new Map(list.map((each) => [each.id, each])).values()];
}
