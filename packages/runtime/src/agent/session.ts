import type { Redactor, Semaphore } from "@mdx-ai/base";
import {
  type AgentEvent,
  type AnswerWords,
  type CompactionReport,
  isEventId,
  type PendingPrompt,
  type Question,
  type ToolOrigin,
  type ToolResult,
  type UserInput,
  userMessage,
} from "@mdx-ai/loop";
import type { ImageContent, LanguageModel, Message } from "@mdx-ai/models";
import type { PermissionMode } from "@mdx-ai/parser";
import {
  type Checkpoint,
  choiceFor,
  type OpenedSession,
  type PendingEntry,
  type SessionQuestions,
  type SessionStore,
  type UndoOptions,
  type UndoResult,
  UnknownSessionError,
} from "@mdx-ai/sessions";
import type { BackgroundCommand } from "@mdx-ai/tools";
import type { AgentMemory } from "../memory/agent-memory.ts";
import { openQuestions } from "../questions/open-questions.ts";
import { requireSkill } from "../skills/skills.ts";
import type {
  AgentSkill,
  AttachedFile,
  CommandNote,
  EventsOptions,
  PromptOptions,
  Session,
  SessionInfo,
  SubmitOptions,
  WorkOptions,
} from "../types/session.ts";
import type { Accounting } from "./accounting.ts";
import { AgentClosedError } from "./agent-closed-error.ts";
import type { AgentLogs } from "./agent-logs.ts";
import type { CurrentAgent } from "./current-agent.ts";
import { EventLog, type EventReader, eventsOf } from "./event-log.ts";
import { type LoadedAgent, toolsFolder } from "./load-agent.ts";
import { type KeptInput, PromptQueue, type QueuedPrompt } from "./prompt-queue.ts";
import type { Prompt, PromptRunner } from "./prompt-runner.ts";
import type { ContextParts } from "./session-context.ts";
import { agentSkills, sessionOffer } from "./session-terms.ts";
import { expandedInput, skillMessage } from "./user-input.ts";

/** Services shared by all sessions of an agent. */
export interface SessionServices {
  readonly current: CurrentAgent;
  readonly runner: PromptRunner;
  readonly store: SessionStore;
  readonly redactor: Redactor;
  readonly logs: AgentLogs;
  readonly accounting: Accounting;
  readonly memory: AgentMemory;
  /** Limits how many sessions of the agent run concurrently. */
  readonly slots: Semaphore;
  /** Fires when the agent is closed. */
  readonly closing: AbortSignal;
  /** Notes each use of a session. */
  readonly sessions: { use(session: LocalSession): void };
  /** The session that exists before its first prompt. */
  readonly defaultSession: string;
  /** The events behind an id of the prompts that are kept, and of those that an earlier process left unfinished. */
  replay(session: string, after: string): AsyncIterable<AgentEvent>;
  /** Called when a prompt has ended. */
  onPromptEnd(): void;
  onFailure(message: string): void;
}

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
  /** Receives the events of its turn, beginning with unfinished prompts of an earlier process. */
  readonly reader?: EventReader;
}

const NEVER: AbortSignal = new AbortController().signal;

/** A session on this machine. Owns its queue, its running prompt, its events and its working directory. */
export class LocalSession implements Session {
  readonly id: string;
  readonly #services: SessionServices;
  readonly #queue: PromptQueue;
  readonly #events: EventLog;
  #questions: SessionQuestions | undefined;
  /** Undefined until the session is used, and after its release. */
  #opened: OpenedSession | undefined;
  /** While an interrupted prompt is being closed: resolves when its end is reported. The next prompt waits for it. */
  #ending: Promise<unknown> = Promise.resolve();
  /** The working directory. Absolute. Undefined: the agent's working directory. */
  #cwd: string | undefined;

  constructor(id: string, services: SessionServices) {
    this.id = id;
    this.#services = services;
    this.#events = new EventLog((after) => services.replay(id, after));
    this.#queue = new PromptQueue({ ...services, open: () => this.#open() });
  }

