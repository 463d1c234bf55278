import { errorMessage } from "@mdx-ai/base";
import type {
  AssistantContent,
  AssistantMessage,
  LanguageModel,
  Message,
  ModelEvent,
  ModelRequest,
} from "@mdx-ai/models";
import type { StepContext } from "./host.ts";
import { isPast } from "./limits.ts";
import type { PlannedModel } from "./plan.ts";
import type { PromptRun } from "./prompt-effects.ts";
import { STEPS } from "./steps.ts";
import type { AssistantMessageEvent } from "./types/event.ts";
import type { ToolRegistry } from "./types/tool-registry.ts";
import { notRunAnswer } from "./unrun-call.ts";

/** The messages with calls of tools as the model knows them, which keeps it from calling tools that the request does not list. */
function sentMessages(messages: readonly Message[], sent: ToolRegistry["sent"]): readonly Message[] {
  if (sent === undefined) return messages;
  const names = new Map<string, string>();
  return messages.map((message) => {
    if (message.role === "toolResult")
      return { ...message, toolName: names.get(message.toolCallId) ?? message.toolName };
    if (message.role !== "assistant") return message;
    const content = message.content.map((block) => (block.type === "toolCall" ? sent(block) : block));
    for (const block of content) if (block.type === "toolCall") names.set(block.id, block.name);
    return { ...message, content };
  });
}

/** One attempt to get an answer. */
export interface Attempt {
  /** The name of its step. */
  readonly step: string;
  /** The index of the model in the plan. */
  readonly model: number;
  /** The messages that are sent. */
  readonly messages: readonly Message[];
}

/**
 * One model call as a step. Only the finished message is journaled. It is reported with one update per
 * block; a host skips the events that it passed on while the answer arrived.
 */
export async function askModel(run: PromptRun, attempt: Attempt): Promise<AssistantMessage> {
  const { host, events, plan, effects } = run;
  const { step } = attempt;
  const id = events.next();
  const live = new LiveAnswer(run, attempt, id);
  const ask = async (context: StepContext): Promise<AssistantMessage> => {
    await effects.budget?.ready(context.signal);
    const received = await live.receive(context);
    const answer = await explained(run, attempt, await understoodAnswer(run, received));
    const cost = await effects.spend(answer, plannedModel(run, attempt.model));
    return cost === undefined ? answer : { ...answer, cost };
  };
  const message = await host.step(step, ask, {
    accepts: STEPS.model.accepts,
    effect: "outside",
    deadline: plan.deadline,
    prepare: (context) => live.prepare(context),
  });
  host.emit({ type: "message_start", message, id });
  for (const [index, block] of message.content.entries()) {
    const assistantMessageEvent = blockEvent(block, index, message);
    host.emit({ type: "message_update", message, assistantMessageEvent, step, index });
  }
  events.emit({ type: "message_end", message });
  return message;
}

/**
 * Normalizes the calls of an answer for their tools. The result becomes the step's result, so that policy, hooks, events, journal and
 * history see only the normalized calls.
 */
async function understoodAnswer({ effects }: PromptRun, answer: AssistantMessage): Promise<AssistantMessage> {
  const isBroken = answer.stopReason === "error" || answer.stopReason === "aborted";
  if (isBroken || notRunAnswer(answer) !== undefined) return answer;
  const content = await Promise.all(
    answer.content.map((block) => (block.type === "toolCall" ? effects.tools.understood(block) : block)),
  );
  return content.every((block, index) => block === answer.content[index]) ? answer : { ...answer, content };
}

/** If the request does not fit the model's window, adds to the error which part of it is large. */
async function explained(
  { effects }: PromptRun,
  { messages }: Attempt,
  answer: AssistantMessage,
): Promise<AssistantMessage> {
  if (answer.stopReason !== "contextExceeded") return answer;
  const { largestPart } = await import("./context/largest-part.ts");
  const { system, tools } = effects;
  const largest = await largestPart({ system, tools: tools.schemas, texts: effects.texts?.(), messages });
  const said = answer.errorMessage ?? "the request and the answer fill the model's window";
  return { ...answer, errorMessage: `${said}${/[.?!]$/.test(said) ? "" : "."} ${largest}` };
}

/** The model of the plan at an index. */
export function plannedModel({ plan }: PromptRun, index: number): PlannedModel {
  const planned = plan.models[index] ?? plan.models.at(-1);
  if (planned === undefined) throw new Error("a prompt needs a model");
  return planned;
}

