import { Semaphore } from "@mdx-ai/base";
import type { ImageContent, LanguageModel, TextContent, UserMessage } from "@mdx-ai/models";
import { type UserInput, userMessage } from "../content-text.ts";
import { isSent } from "../context/sent-messages.ts";
import type { Inbox } from "../hosts/inbox.ts";
import { isMcpPrompt } from "../mcp/loaded-servers.ts";
import { type PendingEntry, pendingEntries, type Session } from "../session/session.ts";
import { disabledSkills } from "../skills/skill-choices.ts";
import { skillContext } from "../skills/skill-contexts.ts";
import { expandSkillCommand, isSkillCommand } from "../skills/skills.ts";
import type { AgentEvent, PendingPrompt } from "../types/event.ts";
import { AgentClosedError } from "./agent-closed-error.ts";
import type { CurrentAgent } from "./current-agent.ts";
import { type LivePrompt, LivePrompts } from "./live-prompts.ts";
import type { LoadedAgent } from "./load-agent.ts";
import type { Prompt, PromptRunner } from "./prompt-runner.ts";
import { type ReplayEvents, SessionEvents } from "./session-events.ts";
import { newSkills, sessionOffer } from "./session-offer.ts";

export interface SessionActorParts {
  readonly id: string;
  /** Opens the session, or finds it open. Throws `SessionIdError`, `SessionInUseError` or `JournalError`. */
  readonly open: () => Session;
  readonly current: CurrentAgent;
  readonly runner: PromptRunner;
  /** Limits how many sessions of the agent run side by side. */
  readonly slots: Semaphore;
  /** Fires when the agent is closed. */
  readonly closing: AbortSignal;
  readonly replay: ReplayEvents;
  /** Called when a prompt has ended. */
  onEnd(): void;
}

/** An input that was submitted. */
export interface Submission {
  readonly text: string;
  /** Behind the text. */
  readonly images?: readonly ImageContent[] | undefined;
  /** Unique within the session. */
  readonly id: string;
  /** Whether it is written to disk if it has to wait, so that the end of the process does not lose it. */
  readonly isKept: boolean;
  readonly model?: LanguageModel | undefined;
  readonly signal: AbortSignal;
  /** The events of its turn: first those of prompts that an earlier process did not finish. */
  emit(event: AgentEvent): void;
}

/** An active session: it owns its queue, its running prompt, that prompt's inbox, and its working directory. */
export class SessionActor {
  readonly id: string;
  readonly #parts: SessionActorParts;
  readonly #turns = new Semaphore();
  readonly #live = new LivePrompts();
  readonly events: SessionEvents;
  /** Resolves when the end of the interrupted prompt is reported, if it is being ended: the next prompt begins after that. */
  #ending: Promise<unknown> = Promise.resolve();
  /** Receives what the user says to the running prompt. */
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

  /**
   * Runs an input as `run` does, and resolves when it is on disk. One that the session knows is not run again; if an earlier
   * process did not finish it, it is finished. `onFailure` receives what goes wrong later.
   */
  async submit(submission: Omit<Submission, "emit" | "isKept">, onFailure: (error: unknown) => void): Promise<void> {
    const live = this.#live.get(submission.id);
    if (live) return live.kept.promise;
    const isKnown = this.session.promptIds.has(submission.id);
    if (isKnown && this.pendingPrompts().length === 0) return;
    const { id, model, signal } = submission;
    const running = isKnown
      ? this.#takeTurn(signal, (loaded) => this.#finishPending(loaded, { model, signal, emit() {} }))
      : this.run({ ...submission, isKept: true, emit() {} });
    running.catch(onFailure);
    await this.#live.get(id)?.kept.promise;
  }

