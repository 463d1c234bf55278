import type { Redactor } from "@mdx-ai/base";
import { HostEndedError } from "@mdx-ai/runtime";
import { type ObjectContext, RetryableError, TerminalError } from "@restatedev/restate-sdk";
import type { CompletionPump } from "./completion-pump.ts";
import { redactedJson } from "./redacted-json.ts";
import { isRan, type Ran } from "./step-batch.ts";

export interface DurableStepsParts {
  readonly context: Pick<ObjectContext, "run">;
  readonly pump: CompletionPump;
  readonly redactor: Redactor;
  /** Fires when the attempt has ended, or the worker stops: the prompt continues in another attempt. */
  readonly over: AbortSignal;
}

/** Runs work as durable steps of Restate, in one attempt of a prompt. */
export class DurableSteps {
  readonly #parts: DurableStepsParts;
  /** The tokens of the steps that this attempt has run. */
  readonly #run = new Set<string>();
  #running = 0;

  constructor(parts: DurableStepsParts) {
    this.#parts = parts;
  }

  /** Whether a step runs now. */
  get isRunning(): boolean {
    return this.#running > 0;
  }

  /** Whether this attempt has run the step of a token. */
  hasRun(token: string): boolean {
    return this.#run.has(token);
  }

  /** Throws `HostEndedError` if the attempt has ended. */
  requireOpen(): void {
    if (this.#parts.over.aborted) throw new HostEndedError("the attempt has ended");
  }

  /** Runs work, or finds its result. Whatever it throws is final, unless the attempt has ended meanwhile. */
  async run(name: string, work: () => Promise<Omit<Ran, "token">>): Promise<Ran> {
    const { context, pump, redactor } = this.#parts;
    const durable = (): Promise<Ran> => this.#marked(work);
    const ran = await pump.wait<unknown>(context.run<unknown>(name, durable, { serde: redactedJson(redactor) }));
    if (!isRan(ran)) throw new TerminalError(`step ${name} has a result that cannot be read`);
    return ran;
  }

  /** The result of work with a token that this attempt alone knows. */
  async #marked(work: () => Promise<Omit<Ran, "token">>): Promise<Ran> {
    this.#running++;
    try {
      const ran = await work();
      this.requireOpen();
      const token = crypto.randomUUID();
      this.#run.add(token);
      return { ...ran, token };
    } catch (error) {
      if (this.#parts.over.aborted) throw new RetryableError("the worker stops", { cause: error });
      throw error instanceof TerminalError ? error : new TerminalError(this.#parts.redactor.text(String(error)));
    } finally {
      this.#running--;
    }
  }
}
