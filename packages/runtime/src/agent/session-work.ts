import type { Cost, PendingPrompt, UserInput } from "@mdx-ai/loop";
import type { ImageContent, LanguageModel } from "@mdx-ai/models";
import type { UsageLimits } from "@mdx-ai/parser";
import type { OpenedSession, PendingEntry } from "@mdx-ai/sessions";
import type { EventReader } from "./event-log.ts";
import { knownInput, requireSame } from "./known-input.ts";
import type { LiveSession } from "./live-session.ts";
import type { LoadedAgent } from "./loaded-agent.ts";
import type { KeptInput, QueuedPrompt } from "./prompt-queue.ts";
import type { Prompt } from "./prompt-runner.ts";
import { expandedInput } from "./user-input.ts";

/** A queued input. */
interface Submission {
  readonly text: string;
  /** Images that follow the text. */
  readonly images?: readonly ImageContent[] | undefined;
  /** Unique within the session. */
  readonly id: string;
  /** Whether it is written to disk while it is queued, so that it survives the process. */
  readonly isKept: boolean;
  readonly model?: LanguageModel | undefined;
  readonly signal: AbortSignal;
  /** As in `PromptOptions`. */
  readonly yields?: boolean | undefined;
  readonly limits?: UsageLimits | undefined;
  readonly task?: string | undefined;
  /** As in `UserInput`. */
  readonly cost?: Cost | undefined;
  /** Receives the events of its turn, beginning with unfinished prompts of an earlier process. */
  readonly reader?: EventReader;
}

/** The work of a session, one piece at a time: its inputs, after the prompts that an earlier process left unfinished. */
export class SessionWork {
  readonly #session: LiveSession;
  /** While an interrupted prompt is being closed: resolves when its end is reported. The next prompt waits for it. */
  #ending: Promise<unknown> = Promise.resolve();

  constructor(session: LiveSession) {
    this.#session = session;
  }

  /** Cancels a prompt that waits, runs or is left from an earlier process. Resolves to false if there is none. */
  async cancel(prompt: string): Promise<boolean> {
    if (await this.#session.queue.cancel(prompt)) return true;
    const pendingPrompt = this.pending.find(({ id }) => id === prompt);
    if (pendingPrompt === undefined) return false;
    // It may be resumed before the end is written.
    return (await this.#endPending(pendingPrompt)) || (await this.#session.queue.cancel(prompt));
  }

  /** Does not run a known prompt again, but finishes one that an earlier process left unfinished. */
  async submit(submission: Submission): Promise<void> {
    const { id } = submission;
    const live = this.#session.queue.get(id);
    if (live) {
      requireSame(submission, live.input);
      return live.kept.promise;
    }
    const session = this.#session.made;
    const isKnown = session.promptIds.has(id);
    if (isKnown) requireSame(submission, knownInput(session, id), this.#session.services.redactor);
    if (isKnown && this.pending.length === 0) return;
    const running = isKnown
      ? this.takeTurn(submission, (turn) => this.finishPending(turn, submission))
      : this.run(submission);
    running.catch((error: unknown) => {
      this.#session.services.onFailure(`prompt ${id} of session ${this.#session.id} failed: ${String(error)}`);
    });
    await this.#session.queue.get(id)?.kept.promise;
  }

  /** Runs an input unless its id is known: finishes the prompt of an earlier process, or reports the events of one that has ended. */
  runOnce(submission: Submission): Promise<void> {
    const live = this.#session.queue.get(submission.id);
    // Another caller runs it, and then its events are repeated.
    return live === undefined ? this.#runOnce(submission) : live.done.then(() => this.#runOnce(submission));
  }

  #runOnce(submission: Submission): Promise<void> {
    const { id, reader } = submission;
    const { promptIds } = this.#session.made;
    if (!promptIds.has(id)) return this.run(submission);
    if (!this.pending.some((entry) => entry.id === id)) return this.#session.events.repeat(id, reader);
    return this.takeTurn(submission, (turn) => this.finishPending(turn, submission));
  }

  /** Runs an input in its turn, after the unfinished prompts of an earlier process. */
  run(submission: Submission): Promise<void> {
    const { id, text, images, cost, signal, isKept } = submission;
    const isWritten = isKept && (this.#session.queue.mustWait || this.#pendingOf(this.#session.made).length > 0);
    const input = async (session: OpenedSession): Promise<UserInput> => ({
      ...(isCommand(text) ? await expandedInput(text, this.#session.loaded, session) : { text }),
      ...{ images, cost },
    });
    const written = async (): Promise<UserInput> => {
      const said = await input(this.#session.made);
      // It is written next.
      return this.#session.whenFree(() => said);
    };
    return this.#session.queue.add(
      { id, input: { text, images }, signal, kept: isWritten ? written : undefined },
      (live, stop, kept) =>
        this.takeTurn({ ...submission, signal: stop }, async (turn) => {
          const said = (await kept) ?? (await input(turn.session));
          await this.#runNext(turn, live, { ...submission, signal: stop }, said);
        }),
    );
  }

  async #runNext(
    turn: Turn,
    live: QueuedPrompt,
    submission: Submission,
    { text: input, ...said }: UserInput & Partial<KeptInput>,
  ): Promise<void> {
    const { id, model, signal, isKept, limits, task } = submission;
    await this.finishPending(turn, submission);
    this.#session.services.closing.throwIfAborted();
    live.hasBegun = !signal.aborted && !live.isWithdrawn;
    if (!live.hasBegun) return;
    await this.#runPrompt(turn, {
      id,
      input,
      ...said,
      model,
      signal,
      limits,
      task,
      ...(isKept && { kept: live.kept }),
    });
  }

  /** Closes a prompt of an earlier process for good. Resolves to false if it has been resumed meanwhile. */
  async #endPending({ queued, prompt: { prompt } }: PendingEntry): Promise<boolean> {
    if (queued === undefined) {
      const ending = this.#closeInterrupted(prompt);
      this.#ending = ending.catch(() => {});
      return ending;
    }
    await this.#session.made.dequeue(queued);
    return true;
  }

  async #closeInterrupted(prompt: number): Promise<boolean> {
    const isClosed = await this.#session.made.closeInterrupted(prompt);
    if (isClosed) this.#session.questions.forgetPrompt(prompt, true);
    if (isClosed) await this.#session.events.report(prompt);
    return isClosed;
  }

