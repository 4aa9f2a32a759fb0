/** What a person would do to bring a scene about. */
export const settle = (ms = 250) => new Promise((done) => setTimeout(done, ms));

export async function press(testId: string) {
  await settle();
  document.querySelector<HTMLElement>(`[data-testid="${testId}"]`)?.click();
  await settle();
}
