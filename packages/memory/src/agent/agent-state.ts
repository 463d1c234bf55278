import type { AIMessage, ChatMessage, ToolMessage } from "./chat-message.ts";
import type { ControlState } from "./control-state.ts";

/** The state of a thread, with the names of the protocol's document. */
export interface AgentState {
  /** All messages of the thread, and what the memory returned. Accumulates over invocations. */
  readonly conversation_history: readonly ChatMessage[];
  /** The message of the current invocation, if it has one. Replaced by each invocation. */
  readonly to_process: readonly ChatMessage[];
  /** The calls of the current invocation and their results. Each invocation begins with none. */
  readonly tool_history: readonly (AIMessage | ToolMessage)[];
  readonly control: ControlState;
}

/** The name of the tool that the current invocation executed last; undefined if it has executed none. */
export function lastTool({ tool_history }: Pick<AgentState, "tool_history">): string | undefined {
  const last = tool_history.at(-1);
  return last?.type === "tool" ? last.name : undefined;
}