/** The update for a block of a complete message. */
function blockEvent(block: AssistantContent, contentIndex: number, partial: AssistantMessage): AssistantMessageEvent {
  switch (block.type) {
    case "text":
      return { type: "text_end", contentIndex, content: block.text, partial };
    case "thinking":
      return { type: "thinking_end", contentIndex, content: block.thinking, partial };
    case "toolCall":
      return { type: "toolcall_end", contentIndex, toolCall: block, partial };
  }
}

/** How an incomplete answer ended. */
type BrokenOff = Pick<AssistantMessage, "errorMessage"> & { readonly stopReason: "aborted" | "error" };

/** An arriving answer. */
class LiveAnswer {
  readonly #run: PromptRun;
  readonly #attempt: Attempt;
  /** The id of its start event. */
  readonly #id: string;
  #events: AsyncIterable<ModelEvent> | undefined;
  #partial: AssistantMessage | undefined;
  #updates = 0;

  constructor(run: PromptRun, attempt: Attempt, id: string) {
    this.#run = run;
    this.#attempt = attempt;
    this.#id = id;
  }

  /** Creates the request, which is sent when the stream is read. */
  prepare({ signal }: StepContext): AsyncIterable<ModelEvent> {
    this.#events ??= this.#model.stream(this.#request(), signal);
    return this.#events;
  }

  async receive(context: StepContext): Promise<AssistantMessage> {
    const { signal } = context;
    if (signal.aborted) return this.#brokenOff({ stopReason: "aborted", errorMessage: "aborted" });
    const events = this.prepare(context);
    try {
      for await (const event of events) {
        if (event.type === "done" || event.type === "error") {
          if (!this.#partial) this.#start(event.message);
          return this.#withinDeadline(event.message);
        }
        this.#update(event);
      }
      return this.#brokenOff({ stopReason: "error", errorMessage: "the model's answer has no end" });
    } catch (error) {
      // A model must not throw, but a third party's may: only this answer fails, not the prompt.
      return this.#brokenOff({ stopReason: signal.aborted ? "aborted" : "error", errorMessage: errorMessage(error) });
    }
  }

  get #model(): LanguageModel {
    const { model } = this.#attempt;
    return this.#run.effects.modelAt(model, plannedModel(this.#run, model));
  }

  #start(message: AssistantMessage): void {
    this.#run.host.emit({ type: "message_start", message, id: this.#id });
  }

  #request(): ModelRequest {
    const { plan, effects } = this.#run;
    return {
      system: effects.system,
      tools: this.#model.supportsTools === false ? [] : effects.tools.schemas,
      messages: sentMessages(this.#attempt.messages, effects.tools.sent),
      ...plan.parameters,
    };
  }

  #update(event: Exclude<ModelEvent, { type: "done" | "error" }>): void {
    const { host, effects } = this.#run;
    const { partial: message } = event;
    this.#partial = message;
    if (event.type === "toolcall_start") {
      const block = message.content[event.contentIndex];
      if (block?.type === "toolCall") effects.expectCall?.(block.name);
    }
    if (event.type === "start") this.#start(message);
    else {
      const index = this.#updates++;
      host.emit({ type: "message_update", message, assistantMessageEvent: event, step: this.#attempt.step, index });
    }
  }

  /** The message that replaces an incomplete answer, or one that was never requested because the prompt was cancelled. */
  #brokenOff(end: BrokenOff): AssistantMessage {
    if (this.#partial) return this.#withinDeadline({ ...this.#partial, ...end });
    const { provider, name: model } = this.#model;
    const message: AssistantMessage = this.#withinDeadline({
      role: "assistant",
      content: [],
      provider,
      model,
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, thinking: 0, total: 0 },
      ...end,
      timestamp: this.#run.effects.now(),
    });
    this.#start(message);
    return message;
  }

  /** Gives an answer that the deadline ended a timestamp past it, although timers and clocks may differ a little. */
  #withinDeadline(message: AssistantMessage): AssistantMessage {
    const { plan, effects } = this.#run;
    if (message.stopReason !== "aborted" || plan.deadline === undefined) return message;
    const passed = effects.now() - message.timestamp;
    const isOver = isPast(plan, message.timestamp + passed + TIMER_SLACK);
    return isOver ? { ...message, latency: Math.max(passed, plan.deadline - message.timestamp, 0) } : message;
  }
}

/** Milliseconds by which a timer may fire early. */
const TIMER_SLACK = 2;
