import type { AssistantMessage, Message, ModelParameters } from "@mdx-ai/models";
import {
  type Attributes,
  type Context,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { Redactor } from "../redaction/redactor.ts";
import type { AgentEvent } from "../types/event.ts";
import type { ChatMetrics } from "./chat-metrics.ts";
import { ATTRIBUTE, OPERATION } from "./conventions.ts";
import {
  inputMessages,
  outputMessages,
  redactedAttributes,
  resultText,
  systemInstructions,
} from "./message-contents.ts";
import { agentAttributes, chatAttributes, chatPeriod, toolAttributes } from "./span-attributes.ts";
import type { ObservedPrompt } from "./telemetry.ts";

export interface TraceOptions {
  readonly agentName: string;
  readonly tracer: Tracer;
  readonly metrics: ChatMetrics;
  /** The parent of the spans of prompts. */
  readonly parent: Context;
  /** Whether spans carry contents. */
  readonly hasContents: boolean;
  readonly redactor: Redactor;
  /** Milliseconds since 1970. */
  now(): number;
}

/** A request to a model. Times are milliseconds since 1970. */
export interface ChatRequest {
  readonly parameters: ModelParameters;
  /** The earliest time at which it can have begun. */
  readonly asked: number;
  /** When the answer began. */
  readonly arrived?: number | undefined;
  readonly system?: string | undefined;
  readonly messages?: readonly Message[];
}

/** A call of a tool. Times are milliseconds since 1970. */
export interface ToolCall {
  readonly start: Extract<AgentEvent, { type: "tool_execution_start" }>;
  readonly startedAt: number;
  /** Absent while it runs. */
  readonly ended?: { readonly end: Extract<AgentEvent, { type: "tool_execution_end" }>; readonly at: number };
}

interface ChildSpan {
  readonly kind: SpanKind;
  readonly start: number;
  readonly end: number;
  readonly attributes: Attributes;
}

/**
 * The spans of one prompt: `invoke_agent`, and within it a `chat` for each request to a model and an `execute_tool` for each
 * call of a tool. All but the first are made when they have ended, with the times at which they ran.
 */
export class PromptTrace {
  readonly #options: TraceOptions;
  readonly #session: string;
  readonly #span: Span;
  readonly #context: Context;

  constructor(prompt: ObservedPrompt, options: TraceOptions) {
    const { agentName, tracer, parent, now } = options;
    this.#options = options;
    this.#session = prompt.session;
    const attributes = agentAttributes(prompt, agentName);
    this.#span = tracer.startSpan(
      `${OPERATION.agent} ${agentName}`,
      { attributes, startTime: new Date(now()) },
      parent,
    );
    this.#context = trace.setSpan(parent, this.#span);
  }

  chat(message: AssistantMessage, { parameters, asked, arrived, system, messages }: ChatRequest): void {
    const { hasContents, metrics, now } = this.#options;
    const { start, end } = chatPeriod(message, { asked, now: now() });
    // An answer that never came begins and ends at once.
    const hasArrived = arrived !== undefined && message.content.length > 0;
    const firstChunk = hasArrived ? Math.max(0, arrived - start) : undefined;
    const contents = hasContents && {
      ...(system !== undefined && { [ATTRIBUTE.systemInstructions]: systemInstructions(system) }),
      ...(messages !== undefined && { [ATTRIBUTE.inputMessages]: inputMessages(messages) }),
      [ATTRIBUTE.outputMessages]: outputMessages(message),
    };
    const attributes = { ...chatAttributes(message, { session: this.#session, parameters, firstChunk }), ...contents };
    this.#child(`${OPERATION.chat} ${message.model}`, { kind: SpanKind.CLIENT, start, end, attributes });
    metrics.record(message, end - start);
  }

  tool({ start, startedAt, ended }: ToolCall): void {
    const { toolCallId: id, toolName: name, args } = start;
    const contents = this.#options.hasContents && {
      [ATTRIBUTE.toolArguments]: JSON.stringify(args),
      ...(ended && { [ATTRIBUTE.toolResult]: resultText(ended.end.result.content) }),
    };
    this.#child(`${OPERATION.tool} ${name}`, {
      kind: SpanKind.INTERNAL,
      start: startedAt,
      end: ended?.at ?? this.#options.now(),
      attributes: { ...toolAttributes({ id, name }, ended?.end.isError !== false), ...contents },
    });
  }

  /** Ends the span of the prompt; `messages` is its transcript. */
  end(attributes: Attributes, messages: readonly Message[]): void {
    const answer = messages.findLast((message) => message.role === "assistant");
    const contents = this.#options.hasContents && {
      [ATTRIBUTE.inputMessages]: inputMessages(messages.filter(({ role }) => role === "user")),
      ...(answer && { [ATTRIBUTE.outputMessages]: outputMessages(answer) }),
    };
    this.#finish(this.#span, { ...attributes, ...contents }, this.#options.now());
  }

  #child(name: string, { kind, start, end, attributes }: ChildSpan): void {
    const span = this.#options.tracer.startSpan(name, { kind, startTime: new Date(start) }, this.#context);
    this.#finish(span, attributes, end);
  }

  #finish(span: Span, attributes: Attributes, end: number): void {
    span.setAttributes(redactedAttributes(attributes, this.#options.redactor));
    if (ATTRIBUTE.errorType in attributes) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(new Date(end));
  }
}
