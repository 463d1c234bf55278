import type { Redactor, Semaphore } from "@mdx-ai/base";
import type { AgentEvent } from "@mdx-ai/loop";
import { type OpenedSession, type SessionQuestions, type SessionStore, UnknownSessionError } from "@mdx-ai/sessions";
import { AgentClosedError } from "../agent-closed-error.ts";
import type { AgentMemory } from "../memory/agent-memory.ts";
import { openQuestions } from "../questions/open-questions.ts";
import type { Accounting } from "./accounting.ts";
import type { AgentLogs } from "./agent-logs.ts";
import type { CurrentAgent } from "./current-agent.ts";
import { EventLog } from "./event-log.ts";
import type { LoadedAgent } from "./loaded-agent.ts";
import { PromptQueue } from "./prompt-queue.ts";
import type { PromptRunner } from "./prompt-runner.ts";

/** Services shared by all sessions of an agent. */
export interface SessionServices {
  readonly current: CurrentAgent;
  readonly runner: PromptRunner;
  /** Limits how many sessions of the agent run concurrently. */
  readonly slots: Semaphore;
  /** Fires when the agent is closed. */
  readonly closing: AbortSignal;
  /** Redacts everything that is written to files. */
  readonly redactor: Redactor;
  readonly store: SessionStore;
  readonly logs: AgentLogs;
  readonly accounting: Accounting;
  readonly memory: AgentMemory;
  /** Notes each use of a session. */
  readonly sessions: { use(id: string): void };
  /** The session that exists before its first prompt. */
  readonly defaultSession: string;
  /** The events behind an id of the prompts that are kept, and of those that an earlier process left unfinished. */
  replay(session: string, after: string): AsyncIterable<AgentEvent>;
  /** Called when a prompt has ended. */
  onPromptEnd(): void;
  onFailure(message: string): void;
}

/** The events that change what the session says of itself. */
const OBSERVED: ReadonlySet<AgentEvent["type"]> = new Set(["question_asked", "question_answered", "agent_end"]);

/** A session in this process: its files while it is used, its queue, its events and its questions. */
export class LiveSession {
  readonly id: string;
  readonly services: SessionServices;
  readonly queue: PromptQueue;
  readonly events: EventLog;
  /** The working directory. Absolute. Undefined: the agent's working directory. */
  cwd: string | undefined;
  /** Undefined until the session is used, and after its release. */
  #opened: OpenedSession | undefined;
  #questions: SessionQuestions | undefined;
  /** While it is being released: resolves when that is over. */
  #releasing: Promise<void> | undefined;

  constructor(id: string, services: SessionServices) {
    this.id = id;
    this.services = services;
    this.queue = new PromptQueue({ ...services, open: () => this.open() });
    this.events = new EventLog((after) => services.replay(id, after), {
      types: OBSERVED,
      send: (event) => (event.type === "agent_end" ? this.queue.endRunning() : this.questions.note(event)),
    });
  }

  /** The agent as it was read last. */
  get loaded(): LoadedAgent {
    return this.services.current.loaded;
  }

  /** The session's questions to its user. Created when first needed. */
  get questions(): SessionQuestions {
    const { options } = this.loaded;
    this.#questions ??= openQuestions(() => this.loaded.options, {
      ...{ id: this.id, redactor: this.services.redactor, clock: options.clock },
      key: () => this.open().key,
      announce: (event) => this.events.send(event),
      onWait: async (question) => (await import("./session-questions.ts")).askHooks(this, question),
    });
    return this.#questions;
  }

  /** The opened files; undefined while the session does not have the lock. */
  get opened(): OpenedSession | undefined {
    return this.#opened;
  }

  /** Opens the session for use; creates it if it does not exist. Throws `AgentClosedError`. */
  get made(): OpenedSession {
    if (this.services.closing.aborted) throw new AgentClosedError();
    const opened = this.open();
    this.use();
    return opened;
  }

  /** Opens the session for use. Throws `UnknownSessionError` if it does not exist. */
  get existing(): OpenedSession {
    this.require();
    return this.made;
  }

  /** Returns the open session, or opens it. Works while the agent closes. */
  open(): OpenedSession {
    this.#opened ??= this.services.store.open(this.id);
    return this.#opened;
  }

  /** Throws `UnknownSessionError` unless the session exists. */
  require(): void {
    const { closing, store, defaultSession } = this.services;
    const isKnown =
      this.#opened !== undefined || this.queue.hasPrompts || this.id === defaultSession || closing.aborted;
    if (!isKnown && !store.has(this.id)) throw new UnknownSessionError(this.id);
  }

  /** Notes that a reader or a caller uses it. */
  use(): void {
    this.services.sessions.use(this.id);
  }

  /** Releases the lock once no work runs or waits, then does this before other work. */
  async released(work: () => Promise<void> | void = () => {}): Promise<void> {
    await this.queue.alone(async () => {
      const over = Promise.withResolvers<void>();
      this.#releasing = over.promise;
      try {
        await this.#release();
        await work();
      } finally {
        this.#releasing = undefined;
        over.resolve();
      }
    });
  }

  /** Does work that opens the session: at once, or when it is no longer being released. Rejects as `work` does. */
  async whenFree<Result>(work: () => Promise<Result> | Result): Promise<Result> {
    while (this.#releasing !== undefined) await this.#releasing;
    return work();
  }

  async #release(): Promise<void> {
    await this.loaded.background.end(this.id);
    await this.loaded.agents?.release(this.id);
    await this.services.logs.settled();
    const key = this.#opened?.key;
    this.closeFiles();
    if (key !== undefined) this.loaded.options.programModules?.onSessionEnd?.(key);
  }

  /** Releases the lock. */
  closeFiles(): void {
    this.#opened?.close();
    this.#opened = undefined;
  }
}
