import { attempt, defined, type Redactor } from "@mdx-ai/base";
import {
  type AgentEvent,
  type AnswerWords,
  type CompactionReport,
  type Cost,
  isEventId,
  type PendingPrompt,
  type Question,
  type ToolOrigin,
  type ToolResult,
  type UserInput,
  userMessage,
} from "@mdx-ai/loop";
import type { ImageContent, Message } from "@mdx-ai/models";
import type { PermissionMode } from "@mdx-ai/parser";
import {
  AnsweredQuestionError,
  type Answering,
  answerWaiting,
  type Checkpoint,
  choiceFor,
  type OpenedSession,
  type SessionQuestions,
  type SessionStore,
  type UndoOptions,
  type UndoResult,
  UnknownQuestionError,
  UnknownSessionError,
} from "@mdx-ai/sessions";
import type { BackgroundCommand } from "@mdx-ai/tools";
import { AgentClosedError } from "../agent-closed-error.ts";
import type { AgentMemory } from "../memory/agent-memory.ts";
import { openQuestions } from "../questions/open-questions.ts";
import { requireSkill } from "../skills/skills.ts";
import type {
  ActivePrompt,
  AgentSkill,
  AttachedFile,
  CommandNote,
  EventsOptions,
  PromptOptions,
  RunningAgent,
  Session,
  SessionInfo,
  SubmitOptions,
  WorkOptions,
} from "../types/session.ts";
import type { Accounting } from "./accounting.ts";
import type { AgentLogs } from "./agent-logs.ts";
import { EventLog, eventsOf } from "./event-log.ts";
import { type LoadedAgent, toolsFolder } from "./load-agent.ts";
import type { ContextParts } from "./session-context.ts";
import { agentSkills, sessionOffer } from "./session-terms.ts";
import { SessionWork, type WorkServices } from "./session-work.ts";
import { expandedInput, skillMessage } from "./user-input.ts";

/** Services shared by all sessions of an agent. */
export interface SessionServices extends WorkServices {
  readonly store: SessionStore;
  readonly redactor: Redactor;
  readonly logs: AgentLogs;
  readonly accounting: Accounting;
  readonly memory: AgentMemory;
  /** Notes each use of a session. */
  readonly sessions: { use(session: LocalSession): void };
  /** The session that exists before its first prompt. */
  readonly defaultSession: string;
  /** The events behind an id of the prompts that are kept, and of those that an earlier process left unfinished. */
  replay(session: string, after: string): AsyncIterable<AgentEvent>;
}

const NEVER: AbortSignal = new AbortController().signal;

/** The events that change what the session says of itself. */
const OBSERVED: ReadonlySet<AgentEvent["type"]> = new Set(["question_asked", "question_answered", "agent_end"]);

/** A session on this machine. Owns its work, its events, its questions and its working directory. */
export class LocalSession implements Session {
  readonly id: string;
  readonly #services: SessionServices;
  readonly #work: SessionWork;
  readonly #events: EventLog;
  #questions: SessionQuestions | undefined;
  /** Undefined until the session is used, and after its release. */
  #opened: OpenedSession | undefined;
  /** The working directory. Absolute. Undefined: the agent's working directory. */
  #cwd: string | undefined;

