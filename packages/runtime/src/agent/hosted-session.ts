import type { Redactor } from "@mdx-ai/base";
import type { AgentEvent, Host } from "@mdx-ai/loop";
import {
  forgetfulJournal,
  type JournalLine,
  type LocalHostOptions,
  lineSession,
  NO_CHOICES,
  type OpenedSession,
  type SessionQuestions,
} from "@mdx-ai/sessions";
import type { AgentMemory } from "../memory/agent-memory.ts";
import { openQuestions } from "../questions/open-questions.ts";
import type { AgentSkill, EventsOptions, SessionInfo, WorkOptions } from "../types/session.ts";
import type { Accounting } from "./accounting.ts";
import type { CurrentAgent } from "./current-agent.ts";
import { EventLog } from "./event-log.ts";
import type { LoadedAgent } from "./loaded-agent.ts";
import { agentSkills } from "./prompt-head.ts";
import type { PromptRunner } from "./prompt-runner.ts";
import type { PromptInput } from "./prompt-setup.ts";

/** A prompt that runs on the caller's host. */
export interface PromptOnHost extends Omit<PromptInput, "cwd" | "queued"> {
  /** Replaces the agent's model: a reference such as `openai/gpt-4.1`. */
  readonly reference?: string;
  readonly hostOf: (options: LocalHostOptions) => Host & Disposable;
  /** Gives the model the result of an agent that ended later than its call. */
  readonly deliver: (text: string) => Promise<void>;
}

/** What a hosted session uses of its agent. */
export interface HostedServices {
  readonly current: CurrentAgent;
  readonly runner: PromptRunner;
  readonly accounting: Accounting;
  readonly memory: AgentMemory;
  readonly redactor: Redactor;
  readonly closing: AbortSignal;
  onPromptEnd(): void;
}

/** A session that the caller opens and runs. Owns its events and questions in this process. */
export class HostedSession {
  readonly id: string;
  readonly #services: HostedServices;
  readonly #lines: () => Promise<readonly JournalLine[]>;
  readonly #events: EventLog;
  readonly #begun = new Set<string>();
  #questions: SessionQuestions | undefined;
  #key: string;
  #runs = 0;

  /** `lines` resolves to the lines so far, from wherever the caller keeps the session. */
  constructor(id: string, lines: () => Promise<readonly JournalLine[]>, services: HostedServices) {
    this.id = id;
    this.#lines = lines;
    this.#key = id;
    this.#services = services;
    this.#events = new EventLog((after) => this.#replay(after), {
      types: new Set<AgentEvent["type"]>(["question_asked", "question_answered"]),
      send: (event) => this.questions.note(event),
    });
  }

  /** The questions that a step of this process asks. */
  get questions(): SessionQuestions {
    const { redactor, current } = this.#services;
    this.#questions ??= openQuestions(() => current.loaded.options, {
      ...{ id: this.id, redactor, clock: current.loaded.options.clock, key: () => this.#key },
      announce: (event) => this.#events.send(event),
    });
    return this.#questions;
  }

  /** Whether a prompt of it runs in this process. */
  get isRunning(): boolean {
    return this.#runs > 0;
  }

  get hasReaders(): boolean {
    return this.#events.hasReaders;
  }

  events(options: EventsOptions): AsyncIterable<AgentEvent> {
    if (this.#services.closing.aborted) this.#events.close();
    return this.#events.read(options);
  }

  hasEvent(id: string): Promise<boolean> {
    return this.#events.has(id);
  }

  /** Passes events of prompts that run elsewhere to the readers: those in the lines, from the prompt of an event on. */
  async pass(after: string): Promise<void> {
    for await (const event of this.#replay(after)) this.#events.send(event);
    // Later readers get them from the lines.
    this.#events.clear();
  }

  async *#replay(after: string): AsyncGenerator<AgentEvent, void, undefined> {
    const { eventsOfLines } = await import("../recording/recorded-events.ts");
    yield* eventsOfLines(this.#services.current.loaded.options.directory, await this.#lines(), after);
  }

  /** As `Session.info`, from its lines. */
  async info({ model }: Pick<WorkOptions, "model"> = {}): Promise<SessionInfo> {
    const { current, accounting, memory } = this.#services;
    const { sessionInfo } = await import("./session-context.ts");
    const lines = await this.#lines();
    const session = lineSession({ id: this.id, key: this.#key, lines, journal: forgetfulJournal });
    return sessionInfo({ ...{ session, accounting, memory, model }, loaded: current.loaded });
  }

  /** The skills of the agent. */
  skills(): readonly AgentSkill[] {
    return agentSkills(this.#services.current.loaded, NO_CHOICES);
  }

  /** Ends the streams of all readers. */
  close(): void {
    this.#events.close();
  }

  /** Runs a prompt in the opened session. Rejects with `HostEndedError`, and as `Session.prompt` does. */
  async run(session: OpenedSession, { reference, ...prompt }: PromptOnHost): Promise<void> {
    const { current, runner, closing, onPromptEnd } = this.#services;
    const { openModel } = current.loaded.options;
    const model = reference === undefined ? undefined : await openModel?.(reference);
    this.#key = session.key;
    const isRepeated = this.#begun.has(prompt.id);
    this.#begun.add(prompt.id);
    this.#runs++;
    const parts = { events: this.#events, questions: () => this.questions, cwd: undefined, isRepeated };
    try {
      await current.use(closing, (loaded: LoadedAgent) =>
        runner.run(session, loaded, { ...prompt, ...parts, ...(model && { model }) }),
      );
      this.#begun.delete(prompt.id);
      onPromptEnd();
    } finally {
      this.#runs--;
      this.#events.clear();
    }
  }
}
