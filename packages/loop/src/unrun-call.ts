import type { AssistantMessage, ToolCall, ToolResultMessage } from "@mdx-ai/models";
import { contentText } from "./content-text.ts";
import type { ToolOutcome } from "./types/tool-registry.ts";

/** The prefix of the answer to a call that is not run. */
const UNRUN = "not run: ";

const TOO_MANY = `${UNRUN}this prompt may make `;

const CUT_OFF = `${UNRUN}the answer reached its length limit, so the arguments may be cut off; call again with complete arguments`;

const UNFINISHED = `${UNRUN}the answer that asked for it ended too early`;

/** The answer to a call of a prompt that was already stopped. */
export const NOT_STARTED: string = `${UNRUN}the prompt was stopped before`;

/** The answer to a call from a journal whose arguments contained a redacted secret. */
export const SECRETS_LOST: string = `${UNRUN}its arguments held a secret, which is not kept on disk, and the program was restarted before it ran; call again with complete arguments`;

/** The answer to a call of a tool that is gone and whose wire name now belongs to another tool. */
export const OTHER_TOOL: string = `${UNRUN}the agent's tools have changed, and this name now belongs to another tool; call again if you want that one`;

/** The answer to a call that an earlier process started. It is unknown whether it ran. */
export const INTERRUPTED = "interrupted, outcome unknown";

/** The answer to a call beyond the prompt's limit. */
export const tooManyCalls = (limit: number): string =>
  `${TOO_MANY}${limit} tool calls, and they are used up; answer with the results so far`;

/** The result of a call that failed or was not run. */
export const errorOutcome = (text: string): ToolOutcome => ({ content: [{ type: "text", text }], isError: true });

/** The message with the outcome of a call. `timestamp` is milliseconds since 1970. */
export const resultMessage = (call: ToolCall, outcome: ToolOutcome, timestamp: number): ToolResultMessage => ({
  role: "toolResult",
  toolCallId: call.id,
  toolName: call.name,
  content: outcome.content,
  ...(outcome.details !== undefined && { details: outcome.details }),
  ...(outcome.cost !== undefined && { cost: outcome.cost }),
  isError: outcome.isError,
  timestamp,
});

/** The answer to all calls of an incomplete message; undefined if they may run. */
export function notRunAnswer({ stopReason }: AssistantMessage): string | undefined {
  if (stopReason === "length") return CUT_OFF;
  return stopReason === "refusal" || stopReason === "contextExceeded" ? UNFINISHED : undefined;
}

/** Whether the loop made the result: the call was not run, or its outcome is unknown. */
export const wasNotRun = (result: ToolResultMessage): boolean => beginsWith(result, UNRUN) || isInterrupted(result);

/** Whether a call was rejected because its prompt had made too many. */
export const isOneTooMany = (result: ToolResultMessage): boolean => beginsWith(result, TOO_MANY);

/** Whether an earlier process started the call without a known outcome. */
export const isInterrupted = ({ isError, content }: ToolResultMessage): boolean =>
  isError && contentText(content) === INTERRUPTED;

const beginsWith = ({ isError, content }: ToolResultMessage, text: string): boolean =>
  isError && contentText(content).startsWith(text);