  /** The session's questions to its user. Created when first needed. */
  get questions(): SessionQuestions {
    const { redactor } = this.#services;
    this.#questions ??= openQuestions(() => this.#loaded.options, {
      ...{ id: this.id, redactor, clock: this.#loaded.options.clock },
      key: () => this.#open().key,
      announce: (event) => this.#events.send(event),
    });
    return this.#questions;
  }

  /** Whether it can be released without losing anything. */
  get isIdle(): boolean {
    const isBusy = this.#queue.isBusy || this.backgroundCommands.some(({ isRunning }) => isRunning);
    return !isBusy && !this.#events.hasReaders && this.#services.store.isDurable;
  }

  /** Whether it has the lock. */
  get isOpen(): boolean {
    return this.#opened !== undefined;
  }

  get mode(): PermissionMode {
    const { permissions } = this.#loaded;
    return this.#opened === undefined ? permissions.mode : permissions.modeOf(this.#opened.key);
  }

  get backgroundCommands(): readonly BackgroundCommand[] {
    return this.#loaded.background.list(this.id);
  }

  toolOrigins(): ReadonlyMap<string, ToolOrigin> {
    const { planned } = sessionOffer(this.#loaded, this.#existing.skills).snapshot.registry;
    return new Map(planned.map(({ name, origin }) => [name, origin]));
  }

  async submit(text: string, options: SubmitOptions = {}): Promise<string> {
    const { key: id = crypto.randomUUID(), cwd, model, images } = options;
    if (id === "") throw new TypeError("the key of a prompt must not be empty; leave it out to get a new one");
    if (cwd !== undefined) this.#cwd = cwd;
    await this.#submit({ text, images, id, model, signal: NEVER, isKept: true });
    return id;
  }

  prompt(text: string, options: PromptOptions = {}): AsyncIterable<AgentEvent> {
    const { model, signal = NEVER, isKept = false, cwd, images } = options;
    return eventsOf((reader) => {
      if (cwd !== undefined) this.#cwd = cwd;
      return this.#run({ text, images, id: crypto.randomUUID(), model, isKept, signal, reader });
    });
  }

  resume({ model, signal = NEVER }: WorkOptions = {}): AsyncIterable<AgentEvent> {
    return eventsOf((reader) =>
      this.#takeTurn({ signal, reader, mustExist: true }, (turn) =>
        this.#finishPending(turn, { model, signal, resumesUntrusted: true }),
      ),
    );
  }

  events(options: EventsOptions = {}): AsyncIterable<AgentEvent> {
    const { after } = options;
    if (after !== undefined && !isEventId(after)) {
      throw new TypeError(
        `${JSON.stringify(after)} is not an event id; expected an id such as "3.7", or "0.0" for all events`,
      );
    }
    this.#require();
    if (this.#services.closing.aborted) this.#events.close();
    else this.#services.sessions.use(this);
    return this.#events.read(options);
  }

  async cancel(prompt: string): Promise<boolean> {
    if (await this.#queue.cancel(prompt)) return true;
    const pendingPrompt = this.#pendingEntries().find(({ id }) => id === prompt);
    if (pendingPrompt === undefined) return false;
    // It may be resumed before the end is written.
    return (await this.#endPending(pendingPrompt)) || (await this.#queue.cancel(prompt));
  }

  get openQuestions(): readonly Question[] {
    return this.questions.open;
  }

  async answer(id: string, words: AnswerWords): Promise<void> {
    this.questions.answer(id, words);
  }

  async pendingPrompts(): Promise<readonly PendingPrompt[]> {
    return this.#pendingEntries().map(({ prompt, isForeign }) => (isForeign ? { ...prompt, isForeign } : prompt));
  }

  async steer(text: string, images?: readonly ImageContent[]): Promise<boolean> {
    const session = this.#existing;
    const input = await expandedInput(text, this.#loaded, session);
    const said = userMessage({ ...input, images }, this.#loaded.options.clock.now());
    const skills = skillMessage(input.text, this.#loaded, session);
    return this.#queue.steer(said, ...(skills === undefined ? [] : [skills]));
  }

  note(command: CommandNote): void {
    this.#services.logs.sessions.note(this.#made, command);
  }

  async release(): Promise<void> {
    await this.#queue.alone(async () => {
      await this.#loaded.background.end(this.id);
      await this.#services.logs.sessions.settled();
      const key = this.#opened?.key;
      this.#closeFiles();
      if (key !== undefined) this.#loaded.options.programModules?.onSessionEnd?.(key);
    });
  }

  async messages(): Promise<readonly Message[]> {
    return [...this.#existing.messages];
  }

  async clear(): Promise<void> {
    await this.#queue.alone(async () => {
      const session = this.#existing;
      const { lastPrompt } = session;
      session.clear();
      this.#events.clear();
      this.#services.logs.sessions.clear(session, lastPrompt);
    });
  }

  async skills(): Promise<readonly AgentSkill[]> {
    return agentSkills(this.#loaded, this.#existing.skills);
  }

  enableSkill(name: string): Promise<void> {
    return this.#chooseSkill(name, true);
  }

  disableSkill(name: string): Promise<void> {
    return this.#chooseSkill(name, false);
  }

  async #chooseSkill(name: string, enabled: boolean): Promise<void> {
    await requireSkill(name, this.#loaded.options.directory.definition.skills);
    const session = this.#made;
    session.chooseSkills(choiceFor(name, enabled, session.skills));
  }

  async checkpoints(): Promise<readonly Checkpoint[]> {
    const { listCheckpoints } = await import("./undo.ts");
    return listCheckpoints(this.#existing);
  }

  undo(options: UndoOptions = {}): Promise<UndoResult | undefined> {
    return this.#undo(options);
  }

  rewind(prompt: number, options: UndoOptions = {}): Promise<UndoResult | undefined> {
    return this.#undo({ ...options, prompt });
  }

  async #undo(options: UndoOptions & { readonly prompt?: number }): Promise<UndoResult | undefined> {
    let result: UndoResult | undefined;
    await this.#queue.alone(async () => {
      const { undo } = await import("./undo.ts");
      result = await undo(this.#existing, options);
      this.#loaded.files.forget(this.id);
      // Later readers get the events from the journal.
      this.#events.clear();
    });
    return result;
  }

  async compact({ model, signal = NEVER }: WorkOptions = {}): Promise<CompactionReport | undefined> {
    const { closing } = this.#services;
    let report: CompactionReport | undefined;
    const reader = { send: (event: AgentEvent) => this.#loaded.options.onBackgroundEvent?.(event) };
    await this.#takeTurn({ signal, reader, mustExist: true }, async (turn) => {
      await this.#finishPending(turn, { signal });
      closing.throwIfAborted();
      if (signal.aborted) return;
      const { compactSession } = await import("./session-context.ts");
      report = await compactSession({ ...this.#context(turn.loaded), model }, AbortSignal.any([signal, closing]));
    });
    return report;
  }

  async info({ model }: Pick<WorkOptions, "model"> = {}): Promise<SessionInfo> {
    const { sessionInfo } = await import("./session-context.ts");
    return sessionInfo({ ...this.#context(this.#loaded), model });
  }

  async readAttachment(
    file: AttachedFile,
    confirm: (reason: string) => Promise<boolean>,
  ): Promise<ToolResult | string> {
    const { permissions, files, options } = this.#loaded;
    const { readAttachment } = await import("./read-attachment.ts");
    const place = { agentDir: options.directory.path, cwd: toolsFolder(options) };
    return readAttachment(file, { permissions, files, session: this.id, place, confirm });
  }

  /** Resolves when no work runs or waits. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }

  /** Once no work runs or waits, ends all event streams and releases the lock. */
  close(): void {
    this.#closeFiles();
    this.#events.close();
  }

  #closeFiles(): void {
    this.#opened?.close();
    this.#opened = undefined;
  }

  get #loaded(): LoadedAgent {
    return this.#services.current.loaded;
  }

  /** Opens the session; creates it if it does not exist. */
  get #made(): OpenedSession {
    const { closing, sessions } = this.#services;
    if (closing.aborted) throw new AgentClosedError();
    const opened = this.#open();
    sessions.use(this);
    return opened;
  }

  /** Returns the open session, or opens it. Works while the agent closes. */
  #open(): OpenedSession {
    this.#opened ??= this.#services.store.open(this.id);
    return this.#opened;
  }

  /** Opens the session. Throws `UnknownSessionError` if it does not exist. */
  get #existing(): OpenedSession {
    this.#require();
    return this.#made;
  }

  #require(): void {
    const { closing, store, defaultSession } = this.#services;
    const isKnown =
      this.#opened !== undefined || this.#queue.hasPrompts || this.id === defaultSession || closing.aborted;
    if (!isKnown && !store.has(this.id)) throw new UnknownSessionError(this.id);
  }

  #context(loaded: LoadedAgent): ContextParts {
    const { accounting, memory } = this.#services;
    return { session: this.#existing, loaded, cwd: this.#cwd, accounting, memory };
  }

  /** Does not run a known prompt again, but finishes one that an earlier process left unfinished. */
  async #submit(submission: Submission): Promise<void> {
    const { id } = submission;
    const live = this.#queue.get(id);
    if (live) return live.kept.promise;
    const isKnown = this.#made.promptIds.has(id);
    if (isKnown && this.#pendingEntries().length === 0) return;
    const running = isKnown
      ? this.#takeTurn(submission, (turn) => this.#finishPending(turn, submission))
      : this.#run(submission);
    running.catch((error: unknown) => {
      this.#services.onFailure(`prompt ${id} of session ${this.id} failed: ${String(error)}`);
    });
    await this.#queue.get(id)?.kept.promise;
  }

  /** Runs an input in its turn, after the unfinished prompts of an earlier process. */
  #run(submission: Submission): Promise<void> {
    const { id, text, images, signal, isKept } = submission;
    const isWritten = isKept && (this.#queue.mustWait || this.#pendingOf(this.#made).length > 0);
    const input = async (session: OpenedSession): Promise<UserInput> => ({
      ...(isCommand(text) ? await expandedInput(text, this.#loaded, session) : { text }),
      images,
    });
    return this.#queue.add({ id, signal, kept: isWritten ? () => input(this.#made) : undefined }, (live, stop, kept) =>
      this.#takeTurn({ ...submission, signal: stop }, async (turn) => {
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
    const { id, model, signal, isKept } = submission;
    await this.#finishPending(turn, submission);
    this.#services.closing.throwIfAborted();
    live.hasBegun = !signal.aborted;
    if (!live.hasBegun) return;
    await this.#runPrompt(turn, { id, input, ...said, model, signal, ...(isKept && { kept: live.kept }) });
  }

  /** Closes a prompt of an earlier process for good. Resolves to false if it has been resumed meanwhile. */
  async #endPending({ queued, prompt: { prompt } }: PendingEntry): Promise<boolean> {
    if (queued === undefined) {
      const ending = this.#closeInterrupted(prompt);
      this.#ending = ending.catch(() => {});
      return ending;
    }
    await this.#made.dequeue(queued);
    return true;
  }

  async #closeInterrupted(prompt: number): Promise<boolean> {
    const isClosed = await this.#made.closeInterrupted(prompt);
    if (isClosed) this.questions.forgetPrompt(prompt, true);
    if (isClosed) await this.#events.report(prompt);
    return isClosed;
  }

  /** Leaves out prompts of this process, even if the session was reopened while they waited. */
  #pendingEntries(): readonly PendingEntry[] {
    return this.#pendingOf(this.#existing);
  }

  #pendingOf(session: OpenedSession): readonly PendingEntry[] {
    return session.pending.filter(({ id }) => this.#queue.get(id) === undefined);
  }

  /** Waits for the session's turn, then works with the agent's current files. */
  #takeTurn({ signal, reader, mustExist = false }: TurnOptions, work: (turn: Turn) => Promise<void>): Promise<void> {
    return this.#queue.takeTurn(signal, (stop) =>
      this.#services.current.use(stop, async (loaded) => {
        if (stop.aborted) return false;
        const session = mustExist ? this.#existing : this.#made;
        await this.#events.readBy(reader ? [reader] : [], () => work({ loaded, session }));
        return true;
      }),
    );
  }

  async #finishPending(
    { loaded, session }: Turn,
    { model, signal, resumesUntrusted = loaded.options.resumesUntrusted }: Finishing,
  ): Promise<void> {
    await this.#ending;
    for (const pendingPrompt of this.#pendingOf(session)) {
      const { prompt, queued, id, images, typed } = pendingPrompt;
      this.#services.closing.throwIfAborted();
      if (signal.aborted && prompt.state === "queued") return;
      // Cancelled meanwhile.
      if (queued !== undefined && !session.queued.some(({ number }) => number === queued)) continue;
      if (pendingPrompt.isForeign && !resumesUntrusted) {
        await this.#endPending(pendingPrompt);
        loaded.options.onWarning(foreignText(this.id, prompt));
        continue;
      }
      await this.#queue.track(id, async (live) => {
        live.hasBegun = true;
        const stop = AbortSignal.any([signal, live.controller.signal]);
        const content = { input: prompt.input, images, typed, queued, pendingPrompt: prompt };
        await this.#runPrompt({ loaded, session }, { id, ...content, model, signal: stop });
      });
    }
  }

  async #runPrompt({ loaded, session }: Turn, prompt: Omit<Prompt, "events" | "questions">): Promise<void> {
    const { runner, onPromptEnd } = this.#services;
    const parts = { cwd: this.#cwd, events: this.#events, questions: () => this.questions };
    await this.#queue.withInbox((onInbox) => runner.run(session, loaded, { ...prompt, ...parts, onInbox }));
    onPromptEnd();
  }
}

/** The session, and the agent as loaded when the session's turn came. */
interface Turn {
  readonly loaded: LoadedAgent;
  readonly session: OpenedSession;
}

interface TurnOptions extends Pick<Submission, "signal" | "reader"> {
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

const foreignText = (session: string, { prompt, state }: PendingPrompt): string =>
  state === "interrupted"
    ? `session ${session}: prompt ${prompt} was interrupted, and the session is untrusted: it came from elsewhere; the prompt is closed without running its calls (--resume resumes it)`
    : `session ${session}: an input is queued, and the session is untrusted: it came from elsewhere; the input is removed without running (--resume runs it)`;
