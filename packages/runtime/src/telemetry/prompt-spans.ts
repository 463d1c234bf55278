import type { Redactor } from "@mdx-ai/base";
import type { AgentEvent, PromptObserver, RequestHead } from "@mdx-ai/loop";
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
import { ATTRIBUTE, OPERATION } from "./conventions.ts";
import {
  agentAttributes,
  chatAttributes,
  chatPeriod,
  endAttributes,
  inputMessages,
  isUnasked,
  outputMessages,
  resultText,
  systemInstructions,
  thrownErrorAttribute,
  toolAttributes,
} from "./span-attributes.ts";
import type { ObservedPrompt } from "./telemetry.ts";

export interface PromptSpansOptions {
  readonly agentName: string;
  readonly tracer: Tracer;
  readonly parent: Context;
  /** Whether spans carry contents, redacted. */
  readonly hasContents: boolean;
  readonly redactor: Redactor;
  /** Receives each model answer and its duration in milliseconds. */
  readonly recordChat: (message: AssistantMessage, milliseconds: number) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A tool call. Times are milliseconds since 1970. */
interface ToolCall {
  /** Made at once for an agent that works as a tool: its spans are below it. */
  span?: Span;
  readonly start: Extract<AgentEvent, { type: "tool_execution_start" }>;
  readonly startedAt: number;
  /** Absent while it runs. */
  readonly ended?: { readonly end: Extract<AgentEvent, { type: "tool_execution_end" }>; readonly at: number };
}

/**
 * Makes the spans of one prompt from its events: `invoke_agent`, and within it a `chat` for each model request and an
 * `execute_tool` for each tool call. All but the first are created when they have ended, with their real start and end times.
 */
export class PromptSpans implements PromptObserver {
  readonly #options: PromptSpansOptions;
  readonly #session: string;
  readonly #began: number;
  readonly #span: Span;
  readonly #context: Context;
  readonly #calls = new Map<string, ToolCall>();
  /** The prompts of agents that work as tools, by their sessions. */
  readonly #agents = new Map<string, PromptSpans>();
  /** The transcript of the prompt so far. */
  readonly #messages: Message[] = [];
  /** The earliest possible start of the current model request. */
  #asked: number;
  /** When its answer began. */
  #arrived: number | undefined;
  #limit: string | undefined;
  #head: RequestHead | undefined;
  /** Whether an earlier process began the prompt: repeated events must not be counted twice. */
  #isResumed = false;

  constructor(prompt: ObservedPrompt, options: PromptSpansOptions) {
    const { agentName, tracer, parent } = options;
    this.#options = options;
    this.#session = prompt.session;
    this.#began = options.now();
    this.#asked = this.#began;
    const attributes = agentAttributes(prompt, agentName);
    const startTime = new Date(this.#began);
    this.#span = tracer.startSpan(`${OPERATION.agent} ${agentName}`, { attributes, startTime }, parent);
    this.#context = trace.setSpan(parent, this.#span);
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
        if (event.message.role === "assistant") this.#arrived = this.#options.now();
        return;
      case "message_end":
        this.#message(event.message);
        break;
      case "tool_execution_start":
        this.#calls.set(event.toolCallId, { start: event, startedAt: this.#options.now() });
        return;
      case "subagent_event":
        this.#agent(event);
        return;
      case "tool_execution_end": {
        const call = this.#calls.get(event.toolCallId);
        if (call) this.#calls.set(event.toolCallId, { ...call, ended: { end: event, at: this.#options.now() } });
        return;
      }
      case "model_retry":
        this.#asked = this.#options.now() + event.delay;
        return;
      case "turn_end":
        // Failed attempts are not part of the transcript.
        this.#messages.push(event.message, ...event.toolResults);
        break;
      case "prompt_resumed":
        this.#isResumed = event.state === "interrupted";
        return;
      case "limit_reached":
        this.#limit = event.limit;
        return;
      case "agent_end":
        this.#end(endAttributes(event, this.#limit));
        return;
      default:
        break;
    }
    this.#asked = this.#options.now();
  }

