import type { Agent, PromptOutcome } from "@mdx-ai/runtime";
import { errorMessage } from "@mdx-ai/runtime/error-message";
import type { HandOver, Input } from "./sent-prompts.ts";

/** Input for the running prompt, and the text that the agent receives. */
interface SteeringInput {
  readonly input: Input;
  sent: string;
}

export interface SteeringOptions {
  readonly agent: Pick<Agent, "steer">;
  readonly session: () => string;
  /** Resolves with the outcome of the running prompt. */
  readonly ended: () => Promise<PromptOutcome>;
  /** Sends an input as a prompt of its own. */
  readonly send: (input: Input) => void;
  readonly giveBack: (texts: readonly string[]) => void;
  readonly fail: (message: string) => void;
}

/** The inputs for a running prompt that it has not received yet. */
export class Steering {
  readonly #options: SteeringOptions;
  readonly #waiting: SteeringInput[] = [];

  constructor(options: SteeringOptions) {
    this.#options = options;
  }

  /** The inputs as they were typed. */
  get texts(): readonly string[] {
    return this.#waiting.map(({ input }) => input.text);
  }

  /** Sends an input to the running prompt; if that has ended, it becomes a prompt, or returns to the user. Never rejects. */
  async steer(input: Input, handOver: HandOver): Promise<void> {
    const { agent, session, send, fail } = this.#options;
    const ended = this.#options.ended();
    const steering: SteeringInput = { input, sent: input.text };
    this.#waiting.push(steering);
    try {
      const content = await handOver.content;
      steering.sent = content?.text ?? input.text;
      const accepted = agent.steer(steering.sent, session(), content?.images);
      handOver.end();
      if (await accepted) return;
      const outcome = await ended;
      this.#forget(steering);
      if (outcome === "done") send(input);
      else this.#return(input);
    } catch (error) {
      this.#forget(steering);
      fail(errorMessage(error));
      this.#return(input);
    } finally {
      handOver.end();
    }
  }

  /** The input that became a text which the running prompt received; a skill's command became another text. */
  take(text: string): Input | undefined {
    const [first] = this.#waiting;
    if (first === undefined || (first.sent !== text && !/^\/(?:skill|mcp):/.test(first.input.text))) return undefined;
    this.#waiting.shift();
    return first.input;
  }

  #return(input: Input): void {
    input.release();
    this.#options.giveBack([input.text]);
  }

  #forget(steering: SteeringInput): void {
    const index = this.#waiting.indexOf(steering);
    if (index >= 0) this.#waiting.splice(index, 1);
  }
}
