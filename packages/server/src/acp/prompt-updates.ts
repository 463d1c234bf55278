import type { SessionUpdate, ToolCallStatus } from "@agentclientprotocol/sdk";
import { plainText } from "@mdx-ai/directory/text";
import { todoIn } from "@mdx-ai/directory/views/todo-items";
import { type AgentEvent, compareEventIds } from "@mdx-ai/loop";
import type { AssistantMessage, Message } from "@mdx-ai/models";
import { type CalledTool, rawResult, shownCall, shownResult } from "./tool-calls.ts";

type MessageUpdate = Extract<AgentEvent, { type: "message_update" }>;
type ToolStart = Extract<AgentEvent, { type: "tool_execution_start" }>;

interface ShownCall extends CalledTool {
  /** Unique in the session; the model's id is so in its message alone. */
  readonly id: string;
}

/**
 * Turns the events of a session into what a client shows, for live prompts and for past ones. An event with an id is shown once, however
 * often it is repeated.
 */
export class PromptUpdates {
  readonly #folder: string;
  /** The id of the last shown event. */
  #last = "0.0";
  /** The message that the model writes. */
  #messageId = "";
  /** The characters of each of its blocks that were shown. */
  #shown = new Map<number, number>();
  /** The calls of the running prompt, by the model's id. */
  readonly #calls = new Map<string, ShownCall>();
  /** The calls whose output the client shows in a terminal. */
  readonly #inTerminals = new Set<string>();

