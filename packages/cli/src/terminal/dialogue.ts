import { errorMessage } from "@mdx-ai/base";
import type { AgentEvent, PromptOutcome } from "@mdx-ai/loop";
import type { LanguageModel } from "@mdx-ai/models";
import type { Agent } from "@mdx-ai/runtime";
import type { Theme } from "../output/theme.ts";
import type { Drawing } from "./screen/screen.ts";
import { type HandOver, type Input, type Sent, SentPrompts, Steering } from "./sent-prompts.ts";
import { echoed, recalled, waitingLine } from "./view/lines.ts";
import type { PromptView } from "./view/prompt-view.ts";

export interface DialogueOptions {
  readonly agent: Agent;
  readonly theme: Theme;
  /** Prepares what is sent in place of a typed text. */
  readonly prepare: (text: string) => Input;
  /** Where the events are shown. */
  readonly view: PromptView;
  /** Appends what the user said to the conversation. */
  readonly show: (drawing: Drawing) => void;
  /** Takes the texts that the agent never receives, in the order in which they were typed. */
  readonly giveBack: (texts: readonly string[]) => void;
  readonly fail: (message: string) => void;
  /** Receives each event of the session's prompts. */
  readonly heard?: (event: AgentEvent) => void;
}

/**
 * What the user says to the agent in a session. While a prompt runs, the next model request contains it, or it waits in the
 * queue. If a prompt does not end well, nothing continues by itself: what waits returns to the input.
 */
export class Dialogue {
  readonly #options: DialogueOptions;
  #session: string;
  readonly #sent = new SentPrompts();
  readonly #steering: Steering;
  /** Resolves when the agent has the inputs before, so that they stay in their order. */
  #handedOver: Promise<void> = Promise.resolve();
  /** The input of the prompt that has just begun, as it was typed. */
  #input: string | undefined;
  #isRunning = false;
  #ended = Promise.withResolvers<PromptOutcome>();
  /** Stops work other than prompts. */
  #work: AbortController | undefined;
  #chosen: LanguageModel | undefined;
  #isOver = false;

