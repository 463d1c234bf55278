import { defined } from "@mdx-ai/base";
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
import type { Answering, Checkpoint, OpenedSession, SessionQuestions, UndoOptions, UndoResult } from "@mdx-ai/sessions";
import type { BackgroundCommand } from "@mdx-ai/tools";
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
import { eventsOf } from "./event-log.ts";
import { LiveSession, type SessionServices } from "./live-session.ts";
import type { LoadedAgent } from "./loaded-agent.ts";
import { agentSkills, toolSetOf } from "./prompt-head.ts";
import { SessionWork } from "./session-work.ts";
import { expandedInput, skillMessage } from "./user-input.ts";

const NEVER: AbortSignal = new AbortController().signal;

/** A session on this machine: what its user does with it. */
export class LocalSession implements Session {
  readonly id: string;
  readonly #live: LiveSession;
  readonly #work: SessionWork;

  constructor(id: string, services: SessionServices) {
    this.id = id;
    this.#live = new LiveSession(id, services);
    this.#work = new SessionWork(this.#live);
  }

  /** The session's questions to its user. */
  get questions(): SessionQuestions {
    return this.#live.questions;
  }

  /** Whether it can be released without losing anything. */
  get isIdle(): boolean {
    const { queue, events, services } = this.#live;
    const isBusy = queue.isBusy || this.backgroundCommands.some(({ isRunning }) => isRunning);
    return !isBusy && !events.hasReaders && services.store.isDurable;
  }

  /** Whether it has the lock. */
  get isOpen(): boolean {
    return this.#live.opened !== undefined;
  }

  get mode(): PermissionMode {
    const { loaded, opened } = this.#live;
    return opened === undefined ? loaded.permissions.mode : loaded.permissions.modeOf(opened.key);
  }

  get backgroundCommands(): readonly BackgroundCommand[] {
    return this.#loaded.background.list(this.id);
  }

  get agents(): readonly RunningAgent[] {
    return this.#loaded.agents?.callsOf(this.id) ?? [];
  }

