import type { LanguageModel } from "@mdx-ai/models";
import type { Inbox } from "../hosts/inbox.ts";
import type { Session } from "../session/session.ts";
import { Turns } from "../turns.ts";
import type { CompactionReport } from "../types/agent.ts";
import type { AgentEvent, LeftoverPrompt } from "../types/event.ts";
import { AgentClosedError } from "./agent-closed-error.ts";
import type { CurrentAgent } from "./current-agent.ts";
import type { LoadedAgent } from "./loaded-agent.ts";
import type { PromptRunner } from "./prompt-runner.ts";
import { type ReplayEvents, SessionEvents } from "./session-events.ts";

export interface SessionActorParts {
  readonly id: string;
  /** Opens the session, or finds it open. Throws `SessionIdError`, `SessionInUseError` or `JournalError`. */
  readonly open: () => Session;
  readonly current: CurrentAgent;
  readonly runner: PromptRunner;
  /** What sessions of the agent may run side by side. */
  readonly slots: Turns;
  /** Fires when the agent is closed. */
  readonly closing: AbortSignal;
  readonly replay: ReplayEvents;
  expand(text: string): Promise<string>;
  /** Called when a prompt has ended. */
  onEnd(): void;
  now(): number;
}

/** An input that was submitted. */
export interface Submission {
  readonly text: string;
  /** Unique within the session. */
  readonly id: string;
  /** Whether it is written down at once if it has to wait, so that the end of the process does not lose it. */
  readonly isKept: boolean;
  readonly model?: LanguageModel | undefined;
  readonly signal: AbortSignal;
  /** The events of its turn: first those of prompts that an earlier process left behind. */
  emit(event: AgentEvent): void;
  /** Called when it is on disk. */
  onKept?(): void;
}

/** A prompt of the actor that waits or runs. */
interface LivePrompt {
  readonly controller: AbortController;
}

/** A session that works: it owns its queue, its running prompt, what is said to that, and its working directory. */
export class SessionActor {
  readonly id: string;
  readonly #parts: SessionActorParts;
  readonly #turns = new Turns();
  readonly #live = new Map<string, LivePrompt>();
  readonly events: SessionEvents;
  /** What takes what the user says to the running prompt. */
  #inbox: Inbox | undefined;
  /** The working directory; the agent's own if undefined. Absolute. */
  cwd: string | undefined;

  constructor(parts: SessionActorParts) {
    this.id = parts.id;
    this.#parts = parts;
    this.events = new SessionEvents(parts.replay);
  }

  /** Throws as `SessionActorParts.open` does. */
  get session(): Session {
    if (this.#parts.closing.aborted) throw new AgentClosedError();
    return this.#parts.open();
  }

  /** Whether a prompt waits or runs here, or has been. */
  knows(prompt: string): boolean {
    return this.#live.has(prompt) || this.session.promptIds.has(prompt);
  }

  /** Runs an input when its turn comes, after what an earlier process left behind. Rejects as `Agent.prompt` does. */
  async run({ signal: stop, ...submission }: Submission): Promise<void> {
    const controller = new AbortController();
    const signal = AbortSignal.any([stop, controller.signal, this.#parts.closing]);
    this.#live.set(submission.id, { controller });
    try {
      await this.#run({ ...submission, signal });
    } finally {
      this.#live.delete(submission.id);
    }
  }

  async #run(submission: Submission): Promise<void> {
    const { id, signal } = submission;
    const kept = submission.isKept && this.#mustWait() ? this.#keep(submission) : undefined;
    // Reported when its turn comes.
    kept?.catch(() => {});
    let hasBegun = false;
    await this.#takeTurn(signal, async (loaded) => {
      const input = kept ? await kept : { text: await this.#parts.expand(submission.text), queued: undefined };
      await this.#finishLeftovers(loaded, submission);
      hasBegun = !signal.aborted;
      if (!hasBegun) return;
      const { model, emit, onKept } = submission;
      const prompt = { id, input: input.text, queued: input.queued, model, signal, emit };
      const onBegin = onKept && ((flushed: () => Promise<void>): void => void flushed().then(onKept, () => {}));
      await this.#runPrompt(loaded, { ...prompt, ...(onBegin && { onBegin }) });
    });
    if (kept && !hasBegun && !this.#parts.closing.aborted) await (await kept).takeBack();
  }

  /** Finishes what an earlier process left behind. Rejects as `Agent.prompt` does. */
  async resume({ signal: stop, ...submission }: Pick<Submission, "model" | "signal" | "emit">): Promise<void> {
    const signal = AbortSignal.any([stop, this.#parts.closing]);
    await this.#takeTurn(signal, (loaded) => this.#finishLeftovers(loaded, { ...submission, signal }));
  }

  /** Cancels a prompt; false if none of this id waits or runs here. */
  cancel(prompt: string): boolean {
    const live = this.#live.get(prompt);
    live?.controller.abort();
    return live !== undefined;
  }

  /** Says something to the running prompt; false if there is none that makes another request. */
  async steer(text: string): Promise<boolean> {
    if (!this.#inbox) return false;
    return this.#inbox.accept({ role: "user", content: [{ type: "text", text }], timestamp: this.#parts.now() });
  }

  /** Does something to the session while no prompt of it runs. */
  async inTurn(work: () => Promise<void>): Promise<void> {
    const { closing } = this.#parts;
    let hasBegun = false;
    await this.#turns.runUnlessAborted(closing, async () => {
      hasBegun = true;
      await work();
    });
    if (!hasBegun) throw new AgentClosedError();
  }

  async compact(signal: AbortSignal, emit: (event: AgentEvent) => void): Promise<CompactionReport | undefined> {
    let report: CompactionReport | undefined;
    await this.#takeTurn(signal, async (loaded) => {
      await this.#finishLeftovers(loaded, { signal, emit });
      if (!signal.aborted) report = await this.#parts.runner.compact(this.session, loaded, signal);
    });
    return report;
  }

  /** What an earlier process left behind, in the order in which it is to be finished. */
  leftovers(): readonly LeftoverPrompt[] {
    return leftoversOf(this.session).map(({ prompt }) => prompt);
  }

  /** Resolves when nothing runs or waits. */
  async settled(): Promise<void> {
    await this.#turns.settled();
  }

  #mustWait(): boolean {
    return this.#turns.isBusy || leftoversOf(this.session).length > 0;
  }