  constructor(options: DialogueOptions, session: string) {
    const { agent, fail, giveBack } = options;
    this.#options = options;
    this.#session = session;
    this.#steering = new Steering({
      ...{ agent, fail, giveBack, session: () => this.#session },
      ended: () => this.#ended.promise,
      send: (input) => this.#send(input),
    });
  }

  get session(): string {
    return this.#session;
  }

  /** Switches to another session. To be called while nothing is busy. */
  enter(session: string): void {
    this.#session = session;
  }

  /** The model of the next prompts. */
  get model(): LanguageModel {
    return this.#chosen ?? this.#options.agent.model;
  }

  /** The model that the user chose in place of the agent's own ones. */
  get chosenModel(): LanguageModel | undefined {
    return this.#chosen;
  }

  /** Chooses the model of the prompts that are sent from now on. */
  chooseModel(model: LanguageModel): void {
    this.#chosen = model;
  }

  get isBusy(): boolean {
    return !this.#sent.isEmpty || this.#work !== undefined;
  }

  /** Whether a prompt runs that nobody has stopped. */
  get isInterruptible(): boolean {
    return this.#isRunning && this.#sent.first?.controller.signal.aborted === false;
  }

  /** The queued inputs as typed; the user sees them numbered from 1. */
  get queue(): readonly string[] {
    return this.#queued.flatMap(({ text }) => text ?? []);
  }

  /** The queued inputs, one a line. */
  readonly draw: Drawing = (columns) => {
    const { theme } = this.#options;
    const { first } = this.#sent;
    const next = first?.phase === "waiting" && !this.#queued.includes(first) ? first.text : undefined;
    const lines = [
      ...(next === undefined ? [] : [waitingLine(next, "", theme)]),
      ...this.#steering.texts.map((text) => waitingLine(text, "sent before the next step", theme)),
      ...this.queue.map((text, at) => waitingLine(text, `queued ${at + 1}`, theme)),
    ];
    return lines.flatMap((line) => line(columns));
  };

  /** Sends a text to the running prompt, or begins a prompt if none runs. */
  say(text: string): void {
    const input = this.#options.prepare(text);
    if (this.#isRunning) void this.#steering.steer(input, this.#handOver(input));
    else this.#send(input);
  }

  /** Sends a prompt, after those that wait. */
  enqueue(text: string): void {
    this.#send(this.#options.prepare(text));
  }

  /** Removes an input from the queue by its position, from 1; undefined if there is none. */
  drop(number: number): string | undefined {
    const dropped = this.#queued[number - 1];
    if (dropped === undefined) return undefined;
    this.#sent.takeBack([dropped]);
    return dropped.text;
  }

  /** Finishes interrupted and queued prompts. */
  resume(): void {
    this.#send(undefined);
  }

  /** Does other work that can be stopped, such as compaction; prompts wait for it. `activity` is what the user sees. */
  async busyWith<Result>(activity: string, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const controller = new AbortController();
    this.#work = controller;
    this.#options.view.begin(activity);
    try {
      return await work(controller.signal);
    } finally {
      this.#work = undefined;
      this.#rest();
    }
  }

  /** Stops the running prompt and returns the queued inputs. */
  stop(): void {
    const waiting = this.#sent.takeBackWaiting();
    this.#work?.abort();
    this.#sent.first?.controller.abort();
    this.#options.view.takeBack();
    this.#options.giveBack(waiting);
  }

  /** The user leaves. Queued inputs stay in the queue for the next start. */
  end(): void {
    this.#isOver = true;
  }

  #send(input: Input | undefined): void {
    if (!this.isBusy) this.#options.view.wait();
    void this.#run(this.#sent.add(input));
  }

  /** A prompt is over for the user with its last event, although the agent may still be cleaning up. */
  async #run(sent: Sent): Promise<void> {
    const { agent } = this.#options;
    const model = this.#chosen === undefined ? {} : { model: this.#chosen };
    const session = agent.session(this.#session);
    const options = { signal: sent.controller.signal, ...model };
    const handOver = this.#handOver(sent.input);
    try {
      const content = await handOver.content;
      if (sent.controller.signal.aborted) return;
      const events =
        content === undefined
          ? session.resume(options)
          : session.prompt(content.text, { ...options, isKept: true, images: content.images });
      handOver.end();
      for await (const event of events) {
        if (!this.#hear(sent, event)) return;
      }
    } catch (error) {
      this.#fail(sent, errorMessage(error));
    } finally {
      handOver.end();
      this.#sent.forget([sent]);
      this.#rest();
    }
  }

  #handOver(input: Input | undefined): HandOver {
    const before = this.#handedOver;
    const { promise, resolve: end } = Promise.withResolvers<void>();
    this.#handedOver = promise;
    return { content: before.then(() => input?.content), end };
  }

  /** Returns whether to show what follows: one that was taken back before its turn came is not shown. */
  #hear(sent: Sent, event: AgentEvent): boolean {
    this.#options.heard?.(event);
    switch (event.type) {
      case "prompt_resumed":
        sent.phase = "resuming";
        break;
      case "agent_start":
        if (sent.phase === "waiting" && !this.#begin(sent)) return false;
        this.#isRunning = true;
        this.#ended = Promise.withResolvers();
        break;
      case "agent_end":
        this.#isRunning = false;
        this.#options.view.show(event);
        this.#end(sent, event);
        return true;
    }
    this.#options.view.show(event);
    return true;
  }

  #begin(sent: Sent): boolean {
    if (sent.controller.signal.aborted) return false;
    sent.phase = "running";
    this.#input = sent.text;
    return true;
  }

  #end(sent: Sent, { outcome, pendingInput = [] }: Extract<AgentEvent, { type: "agent_end" }>): void {
    const unsent = pendingInput.map((text) => this.#unsent(text));
    const isOwn = sent.phase === "running";
    if (isOwn) this.#sent.forget([sent]);
    else sent.phase = "waiting";
    this.#ended.resolve(outcome);
    if (outcome !== "done") {
      const waiting = isOwn && !this.#isOver ? this.#sent.takeBackAll() : [];
      this.#options.giveBack([...unsent, ...waiting]);
    } else if (unsent.length > 0) {
      this.#send(this.#options.prepare(unsent.join("\n\n")));
    }
    this.#rest();
  }

  /** What was typed for a text that the running prompt did not take. */
  #unsent(text: string): string {
    const input = this.#steering.take(text);
    input?.release();
    return input?.text ?? text;
  }

  /** How a message of the user in the transcript is shown: as it was typed, if it was typed here. */
  said(text: string): Drawing {
    const typed = this.#input ?? this.#steering.take(text)?.text;
    this.#input = undefined;
    return typed === undefined ? recalled(text, this.#options.theme) : echoed(typed, this.#options.theme);
  }

  #fail(sent: Sent, message: string): void {
    const { input, text, phase, controller } = sent;
    if (phase !== "running") input?.release();
    if (this.#isOver || (phase !== "running" && controller.signal.aborted)) return;
    const { view, show, giveBack, theme } = this.#options;
    this.#isRunning = false;
    this.#ended.resolve("error");
    if (text !== undefined && phase !== "running") show(echoed(text, theme));
    view.fail(message);
    this.#sent.forget([sent]);
    giveBack(this.#sent.takeBackAll());
  }

  /** The prompts behind another one, or behind an interrupted one. */
  get #queued(): readonly Sent[] {
    return this.#sent.queued(this.#work !== undefined);
  }

  /** Shows that the next one waits for its turn, or that nothing does. */
  #rest(): void {
    if (this.#isRunning || this.#work !== undefined) return;
    if (this.#sent.isEmpty) this.#options.view.rest();
    else this.#options.view.wait();
  }
}
