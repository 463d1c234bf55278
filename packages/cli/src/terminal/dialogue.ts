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
  /** Prepares what is sent for a typed text. */
  readonly prepare: (text: string) => Input;
  /** Shows the events. */
  readonly view: PromptView;
  /** Appends a user message to the conversation. */
  readonly show: (drawing: Drawing) => void;
  /** Receives texts that the agent did not receive, in typing order. */
  readonly giveBack: (texts: readonly string[]) => void;
  readonly fail: (message: string) => void;
  /** Receives each event of the session's prompts. */
  readonly heard?: (event: AgentEvent) => void;
}

/**
 * Sends the user's input to the agent. While a prompt runs, input becomes part of the next model request or waits in the queue. If a prompt
 * fails, the queue stops and its inputs return to the input line.
 */
export class Dialogue {
  readonly #options: DialogueOptions;
  #session: string;
  readonly #sent = new SentPrompts();
  readonly #steering: Steering;
  /** Resolves when the agent has received the earlier inputs, to keep their order. */
  #handedOver: Promise<void> = Promise.resolve();
  /** The input of the prompt that has just started, as typed. */
  #input: string | undefined;
  #isRunning = false;
  #ended = Promise.withResolvers<PromptOutcome>();
  /** Aborts work other than prompts. */
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

  /** Switches to another session. Call only while nothing is busy. */
  enter(session: string): void {
    this.#session = session;
  }

  /** The model for the next prompts. */
  get model(): LanguageModel {
    return this.#chosen ?? this.#options.agent.model;
  }

  /** The model that the user chose instead of the agent's. */
  get chosenModel(): LanguageModel | undefined {
    return this.#chosen;
  }

  /** Sets the model for prompts sent from now on. */
  chooseModel(model: LanguageModel): void {
    this.#chosen = model;
  }

  get isBusy(): boolean {
    return !this.#sent.isEmpty || this.#work !== undefined;
  }

  /** Whether a prompt is running that has not been stopped. */
  get isInterruptible(): boolean {
    return this.#isRunning && this.#sent.first?.controller.signal.aborted === false;
  }

  /** The queued inputs as typed; numbered from 1 for the user. */
  get queue(): readonly string[] {
    return this.#queued.flatMap(({ text }) => text ?? []);
  }

  /** The queued inputs, one per line. */
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

  /** Sends a text to the running prompt, or starts a prompt if none runs. */
  say(text: string): void {
    const input = this.#options.prepare(text);
    if (this.#isRunning) void this.#steering.steer(input, this.#handOver(input));
    else this.#send(input);
  }

  /** Queues a prompt. */
  enqueue(text: string): void {
    this.#send(this.#options.prepare(text));
  }

  /** Removes a queued input by its position, from 1; undefined if there is none. */
  drop(number: number): string | undefined {
    const dropped = this.#queued[number - 1];
    if (dropped === undefined) return undefined;
    this.#sent.takeBack([dropped]);
    return dropped.text;
  }

  /** Runs interrupted and queued prompts. */
  resume(): void {
    this.#send(undefined);
  }

  /** Runs other work that can be stopped, such as compaction; prompts wait for it. `activity` is shown to the user. */
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

  /** Stops the running prompt and returns queued inputs to the input line. */
  stop(): void {
    const waiting = this.#sent.takeBackWaiting();
    this.#work?.abort();
    this.#sent.first?.controller.abort();
    this.#options.view.takeBack();
    this.#options.giveBack(waiting);
  }

  /** Called when the user leaves. Queued inputs stay in the queue for the next start. */
  end(): void {
    this.#isOver = true;
  }

  #send(input: Input | undefined): void {
    if (!this.isBusy) this.#options.view.wait();
    void this.#run(this.#sent.add(input));
  }

  /** For the user, a prompt ends with its last event, although the agent may still be cleaning up. */
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

  /** Returns whether to show later events; a prompt withdrawn before its turn is not shown. */
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

  /** The typed form of a text that the running prompt did not receive. */
  #unsent(text: string): string {
    const input = this.#steering.take(text);
    input?.release();
    return input?.text ?? text;
  }

  /** How a user message in the transcript is shown: as typed, if it was typed here. */
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

  /** The prompts that wait for another or for an interrupted one. */
  get #queued(): readonly Sent[] {
    return this.#sent.queued(this.#work !== undefined);
  }

  /** Shows that the next prompt is waiting, or no activity. */
  #rest(): void {
    if (this.#isRunning || this.#work !== undefined) return;
    if (this.#sent.isEmpty) this.#options.view.rest();
    else this.#options.view.wait();
  }
}
