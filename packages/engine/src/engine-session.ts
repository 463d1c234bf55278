import { whenAborted } from "@mdx-ai/base";
import { type AgentEvent, type AnswerWords, type PendingPrompt, type Question, userMessage } from "@mdx-ai/loop";
import type { ImageContent, Message } from "@mdx-ai/models";
import {
  type ActivePrompt,
  type EventsOptions,
  type HostedSession,
  PromptKeyError,
  type PromptOptions,
  type Session,
  type SubmitOptions,
} from "@mdx-ai/runtime";
import { type Answering, type Checkpoint, leavable, UnsupportedOperationError } from "@mdx-ai/sessions";
import { EngineQuestions } from "./engine-questions.ts";
import { EngineTranscript } from "./engine-transcript.ts";
import { followSession } from "./follow-session.ts";
import type { RunningPrompt, Submission } from "./protocol.ts";
import type { EngineSessions } from "./shared-sessions.ts";

/**
 * A session of the engine. What is read without waiting (`activePrompts`, `openQuestions`) is as of the last refresh. Files that tools
 * changed stay on the worker that ran them, so they are not restored.
 */
export class EngineSession implements Session {
  readonly id: string;
  readonly #sessions: EngineSessions;
  /** Resolves when its readers know which events are new: those of a prompt that ends before would be lost to them. */
  #joined: Promise<unknown> = Promise.resolve();
  readonly #local: Session;

  /** `local` is the session of the same id on this machine, which is never opened. */
  constructor(id: string, sessions: EngineSessions, local: Session) {
    this.id = id;
    this.#sessions = sessions;
    this.#local = local;
  }

  get #transcript(): EngineTranscript {
    return new EngineTranscript(this.id, this.#sessions);
  }

  get #questions(): EngineQuestions {
    return new EngineQuestions(this.id, this.#sessions);
  }

