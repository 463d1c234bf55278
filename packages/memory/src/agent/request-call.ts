import type { JsonObject } from "@mdx-ai/base";
import {
  type AssistantMessage,
  type LanguageModel,
  type Message,
  ModelError,
  type ToolCall,
  type ToolSchema,
} from "@mdx-ai/models";
import { USER_LINE } from "./prompts.ts";
import { ModelCallError, type ModelTool } from "./protocol.ts";

export interface CallRequest {
  readonly model: LanguageModel;
  /** The system prompt. */
  readonly prompt: string;
  /** The only tool that the model may call. */
  readonly tool: ModelTool;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Receives each answer of the model, also those that are corrected, to record its cost. */
  readonly onAnswer: (answer: AssistantMessage) => void;
}

/**
 * Asks the model for one call of one tool and resolves to its arguments. Corrects a wrong answer once. Rejects with `ModelCallError` if the
 * second answer is also wrong, and with `ModelError` if the model fails.
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
  throw new ModelError("the model's answer is incomplete");
}

/** Keeps the details of the failure, so that the caller can retry. */
const failure = ({ errorMessage, failure: details }: AssistantMessage, cause: Error): ModelError =>
  new ModelError(errorMessage ?? cause.message, { ...details, cause });

const callsIn = ({ content }: AssistantMessage): readonly ToolCall[] =>
  content.flatMap((block) => (block.type === "toolCall" ? [block] : []));

/** Why an answer is not a single call of the tool; undefined if it is. */
function answerProblem(answer: AssistantMessage, tool: ModelTool): string | undefined {
  const calls = callsIn(answer);
  const [call] = calls;
  if (call === undefined) return "you called no tool";
  if (calls.length > 1) return `you called ${calls.length} tools (${calls.map(({ name }) => name).join(", ")})`;
  if (call.name !== tool) return `you called ${call.name}`;
  if (call.malformed !== undefined || answer.stopReason === "length")
    return `the arguments of ${tool} are not a complete JSON object`;
  return argumentsProblem(tool, call.arguments);
}

const argumentsIn = (answer: AssistantMessage): JsonObject => callsIn(answer)[0]?.arguments ?? {};

/** Answers every call with the problem; if there was no call, a user message reports it. */
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

/** Characters that the service accepts in a context. */
const MAX_CONTEXT = 65_536;

/** Characters that the service accepts in a summary. */
export const MAX_SUMMARY = 512;

const text = (description: string): JsonObject => ({ type: "string", description });

const place = { vault_id: text("The vault's id."), memory_id: text("The memory's id.") };

/** The tools that the model may call: always both in this order, so that requests share a prefix. */
const MODEL_TOOLS: readonly ToolSchema[] = [
  {
    name: "add_entry",
    description: "Adds an entry for one message to the memory.",
    parameters: {
      type: "object",
      properties: {
        ...place,
        raw_entry: text("The text of the message, unchanged."),
        summary: text(`A summary of the message, at most ${MAX_SUMMARY} characters.`),
        tags: {
          type: "object",
          description: "Optional metadata about the message.",
          additionalProperties: { type: "string" },
        },
      },
      required: ["vault_id", "memory_id", "raw_entry", "summary"],
    },
  },
  {
    name: "put_context",
    description: "Saves the context document of the memory. It replaces the one before.",
    parameters: {
      type: "object",
      properties: { ...place, content: text("The whole context document.") },
      required: ["vault_id", "memory_id", "content"],
    },
  },
];

/** Why the arguments of a call are wrong, as text for the model; undefined if they are right. Checks only what the model must write. */
function argumentsProblem(tool: ModelTool, args: JsonObject): string | undefined {
  const name = tool === "add_entry" ? "summary" : "content";
  const value = args[name];
  if (typeof value !== "string" || value.trim() === "") return `${tool} needs a text as \`${name}\``;
  if (tool === "put_context" && value.length > MAX_CONTEXT)
    return `\`content\` has ${value.length} characters, and ${MAX_CONTEXT} are allowed`;
  return undefined;
}
