import { errorMessage } from "@mdx-ai/base";
import type {
  AssistantContent,
  AssistantMessage,
  LanguageModel,
  Message,
  ModelEvent,
  ModelRequest,
} from "@mdx-ai/models";
import type { AssistantMessageEvent } from "../types/event.ts";
import type { StepContext } from "./host.ts";
import { isPast } from "./limits.ts";
import type { PlannedModel } from "./plan.ts";
import type { PromptRun } from "./prompt-effects.ts";
import { STEPS } from "./steps.ts";
import { unrunAnswer } from "./unrun-call.ts";

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
 * One model call as a step. Text arrives live and is not journaled; the finished message is. If the host knows the message
 * already, the same events are sent with one update per block.
 */
export async function askModel(run: PromptRun, attempt: Attempt): Promise<AssistantMessage> {
  const { host, plan, effects } = run;
  let isLive = false;
  const ask = async (context: StepContext): Promise<AssistantMessage> => {
    isLive = true;
    const planned = plannedModel(run, attempt.model);
    const model = effects.modelAt(attempt.model, planned);
    const received = await new LiveAnswer(run, attempt, model).receive(context);
    const answer = await explained(run, attempt, await understoodAnswer(run, received));
    effects.keepCalls(answer);
    const cost = await effects.spend(answer, planned);
    return cost === undefined ? answer : { ...answer, cost };
  };
  const message = await host.step(attempt.step, ask, {
    accepts: STEPS.model.accepts,
    deferFlush: true,
    deadline: plan.deadline,
  });
  if (!isLive) {
    host.emit({ type: "message_start", message });
    for (const [index, block] of message.content.entries()) {
      const assistantMessageEvent = blockEvent(block, index, message);
      host.emit({ type: "message_update", message, assistantMessageEvent, step: attempt.step, index });
    }
  }
  host.emit({ type: "message_end", message });
  return message;
}

/**
 * An answer whose calls are as their tools understand them. It becomes the result of the step, so that policy, hooks, events, journal and
 * history know no other calls.
 */
async function understoodAnswer({ effects }: PromptRun, answer: AssistantMessage): Promise<AssistantMessage> {
  const isBroken = answer.stopReason === "error" || answer.stopReason === "aborted";
  if (isBroken || unrunAnswer(answer) !== undefined) return answer;
  const content = await Promise.all(
    answer.content.map((block) => (block.type === "toolCall" ? effects.tools.understood(block) : block)),
  );
  return content.every((block, index) => block === answer.content[index]) ? answer : { ...answer, content };
}

/** An answer to a request that does not fit the model's window says what is large in it. */
async function explained(
  { effects }: PromptRun,
  { messages }: Attempt,
  answer: AssistantMessage,
): Promise<AssistantMessage> {
  if (answer.stopReason !== "contextExceeded") return answer;
  const { largestPart } = await import("../context/largest-part.ts");
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

/** The update for a block of a message that is whole already. */
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

/** How an answer ended that the model did not end. */
type BrokenOff = Pick<AssistantMessage, "errorMessage"> & { readonly stopReason: "aborted" | "error" };

/** An answer that arrives. */
class LiveAnswer {
  readonly #run: PromptRun;
  readonly #attempt: Attempt;
  readonly #model: LanguageModel;
  #partial: AssistantMessage | undefined;
  #updates = 0;

  constructor(run: PromptRun, attempt: Attempt, model: LanguageModel) {
    this.#run = run;
    this.#attempt = attempt;
    this.#model = model;
  }

  /** Prepares the request while the results in it are flushed to disk; only then is it sent. */
  async receive({ signal, flushed }: StepContext): Promise<AssistantMessage> {
    if (signal.aborted) return this.#brokenOff({ stopReason: "aborted", errorMessage: "aborted" });
    const flushing = flushed();
    const events = this.#model.stream(this.#request(), signal);
    await flushing;
    try {
      for await (const event of events) {
        if (event.type === "done" || event.type === "error") {
          if (!this.#partial) this.#run.host.emit({ type: "message_start", message: event.message });
          return this.#withinDeadline(event.message);
        }
        this.#update(event);
      }
      return this.#brokenOff({ stopReason: "error", errorMessage: "the model's answer has no end" });
    } catch (error) {
      // A model must not throw, but a third party's may: that costs one answer, not the prompt.
      return this.#brokenOff({ stopReason: signal.aborted ? "aborted" : "error", errorMessage: errorMessage(error) });
    }
  }

  #request(): ModelRequest {
    const { plan, effects } = this.#run;
    return {
      system: effects.system,
      tools: effects.tools.schemas,
      messages: this.#attempt.messages,
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
    if (event.type === "start") host.emit({ type: "message_start", message });
    else {
      const index = this.#updates++;
      host.emit({ type: "message_update", message, assistantMessageEvent: event, step: this.#attempt.step, index });
    }
  }

  /** The message in place of an answer that the model did not end, or was not asked for because the prompt was cancelled. */
  #brokenOff(end: BrokenOff): AssistantMessage {
    const { host, effects } = this.#run;
    if (this.#partial) return this.#withinDeadline({ ...this.#partial, ...end });
    const message: AssistantMessage = this.#withinDeadline({
      role: "assistant",
      content: [],
      provider: this.#model.provider,
      model: this.#model.name,
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, thinking: 0 },
      ...end,
      timestamp: effects.now(),
    });
    host.emit({ type: "message_start", message });
    return message;
  }

  /** An answer that the deadline ended has a timestamp past it, although timers and clocks may differ a little. */
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
