import { Semaphore } from "@mdx-ai/base";

/** Lets requests that continue the same session choose it and submit their prompts one after another. */
export class SessionTurns {
  readonly #turns = new Map<string, Semaphore>();

  /** Runs `work` when its turn comes. Rejects as `work` does. */
  async run<Result>(session: string, work: () => Promise<Result>): Promise<Result> {
    const turn = this.#turns.get(session) ?? new Semaphore();
    this.#turns.set(session, turn);
    try {
      return await turn.run(work);
    } finally {
      if (!turn.isBusy) this.#turns.delete(session);
    }
  }
}
