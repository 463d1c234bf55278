import type { AssistantMessage, Message } from "@mdx-ai/models";
import {
  type Attributes,
  type Context,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { Redactor } from "../../redaction/redactor.ts";
import type { AgentEvent } from "../../types/event.ts";
import type { PromptObserver, RequestHead } from "../../types/prompt-observer.ts";
import { ATTRIBUTE, OPERATION } from "../conventions.ts";
import type { ObservedPrompt } from "../telemetry.ts";
import { type AgentEnd, agentAttributes, endAttributes } from "./agent-span.ts";
import type { ChatMeters } from "./chat-meters.ts";
import { chatAttributes, chatPeriod, isUnasked, type Period } from "./chat-span.ts";
import { inputMessages, outputMessages } from "./contents.ts";
import { thrownErrorType } from "./error-type.ts";
import { redactedAttributes } from "./redacted-attributes.ts";
import { type ToldCall, toolAttributes } from "./tool-span.ts";

export interface SpanMakers {
  readonly agentName: string;
  readonly tracer: Tracer;
  readonly meters: ChatMeters;
  /** What the spans of prompts stand in. */
  readonly parent: Context;
  /** Whether contents leave. */
  readonly hasContents: boolean;
  /** What it takes out does not leave. */
  readonly redactor: Redactor;
  /** Milliseconds since 1970. */
  now(): number;
}

/**
 * The spans of one prompt: `invoke_agent`, and in it a `chat` for each attempt to get an answer and an `execute_tool` for
 * each call. All but the first are made when they are over, with the times at which they were.
 */
export class PromptSpans implements PromptObserver {
  readonly #prompt: ObservedPrompt;
  readonly #makers: SpanMakers;
  readonly #began: number;
  readonly #span: Span;
  readonly #context: Context;
  /** When the model was asked at the earliest. */
  #asked: number;
  /** When its answer began. */
  #arrived: number | undefined;
  readonly #calls = new Map<string, ToldCall>();
  /** The transcript of the prompt so far, where contents leave. */
  readonly #messages: Message[] = [];
  #limit: string | undefined;
  #head: RequestHead | undefined;
  /** Whether an earlier process began it: what that one did is told again, and must not count twice. */
  #isResumed = false;

  constructor(prompt: ObservedPrompt, makers: SpanMakers) {
    const { agentName, tracer, parent } = makers;
    this.#prompt = prompt;
    this.#makers = makers;
    this.#began = makers.now();
    this.#asked = this.#began;
    const attributes = agentAttributes(prompt, agentName);
    const name = `${OPERATION.agent} ${agentName}`;
    this.#span = tracer.startSpan(name, { attributes, startTime: new Date(this.#began) }, parent);
    this.#context = trace.setSpan(parent, this.#span);
  }

  prepare(head: RequestHead): void {
    this.#head = head;
  }

  tell(event: AgentEvent): void {
    switch (event.type) {
      case "message_update":
      case "tool_execution_update":
        return;
      case "message_start":
        if (event.message.role === "assistant") this.#arrived = this.#makers.now();
        return;
      case "message_end":
        this.#message(event.message);
        return;
      case "tool_execution_start": {
        const { toolCallId: id, toolName: name, args } = event;
        this.#calls.set(id, { id, name, args, start: this.#makers.now() });
        return;
      }
      case "tool_execution_end": {
        const { toolCallId: id, result, isError } = event;
        const call = this.#calls.get(id);
        if (call) this.#calls.set(id, { ...call, ended: { at: this.#makers.now(), result, isError } });
        return;
      }
      case "model_retry":
        this.#asked = this.#makers.now() + event.delay;
        return;
      case "turn_end":
        // Attempts that broke off are no part of what is sent.
        this.#keep(event.message, ...event.toolResults);
        this.#asked = this.#makers.now();
        return;
      case "prompt_resumed":
        this.#isResumed = event.state === "interrupted";
        return;
      case "limit_reached":
        this.#limit = event.limit;
        return;
      case "agent_end":
        this.#end(event);
        return;
      default:
        this.#asked = this.#makers.now();
    }
  }

  fail(error: unknown): void {
    this.#endCalls();
    this.#close({ [ATTRIBUTE.errorType]: thrownErrorType(error) });
  }

  #message(message: Message): void {
    switch (message.role) {
      case "assistant":
        if (!this.#isToldAgain(message) && !isUnasked(message)) this.#chat(message);
        this.#arrived = undefined;
        break;
      case "toolResult": {
        const call = this.#calls.get(message.toolCallId);
        this.#calls.delete(message.toolCallId);
        if (call && !this.#isToldAgain(message)) this.#tool(call);
        break;
      }
      case "user":
        this.#keep(message);
        break;
    }
    this.#asked = this.#makers.now();
  }

  #keep(...messages: readonly Message[]): void {
    if (this.#makers.hasContents) this.#messages.push(...messages);
  }

  /** Whether something happened in an earlier process, which has told of it. */
  #isToldAgain({ timestamp }: Message): boolean {
    return this.#isResumed && timestamp < this.#began;
  }

  #chat(message: AssistantMessage): void {
    const { hasContents, meters, now } = this.#makers;
    const period = chatPeriod(message, { asked: this.#asked, told: now() });
    const attributes = chatAttributes(message, {
      session: this.#prompt.session,
      parameters: this.#head?.parameters ?? {},
      firstChunk: this.#untilArrival(message, period),
      contents: hasContents ? { system: this.#head?.system, messages: this.#messages } : undefined,
    });
    this.#child(`${OPERATION.chat} ${message.model}`, { kind: SpanKind.CLIENT, period, attributes });
    meters.record(message, period.end - period.start);
  }

  /** An answer that never came begins and ends at once. */
  #untilArrival({ content }: AssistantMessage, { start }: Period): number | undefined {
    return this.#arrived === undefined || content.length === 0 ? undefined : Math.max(0, this.#arrived - start);
  }

  #tool(call: ToldCall): void {
    const { hasContents, now } = this.#makers;
    this.#child(`${OPERATION.tool} ${call.name}`, {
      kind: SpanKind.INTERNAL,
      period: { start: call.start, end: call.ended?.at ?? now() },
      attributes: toolAttributes(call, hasContents),
    });
  }

  #child(name: string, { kind, period, ...child }: Child): void {
    const startTime = new Date(period.start);
    const attributes = redactedAttributes(child.attributes, this.#makers.redactor);
    const span = this.#makers.tracer.startSpan(name, { kind, attributes, startTime }, this.#context);
    if (ATTRIBUTE.errorType in attributes) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(new Date(period.end));
  }

  /** Makes spans of calls whose results were not told. */
  #endCalls(): void {
    for (const call of this.#calls.values()) this.#tool(call);
    this.#calls.clear();
  }

  #end(end: AgentEnd): void {
    this.#endCalls();
    this.#close({
      ...endAttributes(end, this.#limit),
      ...(this.#makers.hasContents && this.#contents()),
    });
  }

  /** What the user said, and the last answer. */
  #contents(): Attributes {
    const answer = this.#messages.findLast((message) => message.role === "assistant");
    return {
      [ATTRIBUTE.inputMessages]: inputMessages(this.#messages.filter(({ role }) => role === "user")),
      ...(answer !== undefined && { [ATTRIBUTE.outputMessages]: outputMessages(answer) }),
    };
  }

  #close(attributes: Attributes): void {
    this.#span.setAttributes(redactedAttributes(attributes, this.#makers.redactor));
    if (ATTRIBUTE.errorType in attributes) this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end(new Date(this.#makers.now()));
  }
}

interface Child {
  readonly kind: SpanKind;
  readonly period: Period;
  readonly attributes: Attributes;
}