  /** The unfinished prompts of an earlier process, without those of this process, even if the session was reopened while they waited. */
  get pending(): readonly PendingEntry[] {
    return this.#pendingOf(this.#session.existing);
  }

  #pendingOf(session: OpenedSession): readonly PendingEntry[] {
    return session.pending.filter(({ id }) => this.#session.queue.get(id) === undefined);
  }

  /** Waits for the session's turn, then works with the agent's current files. */
  takeTurn(
    { signal, reader, yields = false, mustExist = false }: TurnOptions,
    work: (turn: Turn) => Promise<void>,
  ): Promise<void> {
    return this.#session.queue.takeTurn({ signal, yields }, (stop) =>
      this.#session.services.current.use(stop, async (loaded) => {
        if (stop.aborted) return false;
        const session = mustExist ? this.#session.existing : this.#session.made;
        await this.#session.events.readBy(reader ? [reader] : [], () => work({ loaded, session }));
        return true;
      }),
    );
  }

  /** Runs the unfinished prompts of an earlier process in their order, or closes untrusted ones. */
  async finishPending(
    { loaded, session }: Turn,
    { model, signal, resumesUntrusted = loaded.options.resumesUntrusted }: Finishing,
  ): Promise<void> {
    await this.#ending;
    for (const pendingPrompt of this.#pendingOf(session)) {
      const { prompt, queued, id, images, typed, cost } = pendingPrompt;
      this.#session.services.closing.throwIfAborted();
      if (signal.aborted && prompt.state === "queued") return;
      // Cancelled meanwhile.
      if (queued !== undefined && !session.queued.some(({ number }) => number === queued)) continue;
      if (pendingPrompt.isUntrusted && !resumesUntrusted) {
        await this.#endPending(pendingPrompt);
        loaded.options.onWarning(untrustedText(this.#session.id, prompt));
        continue;
      }
      await this.#session.queue.track({ id, input: { text: typed ?? prompt.input, images } }, async (live) => {
        live.hasBegun = true;
        // Its input is on disk since it was submitted.
        live.kept.resolve();
        const stop = AbortSignal.any([signal, live.controller.signal]);
        const content = { input: prompt.input, images, typed, cost, queued, pendingPrompt: prompt };
        await this.#runPrompt({ loaded, session }, { id, ...content, model, signal: stop });
      });
    }
  }

  async #runPrompt({ loaded, session }: Turn, prompt: Omit<Prompt, "events" | "questions">): Promise<void> {
    const { runner, onPromptEnd } = this.#session.services;
    const { cwd, events } = this.#session;
    const parts = { cwd, events, questions: () => this.#session.questions };
    await this.#session.queue.withInbox((onInbox) => runner.run(session, loaded, { ...prompt, ...parts, onInbox }));
    onPromptEnd();
  }
}

/** The session, and the agent as loaded when the session's turn came. */
interface Turn {
  readonly loaded: LoadedAgent;
  readonly session: OpenedSession;
}

interface TurnOptions extends Pick<Submission, "signal" | "reader" | "yields"> {
  /** Whether a missing session is an error. If false, it is created. */
  readonly mustExist?: boolean;
}

/** How to finish prompts of an earlier process. */
interface Finishing extends Pick<Submission, "model" | "signal"> {
  /** Whether untrusted ones run. If false, they are closed. Default: as in the agent's options. */
  readonly resumesUntrusted?: boolean | undefined;
}

/** Whether a text may be a command that is expanded. */
const isCommand = (text: string): boolean => text.trimStart().startsWith("/");

const untrustedText = (session: string, { prompt, state }: PendingPrompt): string =>
  state === "interrupted"
    ? `session ${session}: prompt ${prompt} was interrupted, and the session is untrusted: it came from elsewhere; the prompt is closed without running its calls (--resume resumes it)`
    : `session ${session}: an input is queued, and the session is untrusted: it came from elsewhere; the input is removed without running (--resume runs it)`;