  /** Runs an input when its turn comes, after the unfinished prompts of an earlier process. Rejects as `Agent.prompt` does. */
  run({ signal: stop, ...submission }: Submission): Promise<void> {
    return this.#live.track(submission.id, async (live) => {
      const signal = AbortSignal.any([stop, live.controller.signal]);
      const kept = submission.isKept && this.#mustWait() ? this.#keep(submission) : undefined;
      kept?.then(() => live.kept.resolve(), live.kept.reject);
      try {
        await this.#takeTurn(signal, (loaded) => this.#runNext(loaded, live, { ...submission, signal }, kept));
      } finally {
        // Prompts stopped by the close of the agent stay in the queue; cancelled ones do not.
        const input = await kept?.catch(() => undefined);
        if (input && !live.hasBegun && signal.aborted) await input.takeBack();
      }
    });
  }

  async #runNext(
    loaded: LoadedAgent,
    live: LivePrompt,
    submission: Submission,
    kept: Promise<KeptInput> | undefined,
  ): Promise<void> {
    const { id, text, images, model, signal, emit } = submission;
    const input = kept ? await kept : { ...(await this.#expanded(text)), queued: undefined };
    await this.#finishPending(loaded, submission);
    this.#parts.closing.throwIfAborted();
    live.hasBegun = !signal.aborted;
    if (!live.hasBegun) return;
    const onBegin = (flushed: () => Promise<void>): void => void flushed().then(live.kept.resolve, live.kept.reject);
    const prompt = { id, input: input.text, typed: input.typed, images, queued: input.queued, model, signal, emit };
    await this.#runPrompt(loaded, { ...prompt, ...(submission.isKept && { onBegin }) });
  }

  /** Finishes the prompts that an earlier process did not, foreign ones too. Rejects as `Agent.prompt` does. */
  async resume(submission: Pick<Submission, "model" | "signal" | "emit">): Promise<void> {
    await this.#takeTurn(submission.signal, (loaded) =>
      this.#finishPending(loaded, { ...submission, resumesForeign: true }),
    );
  }

  /**
   * Cancels a prompt. Resolves when one that waited is out of the queue, or one that was interrupted has its end; to false if
   * none of this id waits, runs or is interrupted here.
   */
  async cancel(prompt: string): Promise<boolean> {
    if (await this.#live.cancel(prompt)) return true;
    const pendingPrompt = this.#pendingEntries().find(({ id }) => id === prompt);
    if (pendingPrompt === undefined) return false;
    // It may be resumed before its end is written.
    return (await this.#endPending(pendingPrompt)) || (await this.#live.cancel(prompt));
  }

  /** Ends a prompt of an earlier process for good. Resolves to false if it is resumed meanwhile. */
  async #endPending({ queued, prompt: { prompt } }: PendingEntry): Promise<boolean> {
    if (queued === undefined) {
      const ending = this.#closeInterrupted(prompt);
      this.#ending = ending.catch(() => {});
      return ending;
    }
    await this.session.dequeue(queued);
    return true;
  }

  async #closeInterrupted(prompt: number): Promise<boolean> {
    const isClosed = await this.session.closeInterrupted(prompt);
    if (isClosed) await this.events.report(prompt);
    return isClosed;
  }

  /** As `Agent.steer`. */
  async steer(given: string, images?: readonly ImageContent[]): Promise<boolean> {
    const input = await this.#expanded(given);
    const { loaded } = this.#parts.current;
    const timestamp = loaded.options.clock.now();
    const offer = sessionOffer(loaded, this.session.skills);
    const skills = newSkills(input.text, { session: this.session, loaded, offer });
    const content = skills.map((skill) => textBlock(skillContext(skill, loaded.options.directory.path)));
    const context: UserMessage = { role: "user", content, timestamp, origin: "skill" };
    const said = userMessage({ ...input, images }, timestamp);
    return this.#inbox?.accept(said, ...(skills.length > 0 ? [context] : [])) ?? false;
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

  /** Works on the session after the unfinished prompts of an earlier process; not at all if it is aborted before. */
  async afterPending(
    { signal, emit }: Pick<Submission, "signal" | "emit">,
    work: (loaded: LoadedAgent, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    await this.#takeTurn(signal, async (loaded) => {
      await this.#finishPending(loaded, { signal, emit });
      this.#parts.closing.throwIfAborted();
      if (!signal.aborted) await work(loaded, AbortSignal.any([signal, this.#parts.closing]));
    });
  }

  /** The prompts that an earlier process did not finish, in the order in which they are finished. */
  pendingPrompts(): readonly PendingPrompt[] {
    return this.#pendingEntries().map(({ prompt, isForeign }) => (isForeign ? { ...prompt, isForeign } : prompt));
  }

  /** Resolves when nothing runs or waits. */
  async settled(): Promise<void> {
    await this.#turns.settled();
    await this.#live.settled();
  }

  /** Prompts of this process do not count, even if the session was closed and opened again while they waited. */
  #pendingEntries(): readonly PendingEntry[] {
    return pendingEntries(this.session).filter(({ id }) => this.#live.get(id) === undefined);
  }

  #mustWait(): boolean {
    return this.#turns.isBusy || this.#parts.slots.isBusy || this.#pendingEntries().length > 0;
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
    // Prompts stopped by the close are reported by events; those that never began are rejected.
    if (!hasBegun && closing.aborted) throw new AgentClosedError();
  }

  async #finishPending(
    loaded: LoadedAgent,
    { model, signal, emit, resumesForeign = loaded.options.resumesForeign }: Finishing,
  ): Promise<void> {
    await this.#ending;
    for (const pendingPrompt of this.#pendingEntries()) {
      const { prompt, queued, id, images, typed } = pendingPrompt;
      this.#parts.closing.throwIfAborted();
      if (signal.aborted && prompt.state === "queued") return;
      // It was cancelled meanwhile.
      if (queued !== undefined && !this.session.queued.some(({ number }) => number === queued)) continue;
      if (pendingPrompt.isForeign && !resumesForeign) {
        await this.#endPending(pendingPrompt);
        loaded.options.onWarning(foreignText(this.id, prompt));
        continue;
      }
      await this.#live.track(id, async (live) => {
        live.hasBegun = true;
        const stop = AbortSignal.any([signal, live.controller.signal]);
        await this.#runPrompt(loaded, {
          id,
          input: prompt.input,
          images,
          typed,
          queued,
          pendingPrompt: prompt,
          model,
          signal: stop,
          emit,
        });
      });
    }
  }

  async #runPrompt(loaded: LoadedAgent, prompt: Prompt): Promise<void> {
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

  /** What a model receives of a text of the user. */
  async #expanded(text: string): Promise<UserInput> {
    if (!isSkillCommand(text) && !isMcpPrompt(text)) return { text };
    return { text: await this.#commandText(text), typed: text };
  }

  async #commandText(text: string): Promise<string> {
    const { options, settings, servers } = this.#parts.current.loaded;
    const { path: agentDir, definition } = options.directory;
    const disabled = disabledSkills(definition.skills, this.session.skills);
    if (isMcpPrompt(text)) {
      const { expandMcpPrompt } = await import("../mcp/mcp-prompts.ts");
      return expandMcpPrompt(text, servers.all, disabled);
    }
    return expandSkillCommand(text, {
      ...{ skills: definition.skills, agentDir, disabled },
      isSent: (body) => isSent(body, this.session.conversation, settings.context),
    });
  }

  /** Writes an input that has to wait to the queue. */
  async #keep({ text: given, images, id }: Pick<Submission, "text" | "images" | "id">): Promise<KeptInput> {
    const input = await this.#expanded(given);
    const queued = await this.session.enqueue({ ...input, images }, id);
    return { ...input, queued, takeBack: () => this.#parts.open().dequeue(queued) };
  }
}

const textBlock = (text: string): TextContent => ({ type: "text", text });

/** How prompts of an earlier process are finished. */
interface Finishing extends Pick<Submission, "model" | "signal" | "emit"> {
  /** Whether foreign ones run; they are ended otherwise. Default: as the agent's options say. */
  readonly resumesForeign?: boolean | undefined;
}

const foreignText = (session: string, { prompt, state }: PendingPrompt): string =>
  state === "interrupted"
    ? `session ${session}: prompt ${prompt} was interrupted, and your mdx-ai did not begin this session here; it is closed, and none of its calls run (--resume resumes such a prompt)`
    : `session ${session}: an input is in the queue, and your mdx-ai did not begin this session here; it is taken out and does not run (--resume runs such an input)`;

interface KeptInput extends UserInput {
  readonly queued: number | undefined;
  takeBack(): Promise<void>;
}
