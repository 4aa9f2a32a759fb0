/**
 * Asking for a list of which news are told as well.
 *
 * An answer may be older than news that came while it was under way, so that whoever takes it in lays those over it; and an answer
 * that another one overtook is none. Not here: what news are, and how a list takes them in.
 */

export interface Answer<T, News> {
  answer: T;
  /** What was told since it was asked, in order. */
  told: readonly News[];
}

export class Asking<News> {
  #asked = 0;
  #answered = 0;
  #underWay = new Set<News[]>();

  /** Asks; `null` where a later question was answered first, or nobody waits for it any more. Rejects as `read` does. */
  async ask<T>(read: () => Promise<T>): Promise<Answer<T, News> | null> {
    const asked = (this.#asked += 1);
    const told: News[] = [];
    this.#underWay.add(told);
    try {
      const answer = await read();
      if (!this.#underWay.has(told) || asked < this.#answered) return null;
      this.#answered = asked;
      return { answer, told };
    } catch (thrown) {
      if (!this.#underWay.has(told)) return null;
      throw thrown;
    } finally {
      this.#underWay.delete(told);
    }
  }

  /** News, for every answer that is under way. */
  tell(news: News): void {
    for (const told of this.#underWay) told.push(news);
  }

  /** Nobody waits for what was asked until now. */
  forget(): void {
    this.#underWay.clear();
  }
}