  constructor(id: string, services: SessionServices) {
    this.id = id;
    this.#services = services;
    this.#events = new EventLog((after) => services.replay(id, after), {
      types: OBSERVED,
      send: (event) => this.#observe(event),
    });
    this.#work = new SessionWork({
      ...{ id, services, events: this.#events, questions: () => this.questions, open: () => this.#open() },
      session: (mustExist) => (mustExist ? this.#existing : this.#made),
      cwd: () => this.#cwd,
    });
  }

  #observe(event: AgentEvent): void {
    if (event.type === "agent_end") this.#work.queue.endRunning();
    else this.questions.note(event);
  }

  /** The session's questions to its user. Created when first needed. */
  get questions(): SessionQuestions {
    const { redactor } = this.#services;
    this.#questions ??= openQuestions(() => this.#loaded.options, {
      ...{ id: this.id, redactor, clock: this.#loaded.options.clock },
      key: () => this.#open().key,
      announce: (event) => this.#events.send(event),
      onWait: (question) => void this.#askHooks(question),
    });
    return this.#questions;
  }

  /** The hooks of modules see a question and may answer it with no. Never rejects. */
  async #askHooks(question: Question): Promise<void> {
    const { modules, options, permissions } = this.#loaded;
    const { key } = this.#open();
    const about = { session: this.id, sessionKey: key, cwd: this.#cwd ?? toolsFolder(options) };
    const { deny } = await modules.hooks.onQuestion({ ...about, mode: permissions.modeOf(key), question });
    // Unless it is answered already.
    if (deny) attempt(() => this.questions.answer(question.id, "no", { by: "program", reason: deny.reason }));
  }

  /** Whether it can be released without losing anything. */
  get isIdle(): boolean {
    const isBusy = this.#work.queue.isBusy || this.backgroundCommands.some(({ isRunning }) => isRunning);
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

  get agents(): readonly RunningAgent[] {
    return this.#loaded.agents?.callsOf(this.id) ?? [];
  }

  toolOrigins(): ReadonlyMap<string, ToolOrigin> {
    const { planned } = sessionOffer(this.#loaded, this.#existing.skills).snapshot.registry;
    return new Map(planned.map(({ name, origin }) => [name, origin]));
  }

  async submit(text: string, options: SubmitOptions = {}): Promise<string> {
    const { key: id = crypto.randomUUID(), cwd, model, images } = options;
    if (id === "") throw new TypeError("the key of a prompt must not be empty; leave it out to get a new one");
    if (cwd !== undefined) this.#cwd = cwd;
    await this.#work.submit({ text, images, id, model, signal: NEVER, isKept: true });
    return id;
  }

  prompt(text: string, options: PromptOptions = {}): AsyncIterable<AgentEvent> {
    return this.#prompt(text, options);
  }

  #prompt(text: string, options: PromptOptions & Pick<UserInput, "cost">): AsyncIterable<AgentEvent> {
    const { key, model, signal = NEVER, isKept = false, cwd, images, yields, limits, task, cost } = options;
    return eventsOf((reader) => {
      if (cwd !== undefined) this.#cwd = cwd;
      const id = key ?? crypto.randomUUID();
      const submission = { text, images, id, model, isKept, signal, reader, yields, limits, task, cost };
      return key === undefined ? this.#work.run(submission) : this.#work.runOnce(submission);
    });
  }

  resume({ model, signal = NEVER }: WorkOptions = {}): AsyncIterable<AgentEvent> {
    return eventsOf((reader) =>
      this.#work.takeTurn({ signal, reader, mustExist: true }, (turn) =>
        this.#work.finishPending(turn, { model, signal, resumesUntrusted: true }),
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

  async hasEvent(id: string): Promise<boolean> {
    this.#require();
    return isEventId(id) && this.#events.has(id);
  }

  get activePrompts(): readonly ActivePrompt[] {
    const { queue } = this.#work;
    if (this.#opened === undefined || !queue.isBusy) return queue.prompts;
    // Those of an earlier process follow the one that is being resumed.
    const waiting = this.#work.pending.filter(({ prompt }) => prompt.state === "queued");
    return [
      ...queue.prompts,
      ...waiting.map(({ id, prompt, typed }): ActivePrompt => ({ id, text: typed ?? prompt.input, state: "queued" })),
    ];
  }

  cancel(prompt: string): Promise<boolean> {
    return this.#work.cancel(prompt);
  }

  get openQuestions(): readonly Question[] {
    return this.questions.open;
  }

  async answer(id: string, words: AnswerWords, answering: Answering = { by: "program" }): Promise<void> {
    this.#require();
    try {
      this.questions.answer(id, words, answering);
    } catch (error) {
      if (!(error instanceof UnknownQuestionError)) throw error;
      if (await this.#events.hasAnswer(id)) throw new AnsweredQuestionError(id);
      this.#answerLater(id, { words, ...answering }, error);
    }
  }

  /** Answers a question that an earlier process asked, for the process that resumes its prompt. Throws `unknown` if there is none. */
  #answerLater(id: string, given: Answering & { readonly words: AnswerWords }, unknown: UnknownQuestionError): void {
    const { questionsDirectory, dataDirectory, clock } = this.#loaded.options;
    if (questionsDirectory === undefined || !this.#services.store.has(this.id)) throw unknown;
    answerWaiting({ questionsDirectory, dataDirectory }, { ...given, id, session: this.id, now: clock.now() });
  }

  async hasPrompt(id: string): Promise<boolean> {
    return this.#existing.promptIds.has(id);
  }

  async pendingPrompts(): Promise<readonly (PendingPrompt & { readonly id: string })[]> {
    return this.#work.pending.map(({ id, prompt, isForeign }) => ({ ...prompt, id, ...(isForeign && { isForeign }) }));
  }

  async steer(text: string, images?: readonly ImageContent[]): Promise<boolean> {
    const session = this.#existing;
    const input = await expandedInput(text, this.#loaded, session);
    const said = userMessage({ ...input, images }, this.#loaded.options.clock.now());
    const skills = skillMessage(input.text, this.#loaded, session);
    return this.#work.queue.steer(said, ...(skills === undefined ? [] : [skills]));
  }

  /** Gives the model the result of an agent: within the running prompt, else as a prompt of its own. Rejects as `prompt` does. */
  async deliver(text: string, cost: Cost | undefined): Promise<void> {
    const { clock, onBackgroundEvent } = this.#loaded.options;
    const message = { ...userMessage({ text }, clock.now()), origin: "agent" as const, ...defined({ cost }) };
    if (await this.#work.queue.steer(message)) return;
    for await (const event of this.#prompt(text, { isKept: true, cost })) onBackgroundEvent?.(event);
  }

  note(command: CommandNote): void {
    this.#services.logs.sessions.note(this.#made, command);
  }

  release(): Promise<void> {
    return this.#released(() => {});
  }

  async delete(): Promise<void> {
    await this.#moved(() => this.#services.store.delete(this.id));
  }

  async rename(id: string): Promise<void> {
    await this.#moved(() => this.#services.store.rename(this.id, id));
  }

  async fork(id: string, at?: number): Promise<number> {
    let head = 0;
    await this.#released(async () => {
      head = await this.#services.store.fork(this.id, id, at);
    });
    return head;
  }

  /** Releases the lock once no work runs or waits, then does this before other work. */
  async #released(work: () => Promise<void> | void): Promise<void> {
    await this.#work.queue.alone(async () => {
      await this.#loaded.background.end(this.id);
      await this.#services.logs.settled();
      const key = this.#opened?.key;
      this.#closeFiles();
      if (key !== undefined) this.#loaded.options.programModules?.onSessionEnd?.(key);
      await work();
    });
  }

  /** The same for work after which the session does not exist. */
  #moved(work: () => void): Promise<void> {
    return this.#released(() => {
      work();
      this.#events.reset();
    });
  }

  async messages(): Promise<readonly Message[]> {
    return [...this.#existing.messages];
  }

  async clear(): Promise<void> {
    await this.#work.queue.alone(async () => {
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
    await this.#work.queue.alone(async () => {
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
    await this.#work.takeTurn({ signal, reader, mustExist: true }, async (turn) => {
      await this.#work.finishPending(turn, { signal });
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
    return this.#work.queue.settled();
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
      this.#opened !== undefined || this.#work.queue.hasPrompts || this.id === defaultSession || closing.aborted;
    if (!isKnown && !store.has(this.id)) throw new UnknownSessionError(this.id);
  }

  #context(loaded: LoadedAgent): ContextParts {
    const { accounting, memory } = this.#services;
    return { session: this.#existing, loaded, cwd: this.#cwd, accounting, memory };
  }
}