  summarize(answer: AssistantMessage): void {
    // The output limit does not apply to summaries.
    const { maxTokens: _, ...parameters } = this.#head?.parameters ?? {};
    if (!this.#isRepeated(answer)) this.#chat(answer, { parameters });
    this.#asked = this.#options.now();
  }

  fail(error: unknown): void {
    this.#end(thrownErrorAttribute(error));
  }

  /** The agent itself sends no spans. */
  #agent({ toolCallId, agent, session, event }: Extract<AgentEvent, { type: "subagent_event" }>): void {
    const call = this.#calls.get(toolCallId);
    if (call === undefined) return;
    call.span ??= this.#toolSpan(call);
    const parent = trace.setSpan(this.#context, call.span);
    const spans =
      this.#agents.get(session) ?? new PromptSpans({ session }, { ...this.#options, agentName: agent, parent });
    this.#agents.set(session, spans);
    spans.send(event);
  }

  #message(message: Message): void {
    switch (message.role) {
      case "assistant":
        if (!this.#isRepeated(message) && !isUnasked(message)) this.#chat(message, { ...this.#head }, this.#messages);
        this.#arrived = undefined;
        break;
      case "toolResult": {
        const call = this.#calls.get(message.toolCallId);
        this.#calls.delete(message.toolCallId);
        if (call && !this.#isRepeated(message)) this.#tool(call);
        break;
      }
      case "user":
        this.#messages.push(message);
        break;
    }
  }

  /** Whether an earlier process has already sent the span of a message. */
  #isRepeated({ timestamp }: Message): boolean {
    return this.#isResumed && timestamp < this.#began;
  }

  /** `messages` is the input, if contents are sent. */
  #chat(
    message: AssistantMessage,
    { system, parameters = {} }: Partial<RequestHead>,
    messages?: readonly Message[],
  ): void {
    const { recordChat, now } = this.#options;
    const { start, end } = chatPeriod(message, { asked: this.#asked, now: now() });
    // A missing answer begins and ends at once.
    const arrived = message.content.length > 0 ? this.#arrived : undefined;
    const firstChunk = arrived === undefined ? undefined : Math.max(0, arrived - start);
    const contents = this.#contents(() => ({
      ...(system !== undefined && { [ATTRIBUTE.systemInstructions]: systemInstructions(system) }),
      ...(messages !== undefined && { [ATTRIBUTE.inputMessages]: inputMessages(messages) }),
      [ATTRIBUTE.outputMessages]: outputMessages(message),
    }));
    const attributes = { ...chatAttributes(message, { session: this.#session, parameters, firstChunk }), ...contents };
    this.#finish(this.#child(`${OPERATION.chat} ${message.model}`, SpanKind.CLIENT, start), attributes, end);
    recordChat(message, end - start);
  }

  #toolSpan({ start, startedAt }: ToolCall): Span {
    return this.#child(`${OPERATION.tool} ${start.toolName}`, SpanKind.INTERNAL, startedAt);
  }

  #tool(call: ToolCall): void {
    const { start, ended } = call;
    const { toolCallId: id, toolName: name, args } = start;
    const contents = this.#contents(() => ({
      [ATTRIBUTE.toolArguments]: JSON.stringify(args),
      ...(ended && { [ATTRIBUTE.toolResult]: resultText(ended.end.result.content) }),
    }));
    const attributes = { ...toolAttributes({ id, name }, ended?.end.isError !== false), ...contents };
    this.#finish(call.span ?? this.#toolSpan(call), attributes, ended?.at ?? this.#options.now());
  }

  /** Ends the spans of calls without a result, then the span of the prompt. */
  #end(attributes: Attributes): void {
    for (const call of this.#calls.values()) this.#tool(call);
    this.#calls.clear();
    const answer = this.#messages.findLast((message) => message.role === "assistant");
    const contents = this.#contents(() => ({
      [ATTRIBUTE.inputMessages]: inputMessages(this.#messages.filter(({ role }) => role === "user")),
      ...(answer && { [ATTRIBUTE.outputMessages]: outputMessages(answer) }),
    }));
    this.#finish(this.#span, { ...attributes, ...contents }, this.#options.now());
  }

  /** Contents as redacted attributes; empty unless contents are sent. */
  #contents(texts: () => Readonly<Record<string, string>>): Attributes {
    const { hasContents, redactor } = this.#options;
    if (!hasContents) return {};
    return Object.fromEntries(Object.entries(texts()).map(([name, text]) => [name, redactor.text(text)]));
  }

  #child(name: string, kind: SpanKind, start: number): Span {
    return this.#options.tracer.startSpan(name, { kind, startTime: new Date(start) }, this.#context);
  }

  #finish(span: Span, attributes: Attributes, end: number): void {
    span.setAttributes(attributes);
    if (ATTRIBUTE.errorType in attributes) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(new Date(end));
  }
}