  get #hosted(): HostedSession {
    return this.#sessions.hosted(this.id);
  }

  get mode(): Session["mode"] {
    return this.#local.mode;
  }

  get backgroundCommands(): Session["backgroundCommands"] {
    return this.#local.backgroundCommands;
  }

  get agents(): Session["agents"] {
    return this.#local.agents;
  }

  toolOrigins(): ReturnType<Session["toolOrigins"]> {
    return this.#local.toolOrigins();
  }

  async submit(text: string, { key = crypto.randomUUID(), ...options }: SubmitOptions = {}): Promise<string> {
    if (key === "") throw new TypeError("the key of a prompt must not be empty; leave it out to get a new one");
    await this.#submit({ id: key, text, ...submitted(options) });
    return key;
  }

  /** Whether the prompt is new. */
  async #submit(input: Submission): Promise<boolean> {
    await this.#joined;
    const outcome = await this.#call("submit", input);
    if (outcome === "other") throw new PromptKeyError(input.id);
    return outcome !== "known";
  }

  prompt(text: string, options: PromptOptions = {}): AsyncIterable<AgentEvent> {
    const leaving = new AbortController();
    return leavable(this.#prompt(text, options, leaving.signal), () => leaving.abort());
  }

  async *#prompt(
    text: string,
    { signal, key: id = crypto.randomUUID(), ...options }: PromptOptions,
    left: AbortSignal,
  ): AsyncGenerator<AgentEvent, void, undefined> {
    await this.#submit({ id, text, ...submitted(options) });
    using _listener = signal && whenAborted(signal, () => void this.cancel(id));
    let hasBegun = false;
    // Its first events may have come already.
    for await (const event of this.events({ after: "0.0", signal: left })) {
      hasBegun ||= event.type === "agent_start" && event.promptId === id;
      if (!hasBegun) continue;
      yield event;
      if (event.type === "agent_end") return;
    }
  }

  events(options: EventsOptions = {}): AsyncIterable<AgentEvent> {
    const leaving = new AbortController();
    const { signal = leaving.signal } = options;
    const left = AbortSignal.any([leaving.signal, signal]);
    const events = this.#hosted.events({ ...options, signal: left })[Symbol.asyncIterator]();
    if (options.isFollowing !== false) {
      const { promise, resolve: onJoined } = Promise.withResolvers<void>();
      this.#joined = Promise.all([this.#joined, promise]).then(() => {});
      void followSession(this.#sessions, this.id, { after: options.after, left, onJoined });
    }
    const leave = (): void => {
      leaving.abort();
      this.#sessions.leave(this.id);
    };
    return leavable(readAll(events), leave);
  }

  async hasEvent(id: string): Promise<boolean> {
    return this.#hosted.hasEvent(id);
  }

  get #running(): RunningPrompt | undefined {
    return this.#sessions.stateOf(this.id).running;
  }

  get activePrompts(): readonly ActivePrompt[] {
    const { queue } = this.#sessions.stateOf(this.id);
    const running = this.#running;
    return [...(running ? [active(running, "running")] : []), ...queue.map((input) => active(input, "queued"))];
  }

  async cancel(prompt: string): Promise<boolean> {
    return (await this.#call("cancel", prompt)) === true;
  }

  get openQuestions(): readonly Question[] {
    return this.#questions.open;
  }

  answer(id: string, words: AnswerWords, answering: Answering = { by: "program" }): Promise<void> {
    return this.#questions.answer(id, words, answering);
  }

  async *resume(): AsyncGenerator<AgentEvent, void, undefined> {
    // The engine resumes prompts itself.
  }

  async hasPrompt(id: string): Promise<boolean> {
    return (await this.#call("knows", id)) === true;
  }

  async pendingPrompts(): Promise<readonly (PendingPrompt & { readonly id: string })[]> {
    return [];
  }

  async steer(text: string, images?: readonly ImageContent[]): Promise<boolean> {
    return (await this.#call("steer", [userMessage({ text, images }, Date.now())])) === true;
  }

  /** Gives the model the result of an agent: within the running prompt, else as a prompt of its own. */
  async deliver(text: string): Promise<void> {
    const message = { ...userMessage({ text }, Date.now()), origin: "agent" };
    if ((await this.#call("steer", [message])) !== true) await this.submit(text);
  }

  note(): void {}

  async release(): Promise<void> {}

  async delete(): Promise<void> {
    await this.#sessions.change(this.id, "remove");
    this.#hosted.close();
    this.#sessions.leave(this.id);
  }

  rename(): Promise<void> {
    return unsupported("a session of an engine keeps its id; give it a title");
  }

  fork(id: string, at?: number): Promise<number> {
    return this.#transcript.fork(id, at);
  }

  messages(): Promise<readonly Message[]> {
    return this.#transcript.messages();
  }

  clear(): Promise<void> {
    return unsupported("a session of an engine cannot be cleared; begin a new one");
  }

  async skills(): ReturnType<Session["skills"]> {
    return this.#hosted.skills();
  }

  enableSkill(): Promise<void> {
    return unsupported("skills of a session of an engine are those of its agent");
  }

  disableSkill(): Promise<void> {
    return unsupported("skills of a session of an engine are those of its agent");
  }

  checkpoints(): Promise<readonly Checkpoint[]> {
    return this.#transcript.checkpoints();
  }

  async undo(): Promise<undefined> {
    await this.#transcript.undo();
  }

  async rewind(prompt: number): Promise<undefined> {
    await this.#transcript.rewind(prompt);
  }

  compact(): Promise<undefined> {
    return unsupported("a session of an engine is compacted when it nears the model's window");
  }

  info(options?: Parameters<Session["info"]>[0]): ReturnType<Session["info"]> {
    return this.#hosted.info(options);
  }

  readAttachment(...given: Parameters<Session["readAttachment"]>): ReturnType<Session["readAttachment"]> {
    return this.#local.readAttachment(...given);
  }

  #call(handler: string, parameter?: unknown): Promise<unknown> {
    return this.#sessions.call(this.id, handler, parameter);
  }
}

const submitted = ({ images, model, limits }: PromptOptions): Partial<Submission> => ({
  ...(images && images.length > 0 && { images }),
  ...(model && { model: `${model.provider}/${model.name}` }),
  ...(limits && { limits }),
});

const active = ({ id, text, typed }: Submission, state: ActivePrompt["state"]): ActivePrompt => ({
  ...{ id, text: typed ?? text, state },
});

async function* readAll(
  events: AsyncIterator<AgentEvent, void, undefined>,
): AsyncGenerator<AgentEvent, void, undefined> {
  for (let { done, value } = await events.next(); !done; { done, value } = await events.next()) {
    if (value !== undefined) yield value;
  }
}

async function unsupported(message: string): Promise<never> {
  throw new UnsupportedOperationError(message);
}
