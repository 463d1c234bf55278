import type { ImageContent } from "@mdx-ai/models";

/** What is sent in place of a typed text. */
export interface SentContent {
  readonly text: string;
  readonly images: readonly ImageContent[];
}

/** What the user typed, and what is sent in its place. */
export interface Input {
  /** As it was typed. */
  readonly text: string;
  /** Never rejects. */
  readonly content: SentContent | Promise<SentContent>;
  /** It is not sent; what it took along goes with the next one. */
  release(): void;
}

/** An input on its way to the agent. */
export interface HandOver {
  /** What is sent, once the agent has the inputs before it. */
  readonly content: Promise<SentContent | undefined>;
  /** Lets the next one go. */
  end(): void;
}

/** A prompt that was sent to the agent and has not ended. */
export interface Sent {
  /** Absent for prompts of an earlier process. */
  readonly input: Input | undefined;
  /** As it was typed; absent for prompts of an earlier process. */
  readonly text: string | undefined;
  readonly controller: AbortController;
  /** `resuming`: prompts of an earlier process run before it. */
  phase: "waiting" | "resuming" | "running";
}

/** The prompts that were sent to the agent and have not ended, in their order. */
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

  /** The prompts behind another one, or behind one of an earlier process. `isHeld`: the first one waits for something else, too. */
  queued(isHeld: boolean): readonly Sent[] {
    return this.#sent.filter(({ text, phase, controller }, at) => {
      if (text === undefined || controller.signal.aborted) return false;
      return phase === "resuming" || (phase === "waiting" && (at > 0 || isHeld));
    });
  }

  /** Returns the texts of prompts that will not begin any more, each once. */
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
