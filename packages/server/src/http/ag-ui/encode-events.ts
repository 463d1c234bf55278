import { budgetText, deniedText } from "@mdx-ai/directory/views/prompt-lines";
import { type AgentEvent, type AssistantMessageEvent, contentText, type Question } from "@mdx-ai/loop";
import type { AssistantMessage, Usage } from "@mdx-ai/models";
import { offeredWords } from "@mdx-ai/sessions";

/** An event of AG-UI. */
export interface AgUiEvent {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** The names that a client gave to its conversation and its run. */
export interface AgUiRun {
  readonly threadId: string;
  readonly runId: string;
}

/** The events of a prompt as AG-UI 1.0. A question ends the run as an interrupt, and the answer continues in the next run. */
export async function* encodeEvents(
  events: AsyncIterable<AgentEvent>,
  run: AgUiRun,
): AsyncGenerator<AgUiEvent, void, undefined> {
  const encoder = new Encoder(run);
  yield { type: "RUN_STARTED", ...run, protocolVersion: "1.0" };
  for await (const event of events) yield* encoder.encode(event);
}

class Encoder {
  readonly #run: AgUiRun;
  #message = "message";
  /** The kind of block that is open. */
  #open: "text" | "reasoning" | undefined;
  /** The text of the message so far. */
  #text = "";
  #problem: string | undefined;

  constructor(run: AgUiRun) {
    this.#run = run;
  }

  *encode(event: AgentEvent): Generator<AgUiEvent, void, undefined> {
    switch (event.type) {
      case "message_start":
        this.#message = `${this.#run.threadId}:${event.id ?? crypto.randomUUID()}`;
        this.#text = "";
        return;
      case "message_update":
        return yield* this.#update(event.assistantMessageEvent);
      case "message_end":
        if (event.message.role === "assistant") yield* this.#finish(event.message);
        return yield* this.#close();
      case "tool_execution_start":
        yield { type: "TOOL_CALL_START", toolCallId: event.toolCallId, toolCallName: event.toolName };
        yield { type: "TOOL_CALL_ARGS", toolCallId: event.toolCallId, delta: JSON.stringify(event.args) };
        return yield { type: "TOOL_CALL_END", toolCallId: event.toolCallId };
      case "tool_execution_end": {
        const { toolCallId, result } = event;
        const messageId = `${this.#run.threadId}:${event.id ?? toolCallId}`;
        return yield {
          type: "TOOL_CALL_RESULT",
          messageId,
          toolCallId,
          role: "tool",
          content: contentText(result.content),
        };
      }
      case "question_asked":
        yield* this.#close();
        return yield this.#end({ type: "interrupt", interrupts: [interruptOf(event.question)] });
      case "agent_end":
        yield* this.#close();
        return yield this.#endOf(event);
      default:
        return;
    }
  }

  *#update(update: AssistantMessageEvent): Generator<AgUiEvent, void, undefined> {
    if (update.type === "text_delta") yield* this.#say(update.delta);
    if (update.type === "thinking_delta") yield* this.#think(update.delta);
  }

  /** Says what had no delta, as of a model that does not stream. */
  *#finish({ content, errorMessage }: AssistantMessage): Generator<AgUiEvent, void, undefined> {
    const whole = contentText(content);
    this.#problem = errorMessage;
    if (whole.startsWith(this.#text)) yield* this.#say(whole.slice(this.#text.length));
  }

  #endOf({ outcome, cost, denied }: Extract<AgentEvent, { type: "agent_end" }>): AgUiEvent {
    const usage = { usage: [usageOf(cost.usage)] };
    if (denied !== undefined) return { type: "RUN_ERROR", message: deniedText(denied), ...usage };
    if (outcome === "error") return { type: "RUN_ERROR", message: this.#problem ?? "the prompt failed", ...usage };
    return this.#end({ type: outcome === "aborted" ? "cancelled" : "success" }, usage);
  }

  #end(outcome: object, more: object = {}): AgUiEvent {
    return { type: "RUN_FINISHED", ...this.#run, outcome, ...more };
  }

  *#say(delta: string): Generator<AgUiEvent, void, undefined> {
    if (delta === "") return;
    const messageId = this.#message;
    if (this.#open !== "text") {
      yield* this.#close();
      this.#open = "text";
      yield { type: "TEXT_MESSAGE_START", messageId, role: "assistant" };
    }
    this.#text += delta;
    yield { type: "TEXT_MESSAGE_CONTENT", messageId, delta };
  }

  *#think(delta: string): Generator<AgUiEvent, void, undefined> {
    if (delta === "") return;
    const messageId = `${this.#message}:reasoning`;
    if (this.#open !== "reasoning") {
      yield* this.#close();
      this.#open = "reasoning";
      yield { type: "REASONING_START", messageId };
      yield { type: "REASONING_MESSAGE_START", messageId, role: "reasoning" };
    }
    yield { type: "REASONING_MESSAGE_CONTENT", messageId, delta };
  }

  *#close(): Generator<AgUiEvent, void, undefined> {
    const messageId = this.#message;
    if (this.#open === "text") yield { type: "TEXT_MESSAGE_END", messageId };
    if (this.#open === "reasoning") {
      yield { type: "REASONING_MESSAGE_END", messageId: `${messageId}:reasoning` };
      yield { type: "REASONING_END", messageId: `${messageId}:reasoning` };
    }
    this.#open = undefined;
  }
}

/** A question as an interrupt: one of its words, or the values of its form, is the payload that resolves it. */
function interruptOf(question: Question): object {
  const { id, kind, deadline } = question;
  const expires =
    deadline !== undefined && Number.isFinite(deadline) ? { expiresAt: new Date(deadline).toISOString() } : {};
  const words = { type: "string", enum: offeredWords(question) };
  switch (kind) {
    case "approval": {
      const { toolCallId, toolName, reason } = question.request;
      return { id, reason: kind, message: `${toolName}: ${reason}`, toolCallId, responseSchema: words, ...expires };
    }
    case "budget":
      return { id, reason: kind, message: budgetText(question), responseSchema: words, ...expires };
    case "elicitation": {
      const { request } = question;
      const form = request.type === "form" ? request.schema : words;
      return { id, reason: kind, message: request.message, responseSchema: form, ...expires };
    }
    case "sign_in":
      return { id, reason: kind, message: `sign in at ${question.url}`, responseSchema: words, ...expires };
  }
}

const usageOf = ({ input, output, cacheRead, cacheWrite, thinking, total }: Usage): object => ({
  inputTokens: input + cacheRead + cacheWrite,
  ...{ outputTokens: output, totalTokens: total, reasoningTokens: thinking },
  ...{ cachedInputTokens: cacheRead, cacheWriteInputTokens: cacheWrite },
});
