import type { AssistantMessage, Message } from "@mdx-ai/models";
import type { AgentEvent, PromptObserver, RequestHead } from "../types/event.ts";
import { PromptTrace, type ToolCall, type TraceOptions } from "./prompt-trace.ts";
import { endAttributes, isUnasked, thrownErrorAttribute } from "./span-attributes.ts";
import type { ObservedPrompt } from "./telemetry.ts";

/** Makes the spans of one prompt from its events. */
export class PromptSpans implements PromptObserver {
  readonly #trace: PromptTrace;
  readonly #now: () => number;
  readonly #began: number;
  readonly #calls = new Map<string, ToolCall>();
  /** The transcript of the prompt so far. */
  readonly #messages: Message[] = [];
  /** The earliest time at which the running request to a model can have begun. */
  #asked: number;
  /** When its answer began. */
  #arrived: number | undefined;
  #limit: string | undefined;
  #head: RequestHead | undefined;
  /** Whether an earlier process began the prompt: its events are repeated and must not count twice. */
  #isResumed = false;

  constructor(prompt: ObservedPrompt, options: TraceOptions) {
    this.#now = () => options.now();
    this.#began = this.#now();
    this.#asked = this.#began;
    this.#trace = new PromptTrace(prompt, options);
  }

  prepare(head: RequestHead): void {
    this.#head = head;
  }

  send(event: AgentEvent): void {
    switch (event.type) {
      case "message_update":
      case "tool_execution_update":
        return;
      case "message_start":
        if (event.message.role === "assistant") this.#arrived = this.#now();
        return;
      case "message_end":
        this.#message(event.message);
        break;
      case "tool_execution_start":
        this.#calls.set(event.toolCallId, { start: event, startedAt: this.#now() });
        return;
      case "tool_execution_end": {
        const call = this.#calls.get(event.toolCallId);
        if (call) this.#calls.set(event.toolCallId, { ...call, ended: { end: event, at: this.#now() } });
        return;
      }
      case "model_retry":
        this.#asked = this.#now() + event.delay;
        return;
      case "turn_end":
        // Attempts that broke off are not part of the transcript.
        this.#messages.push(event.message, ...event.toolResults);
        break;
      case "prompt_resumed":
        this.#isResumed = event.state === "interrupted";
        return;
      case "limit_reached":
        this.#limit = event.limit;
        return;
      case "agent_end":
        this.#endCalls();
        this.#trace.end(endAttributes(event, this.#limit), this.#messages);
        return;
      default:
        break;
    }
    this.#asked = this.#now();
  }

  summarize(answer: AssistantMessage): void {
    // The output limit does not hold for summaries.
    const { maxTokens: _, ...parameters } = this.#head?.parameters ?? {};
    if (!this.#isRepeated(answer)) this.#trace.chat(answer, { parameters, asked: this.#asked });
    this.#asked = this.#now();
  }

  fail(error: unknown): void {
    this.#endCalls();
    this.#trace.end(thrownErrorAttribute(error), this.#messages);
  }

  #message(message: Message): void {
    switch (message.role) {
      case "assistant":
        if (!this.#isRepeated(message) && !isUnasked(message)) this.#answer(message);
        this.#arrived = undefined;
        break;
      case "toolResult": {
        const call = this.#calls.get(message.toolCallId);
        this.#calls.delete(message.toolCallId);
        if (call && !this.#isRepeated(message)) this.#trace.tool(call);
        break;
      }
      case "user":
        this.#messages.push(message);
        break;
    }
  }

  #answer(message: AssistantMessage): void {
    this.#trace.chat(message, {
      parameters: this.#head?.parameters ?? {},
      system: this.#head?.system,
      messages: this.#messages,
      asked: this.#asked,
      arrived: this.#arrived,
    });
  }

  /** Whether an earlier process has sent the span of a message. */
  #isRepeated({ timestamp }: Message): boolean {
    return this.#isResumed && timestamp < this.#began;
  }

  /** Ends the spans of calls that have no result. */
  #endCalls(): void {
    for (const call of this.#calls.values()) this.#trace.tool(call);
    this.#calls.clear();
  }
}
