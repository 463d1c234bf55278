import {
  type AssistantMessage,
  type JsonObject,
  type LanguageModel,
  type Message,
  ModelError,
  type ToolCall,
} from "@mdx-ai/models";
import { ModelCallError } from "./memory-agent-error.ts";
import { argumentsProblem, MODEL_TOOLS } from "./memory-calls.ts";
import { USER_LINE } from "./prompts.ts";
import type { ModelTool } from "./protocol.ts";

export interface CallRequest {
  readonly model: LanguageModel;
  /** What the model receives as the system prompt. */
  readonly prompt: string;
  /** The only tool that it may call. */
  readonly tool: ModelTool;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Receives each answer of the model, also those that are corrected, for its cost. */
  readonly onAnswer: (answer: AssistantMessage) => void;
}

/**
 * Asks the model for one call of one tool, and resolves to its arguments. A wrong answer is corrected once. Rejects with
 * `ModelCallError` if the answer after that is wrong too, and with `ModelError` if the model fails.
 */
export async function requestCall(request: CallRequest): Promise<JsonObject> {
  const { tool, now } = request;
  const messages: Message[] = [userMessage(USER_LINE, now())];
  const first = await answerOf(request, messages);
  const problem = answerProblem(first, tool);
  if (problem === undefined) return argumentsIn(first);
  messages.push(first, ...corrections(first, `${problem}. Call ${tool} once, and nothing else.`, now()));
  const second = await answerOf(request, messages);
  const remaining = answerProblem(second, tool);
  if (remaining === undefined) return argumentsIn(second);
  throw new ModelCallError(
    `the model did not call ${tool} as asked, even after a correction: ${remaining} (first: ${problem})`,
  );
}

async function answerOf(request: CallRequest, messages: readonly Message[]): Promise<AssistantMessage> {
  const { model, prompt: system, signal, onAnswer } = request;
  for await (const event of model.stream({ system, tools: MODEL_TOOLS, messages: [...messages] }, signal)) {
    if (event.type === "error") throw failure(event.message, event.error);
    if (event.type !== "done") continue;
    onAnswer(event.message);
    if (event.message.stopReason === "contextExceeded")
      throw new ModelCallError("the conversation does not fit into the context of the model");
    return event.message;
  }
  throw new ModelError("the answer of the model has no end");
}

/** With what is known about the failure, so that a caller can try again. */
const failure = ({ errorMessage, failure: details }: AssistantMessage, cause: Error): ModelError =>
  new ModelError(errorMessage ?? cause.message, { ...details, cause });

const callsIn = ({ content }: AssistantMessage): readonly ToolCall[] =>
  content.flatMap((block) => (block.type === "toolCall" ? [block] : []));

/** What is wrong with an answer that should call a tool once; undefined if nothing. */
function answerProblem(answer: AssistantMessage, tool: ModelTool): string | undefined {
  const calls = callsIn(answer);
  const [call] = calls;
  if (call === undefined) return "you called no tool";
  if (calls.length > 1) return `you called ${calls.length} tools (${calls.map(({ name }) => name).join(", ")})`;
  if (call.name !== tool) return `you called ${call.name}`;
  if (call.malformed !== undefined || answer.stopReason === "length")
    return `the arguments of ${tool} are no whole JSON object`;
  return argumentsProblem(tool, call.arguments);
}

const argumentsIn = (answer: AssistantMessage): JsonObject => callsIn(answer)[0]?.arguments ?? {};

/** Every call must be answered; without one the user says what is wrong. */
function corrections(answer: AssistantMessage, text: string, timestamp: number): readonly Message[] {
  const calls = callsIn(answer);
  if (calls.length === 0) return [userMessage(text, timestamp)];
  return calls.map(({ id, name }) => ({
    role: "toolResult",
    toolCallId: id,
    toolName: name,
    content: [{ type: "text", text: `Not executed: ${text}` }],
    isError: true,
    timestamp,
  }));
}

const userMessage = (text: string, timestamp: number): Message => ({
  role: "user",
  content: [{ type: "text", text }],
  timestamp,
});
