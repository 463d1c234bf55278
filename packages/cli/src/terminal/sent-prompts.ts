import { errorMessage } from "@mdx-ai/base";
import type { PromptOutcome } from "@mdx-ai/loop";
import type { ImageContent } from "@mdx-ai/models";
import type { Agent } from "@mdx-ai/runtime";

/** What is sent for a typed text. */
export interface SentContent {
  readonly text: string;
  readonly images: readonly ImageContent[];
}

/** What the user typed, and what is sent for it. */
export interface Input {
  /** As it was typed. */
  readonly text: string;
  /** Never rejects. */
  readonly content: SentContent | Promise<SentContent>;
  /** Called if it is not sent: its attachments go with the next input. */
  release(): void;
}

/** An input on its way to the agent. */
export interface HandOver {
  /** What is sent, once the agent has received earlier inputs. */
  readonly content: Promise<SentContent | undefined>;
  /** Releases the next input. */
  end(): void;
}

/** A prompt that was sent to the agent and has not ended. */
export interface Sent {
  /** Absent for prompts of an earlier process. */
  readonly input: Input | undefined;
  /** As typed; absent for prompts of an earlier process. */
  readonly text: string | undefined;
  readonly controller: AbortController;
  /** `resuming`: prompts of an earlier process run first. */
  phase: "waiting" | "resuming" | "running";
}

/** The prompts that were sent to the agent and have not ended, in order. */
export class SentPrompts {
  #sent: readonly Sent[] = [];

  get isEmpty(): boolean {
    return this.#sent.length === 0;
  }

  get first(): Sent | undefined {
    return this.#sent[0];
  }

  add(input: Input | undefined): Sent {
    const sent: Sent = { input, text: input?.text, controller: new AbortController(), phase: "waiting" };
    this.#sent = [...this.#sent, sent];
    return sent;
  }

  /** The prompts that wait for another or for an earlier process's. `isHeld`: the first one also waits for something else. */
  queued(isHeld: boolean): readonly Sent[] {
    return this.#sent.filter(({ text, phase, controller }, at) => {
      if (text === undefined || controller.signal.aborted) return false;
      return phase === "resuming" || (phase === "waiting" && (at > 0 || isHeld));
    });
  }

  /** Returns the texts of prompts that will not run, each once. */
  takeBack(sent: readonly Sent[]): readonly string[] {
    const taken = sent.filter(({ controller }) => !controller.signal.aborted);
    for (const { controller, input, phase } of taken) {
      controller.abort();
      if (phase === "waiting") input?.release();
    }
    this.forget(taken.filter(({ phase }) => phase === "waiting"));
    return taken.flatMap(({ text }) => text ?? []);
  }

  takeBackAll(): readonly string[] {
    return this.takeBack(this.#sent);
  }

  takeBackWaiting(): readonly string[] {
    return this.takeBack(this.#sent.filter(({ phase }) => phase !== "running"));
  }

  forget(gone: readonly Sent[]): void {
    this.#sent = this.#sent.filter((sent) => !gone.includes(sent));
  }
}

/** Input for the running prompt, and the text that the agent receives. */
interface SteeringInput {
  readonly input: Input;
  sent: string;
}

export interface SteeringOptions {
  readonly agent: Pick<Agent, "session">;
  readonly session: () => string;
  /** Resolves with the outcome of the running prompt. */
  readonly ended: () => Promise<PromptOutcome>;
  /** Sends an input as a separate prompt. */
  readonly send: (input: Input) => void;
  readonly giveBack: (texts: readonly string[]) => void;
  readonly fail: (message: string) => void;
}

/** Inputs that the running prompt has not received yet. */
export class Steering {
  readonly #options: SteeringOptions;
  readonly #waiting: SteeringInput[] = [];

  constructor(options: SteeringOptions) {
    this.#options = options;
  }

  /** The inputs as typed. */
  get texts(): readonly string[] {
    return this.#waiting.map(({ input }) => input.text);
  }

  /** Sends an input to the running prompt; if it has ended, the input becomes a prompt or returns to the user. Never rejects. */
  async steer(input: Input, handOver: HandOver): Promise<void> {
    const { agent, session, send, fail } = this.#options;
    const ended = this.#options.ended();
    const steering: SteeringInput = { input, sent: input.text };
    this.#waiting.push(steering);
    try {
      const content = await handOver.content;
      steering.sent = content?.text ?? input.text;
      const accepted = agent.session(session()).steer(steering.sent, content?.images);
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

  /** Finds the input of a text that the running prompt received; a skill command was replaced by another text. */
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