  toolOrigins(): ReadonlyMap<string, ToolOrigin> {
    const { planned } = toolSetOf(this.#loaded, this.#existing.skills).snapshot.registry;
    return new Map(planned.map(({ name, origin }) => [name, origin]));
  }

  async submit(text: string, options: SubmitOptions = {}): Promise<string> {
    const { key: id = crypto.randomUUID(), cwd, model, images } = options;
    if (id === "") throw new TypeError("the key of a prompt must not be empty; leave it out to get a new one");
    if (cwd !== undefined) this.#live.cwd = cwd;
    await this.#live.whenFree(() => this.#work.submit({ text, images, id, model, signal: NEVER, isKept: true }));
    return id;
  }

  prompt(text: string, options: PromptOptions = {}): AsyncIterable<AgentEvent> {
    return this.#prompt(text, options);
  }

  #prompt(text: string, options: PromptOptions & Pick<UserInput, "cost">): AsyncIterable<AgentEvent> {
    const { key, model, signal = NEVER, isKept = false, cwd, images, yields, limits, task, cost } = options;
    return eventsOf((reader) => {
      if (cwd !== undefined) this.#live.cwd = cwd;
      const id = key ?? crypto.randomUUID();
      const submission = { text, images, id, model, isKept, signal, reader, yields, limits, task, cost };
      return this.#live.whenFree(() =>
        key === undefined ? this.#work.run(submission) : this.#work.runOnce(submission),
      );
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
    this.#live.require();
    const { events, services } = this.#live;
    if (services.closing.aborted) events.close();
    else this.#live.use();
    return events.read(options);
  }

  async hasEvent(id: string): Promise<boolean> {
    this.#live.require();
    return isEventId(id) && this.#live.events.has(id);
  }

  get activePrompts(): readonly ActivePrompt[] {
    const { queue, opened } = this.#live;
    if (opened === undefined || !queue.isBusy) return queue.prompts;
    // Those of an earlier process follow the one that is being resumed.
    const waiting = this.#work.pending.filter(({ prompt }) => prompt.state === "queued");
    return [
      ...queue.prompts,
      ...waiting.map(({ id, prompt, typed }): ActivePrompt => ({ id, text: typed ?? prompt.input, state: "queued" })),
    ];
  }

  cancel(prompt: string): Promise<boolean> {
    return this.#live.whenFree(() => this.#work.cancel(prompt));
  }

  get openQuestions(): readonly Question[] {
    return this.questions.open;
  }

  async answer(id: string, words: AnswerWords, answering: Answering = { by: "program" }): Promise<void> {
    this.#live.require();
    const { answerQuestion } = await import("./session-questions.ts");
    await answerQuestion(this.#live, id, { ...answering, words });
  }

  async hasPrompt(id: string): Promise<boolean> {
    return this.#live.whenFree(() => this.#existing.promptIds.has(id));
  }

  async pendingPrompts(): Promise<readonly (PendingPrompt & { readonly id: string })[]> {
    const pending = await this.#live.whenFree(() => this.#work.pending);
    return pending.map(({ id, prompt, isUntrusted }) => ({
      ...prompt,
      id,
      ...(isUntrusted && { isUntrusted }),
    }));
  }

  async steer(text: string, images?: readonly ImageContent[]): Promise<boolean> {
    const session = await this.#live.whenFree(() => this.#existing);
    const { loaded, queue } = this.#live;
    const input = await expandedInput(text, loaded, session);
    const said = userMessage({ ...input, images }, loaded.options.clock.now());
    const skills = skillMessage(input.text, loaded, session);
    return queue.steer(said, ...(skills === undefined ? [] : [skills]));
  }

  /** Gives the model the result of an agent: within the running prompt, else as a prompt of its own. Rejects as `prompt` does. */
  async deliver(text: string, cost: Cost | undefined): Promise<void> {
    const { clock, onBackgroundEvent } = this.#loaded.options;
    const message = { ...userMessage({ text }, clock.now()), origin: "agent" as const, ...defined({ cost }) };
    if (await this.#live.queue.steer(message)) return;
    for await (const event of this.#prompt(text, { isKept: true, cost })) onBackgroundEvent?.(event);
  }

  note(command: CommandNote): void {
    this.#live.services.logs.sessions.note(this.#live.made, command);
  }

  release(): Promise<void> {
    return this.#live.released();
  }

  async delete(): Promise<void> {
    await this.#moved(() => this.#live.services.store.delete(this.id));
  }

  async rename(id: string): Promise<void> {
    await this.#moved(() => this.#live.services.store.rename(this.id, id));
  }

  async fork(id: string, at?: number): Promise<number> {
    let head = 0;
    await this.#live.released(async () => {
      head = await this.#live.services.store.fork(this.id, id, at);
    });
    return head;
  }

  /** Releases it, then does work after which the session does not exist. */
  #moved(work: () => void): Promise<void> {
    return this.#live.released(() => {
      work();
      this.#live.events.reset();
    });
  }

  async messages(): Promise<readonly Message[]> {
    return this.#live.whenFree(() => [...this.#existing.messages]);
  }

  clear(): Promise<void> {
    return this.#change(async ({ clear }) => clear(this.#live));
  }

  async skills(): Promise<readonly AgentSkill[]> {
    return this.#live.whenFree(() => agentSkills(this.#loaded, this.#existing.skills));
  }

  enableSkill(name: string): Promise<void> {
    return this.#chooseSkill(name, true);
  }

  disableSkill(name: string): Promise<void> {
    return this.#chooseSkill(name, false);
  }

  async #chooseSkill(name: string, enabled: boolean): Promise<void> {
    const { chooseSkill } = await changes();
    await chooseSkill(this.#live, name, enabled);
  }

  async checkpoints(): Promise<readonly Checkpoint[]> {
    const { checkpointsOf } = await changes();
    return this.#live.whenFree(() => checkpointsOf(this.#live));
  }

  undo(options: UndoOptions = {}): Promise<UndoResult | undefined> {
    return this.#change(({ undoPrompts }) => undoPrompts(this.#live, options));
  }

  rewind(prompt: number, options: UndoOptions = {}): Promise<UndoResult | undefined> {
    return this.#change(({ undoPrompts }) => undoPrompts(this.#live, { ...options, prompt }));
  }

  /** Changes it once no work runs or waits, before later work. */
  async #change<Result>(change: (code: Changes) => Promise<Result>): Promise<Result> {
    const changed = Promise.withResolvers<Result>();
    await this.#live.queue.alone(async () => changed.resolve(await change(await changes())));
    return changed.promise;
  }

  async compact({ model, signal = NEVER }: WorkOptions = {}): Promise<CompactionReport | undefined> {
    let report: CompactionReport | undefined;
    const reader = { send: (event: AgentEvent) => this.#loaded.options.onBackgroundEvent?.(event) };
    await this.#work.takeTurn({ signal, reader, mustExist: true }, async (turn) => {
      await this.#work.finishPending(turn, { signal });
      const { compactNow } = await changes();
      report = await compactNow(this.#live, turn.loaded, { model, signal });
    });
    return report;
  }

  async info({ model }: Pick<WorkOptions, "model"> = {}): Promise<SessionInfo> {
    const { infoOf } = await changes();
    return this.#live.whenFree(() => infoOf(this.#live, model));
  }

  async readAttachment(
    file: AttachedFile,
    confirm: (reason: string) => Promise<boolean>,
  ): Promise<ToolResult | string> {
    const { attach } = await changes();
    return attach(this.#live, file, confirm);
  }

  /** Resolves when no work runs or waits. */
  settled(): Promise<void> {
    return this.#live.queue.settled();
  }

  /** Once no work runs or waits, ends all event streams and releases the lock. */
  close(): void {
    this.#live.closeFiles();
    this.#live.events.close();
  }

  get #loaded(): LoadedAgent {
    return this.#live.loaded;
  }

  get #existing(): OpenedSession {
    return this.#live.existing;
  }
}

type Changes = typeof import("./session-changes.ts");

/** Loads the code for changes. */
const changes = (): Promise<Changes> => import("./session-changes.ts");