  async #takeTurn(signal: AbortSignal, work: (loaded: LoadedAgent) => Promise<void>): Promise<void> {
    const { closing, current, slots } = this.#parts;
    if (closing.aborted) throw new AgentClosedError();
    const stop = AbortSignal.any([closing, signal]);
    let hasBegun = false;
    const use = (): Promise<void> =>
      current.use(stop, async (loaded) => {
        if (stop.aborted) return;
        hasBegun = true;
        await work(loaded);
      });
    await this.#turns.runUnlessAborted(stop, () => slots.runUnlessAborted(stop, use));
    // What the close has stopped is reported by events; what never began is refused.
    if (!hasBegun && closing.aborted) throw new AgentClosedError();
  }

  async #finishLeftovers(
    loaded: LoadedAgent,
    { model, signal, emit }: Pick<Submission, "model" | "signal" | "emit">,
  ): Promise<void> {
    for (const { prompt, queued, id } of leftoversOf(this.session)) {
      if (signal.aborted && prompt.state === "queued") return;
      await this.#runPrompt(loaded, { id, input: prompt.input, queued, leftover: prompt, model, signal, emit });
    }
  }

  async #runPrompt(loaded: LoadedAgent, prompt: Parameters<PromptRunner["run"]>[2]): Promise<void> {
    const { runner, onEnd } = this.#parts;
    const emit = (event: AgentEvent): void => {
      this.events.send(event);
      prompt.emit(event);
    };
    const onInbox = (inbox: Inbox): void => {
      this.#inbox = inbox;
    };
    try {
      await runner.run(this.session, loaded, { ...prompt, cwd: this.cwd, emit, onInbox });
    } finally {
      this.#inbox = undefined;
    }
    onEnd();
  }

  /** Writes an input down that has to wait. */
  async #keep({ text: given, id, onKept }: Submission): Promise<KeptInput> {
    const text = await this.#parts.expand(given);
    const { session } = this;
    const queued = await session.enqueue(text, id);
    onKept?.();
    return { text, queued, takeBack: () => session.dequeue(queued) };
  }
}

interface KeptInput {
  readonly text: string;
  readonly queued: number | undefined;
  takeBack(): Promise<void>;
}

/** A prompt that an earlier process left behind. */
export interface Leftover {
  readonly id: string;
  readonly prompt: LeftoverPrompt;
  readonly queued?: number;
}

/** What an earlier process left behind in a session, in the order in which it is to be finished. */
export function leftoversOf({ interrupted, lastPrompt, queued }: Session): readonly Leftover[] {
  const waiting = queued.map(({ number, text, id }, place): Leftover => {
    const prompt: LeftoverPrompt = { prompt: lastPrompt + 1 + place, input: text, state: "queued", tools: [] };
    return { id, queued: number, prompt };
  });
  if (!interrupted) return waiting;
  const { prompt, input, state, tools } = interrupted;
  return [{ id: String(prompt), prompt: { prompt, input, state, tools } }, ...waiting];
}
