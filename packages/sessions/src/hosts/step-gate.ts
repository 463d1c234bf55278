/** Lets the running steps of an agent's prompts end before the agent is closed. */
export class StepGate {
  #running = 0;
  #isClosed = false;
  readonly #idle: PromiseWithResolvers<void> = Promise.withResolvers<void>();

  /** Whether further steps must wait for the close of the agent. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** No step begins from now on. Resolves when none runs. */
  close(): Promise<void> {
    this.#isClosed = true;
    this.#look();
    return this.#idle.promise;
  }

  /** A step begins. */
  enter(): void {
    this.#running += 1;
  }

  /** A step has ended, or begins to wait for a person. */
  leave(): void {
    this.#running -= 1;
    this.#look();
  }

  #look(): void {
    if (this.#isClosed && this.#running === 0) this.#idle.resolve();
  }
}