  /** `folder` is the working directory of tools. Absolute. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The updates for an event. `isPast`: the client does not know the user's messages either. */
  of(event: AgentEvent, isPast = false): readonly SessionUpdate[] {
    if (event.id !== undefined) {
      const isRepeated = compareEventIds(event.id, this.#last) <= 0;
      if (isRepeated && event.type === "tool_execution_start") this.#note(event);
      if (isRepeated) return [];
      this.#last = event.id;
    }
    return this.#updates(event, isPast);
  }

  /** The id by which the client knows a call of the running prompt, with what it shows. */
  call(toolCallId: string): ShownCall | undefined {
    return this.#calls.get(toolCallId);
  }

  /** The update of a call whose output the client shows in one of its terminals from now on. */
  inTerminal(toolCallId: string, terminalId: string): readonly SessionUpdate[] {
    const call = this.#calls.get(toolCallId);
    if (call === undefined) return [];
    this.#inTerminals.add(call.id);
    const content = [{ type: "terminal" as const, terminalId }];
    return [{ sessionUpdate: "tool_call_update", toolCallId: call.id, content }];
  }

  #updates(event: AgentEvent, isPast: boolean): readonly SessionUpdate[] {
    switch (event.type) {
      case "message_start":
        this.#messageId = event.id ?? "";
        this.#shown = new Map();
        return [];
      case "message_update":
        return this.#delta(event);
      case "message_end":
        return event.message.role === "assistant" ? this.#rest(event.message) : userChunks(event, isPast);
      case "tool_execution_start":
        return this.#start(event);
      case "permission_decided":
        return this.#status(event.toolCallId, event.action === "allow" ? "in_progress" : "pending");
      case "question_asked": {
        const { question } = event;
        return question.kind === "approval" ? this.#status(question.request.toolCallId, "pending") : [];
      }
      case "tool_execution_update":
        return this.#progress(event.toolCallId, (call) => ({
          content: shownResult(call, event.partialResult, this.#folder),
        }));
      case "tool_execution_end":
        return this.#end(event);
      case "agent_end": {
        const open = [...this.#calls.keys()].flatMap((id) => this.#status(id, "failed"));
        this.#calls.clear();
        return open;
      }
      default:
        return [];
    }
  }

  #delta({ assistantMessageEvent: part }: MessageUpdate): readonly SessionUpdate[] {
    if (part.type !== "text_delta" && part.type !== "thinking_delta") return [];
    this.#shown.set(part.contentIndex, (this.#shown.get(part.contentIndex) ?? 0) + part.delta.length);
    return this.#chunk(part.type === "text_delta" ? "agent_message_chunk" : "agent_thought_chunk", part.delta);
  }

  /** The text of a message that no delta brought. */
  #rest({ content }: AssistantMessage): readonly SessionUpdate[] {
    return content.flatMap((block, index) => {
      const shown = this.#shown.get(index) ?? 0;
      if (block.type === "text") return this.#chunk("agent_message_chunk", block.text.slice(shown));
      if (block.type === "thinking") return this.#chunk("agent_thought_chunk", block.thinking.slice(shown));
      return [];
    });
  }

  #chunk(sessionUpdate: "agent_message_chunk" | "agent_thought_chunk", given: string): readonly SessionUpdate[] {
    const text = plainText(given);
    if (text === "") return [];
    return [{ sessionUpdate, content: { type: "text", text }, messageId: this.#messageId }];
  }

  #note(event: ToolStart): ShownCall {
    const { toolCallId, toolName, args, label, id: eventId = "" } = event;
    const call = { id: `${eventId}:${toolCallId}`, toolName, args, ...(label !== undefined && { label }) };
    this.#calls.set(toolCallId, call);
    return call;
  }

  /** A list of steps is shown as a plan in place of a call. */
  #start(event: ToolStart): readonly SessionUpdate[] {
    const call = this.#note(event);
    if (call.label?.kind === "todo") return [];
    const shown = shownCall(call, this.#folder);
    return [{ sessionUpdate: "tool_call", toolCallId: call.id, status: "in_progress", ...shown }];
  }

  #end({ toolCallId, result, isError }: Extract<AgentEvent, { type: "tool_execution_end" }>): readonly SessionUpdate[] {
    const status: ToolCallStatus = isError ? "failed" : "completed";
    const rawOutput = rawResult(result);
    const updates = this.#progress(toolCallId, (call) => ({
      status,
      ...(!this.#inTerminals.has(call.id) && { content: shownResult(call, result, this.#folder) }),
      ...(rawOutput !== undefined && { rawOutput }),
    }));
    const todo = todoIn(result.details);
    this.#calls.delete(toolCallId);
    return todo === undefined ? updates : [planOf(todo)];
  }

  #status(toolCallId: string, status: ToolCallStatus): readonly SessionUpdate[] {
    return this.#progress(toolCallId, () => ({ status }));
  }

  #progress(
    toolCallId: string,
    changed: (
      call: ShownCall,
    ) => Omit<Extract<SessionUpdate, { sessionUpdate: "tool_call_update" }>, "sessionUpdate" | "toolCallId">,
  ): readonly SessionUpdate[] {
    const call = this.#calls.get(toolCallId);
    if (call === undefined || call.label?.kind === "todo") return [];
    return [{ sessionUpdate: "tool_call_update", toolCallId: call.id, ...changed(call) }];
  }
}

/** What the user said, in a past prompt; not what modules and skills added. */
function userChunks(
  { id, message }: { readonly id?: string; readonly message: Message },
  isPast: boolean,
): readonly SessionUpdate[] {
  if (!isPast || message.role !== "user" || message.origin !== undefined) return [];
  const messageId = id ?? "";
  const { typed } = message;
  const content = typed === undefined ? message.content : [{ type: "text" as const, text: typed }];
  return content.map((block) => ({
    sessionUpdate: "user_message_chunk",
    content: block.type === "text" ? { type: "text", text: plainText(block.text) } : { ...block },
    messageId,
  }));
}

const STATUSES: Readonly<Record<string, "pending" | "in_progress" | "completed">> = {
  active: "in_progress",
  done: "completed",
};

const planOf = (items: readonly { readonly text: string; readonly status: string }[]): SessionUpdate => ({
  sessionUpdate: "plan",
  entries: items.map(({ text, status }) => ({
    content: plainText(text),
    priority: "medium",
    status: STATUSES[status] ?? "pending",
  })),
});
