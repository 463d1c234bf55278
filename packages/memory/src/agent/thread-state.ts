import type { AIMessage, ChatMessage, MemoryToolCall, ToolMessage } from "./chat-message.ts";
import { ControlState } from "./protocol.ts";
import type { ThreadEvent } from "./thread-event.ts";

/** The state of a thread, built from its journal. */
export class ThreadState {
  readonly #history: ChatMessage[] = [];
  readonly #historyIds = new Set<string>();
  /** Messages of all invocations by id, and whether they are processed. */
  readonly #messages = new Map<string, { readonly message: ChatMessage; isProcessed: boolean }>();
  #current: Omit<AgentState, "conversation_history"> = {
    to_process: [],
    tool_history: [],
    control: ControlState.START_SESSION,
  };
  #isPending = false;
  #isOpen = false;
  #sessions = 0;
  #count = 0;

  /** A copy of the current state. */
  get state(): AgentState {
    return { conversation_history: [...this.#history], ...this.#current };
  }

  /** Whether the last invocation has not ended. */
  get isPending(): boolean {
    return this.#isPending;
  }

  /** Whether a session has started and not ended. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Sessions started so far. */
  get sessions(): number {
    return this.#sessions;
  }

  /** Messages in the current session. */
  get count(): number {
    return this.#count;
  }

  /** The message with an id, and whether it is processed. */
  messageOf(id: string): { readonly message: ChatMessage; readonly isProcessed: boolean } | undefined {
    return this.#messages.get(id);
  }

  /** The last call, if it has not been executed. */
  get openCall(): MemoryToolCall | undefined {
    const last = this.#current.tool_history.at(-1);
    return last?.type === "ai" ? last.tool_calls[0] : undefined;
  }

  /** Applies the next line of the journal. */
  apply(event: ThreadEvent): void {
    switch (event.type) {
      case "invoked":
        this.#begin(event.control, event.message);
        return;
      case "called":
        this.#add({ type: "ai", content: "", tool_calls: [event.call] });
        return;
      case "executed":
        this.#add({ type: "tool", name: this.openCall?.name ?? "", content: event.content });
        return;
      case "ended":
        this.#remember(event.retrieved ?? []);
        if (event.content !== "") this.#add({ type: "ai", content: event.content, tool_calls: [] });
        this.#end();
        return;
      case "failed":
        this.#isPending = false;
    }
  }

  #begin(control: ControlState, message: ChatMessage | undefined): void {
    const to_process = message === undefined ? [] : [message];
    this.#current = { control, to_process, tool_history: [] };
    this.#isPending = true;
    if (control === ControlState.START_SESSION) {
      this.#sessions++;
      this.#count = 0;
    }
    this.#remember(to_process);
    if (message?.id === undefined || this.#messages.has(message.id)) return;
    this.#messages.set(message.id, { message, isProcessed: false });
    this.#count++;
  }

  #end(): void {
    const { control, to_process } = this.#current;
    this.#isPending = false;
    if (control === ControlState.START_SESSION) this.#isOpen = true;
    if (control === ControlState.END_SESSION) this.#isOpen = false;
    for (const { id = "" } of to_process) {
      const known = this.#messages.get(id);
      if (known) known.isProcessed = true;
    }
  }

  /** The reducer of `tool_history`: it grows within an invocation and is replaced by the next. */
  #add(message: AIMessage | ToolMessage): void {
    this.#current = { ...this.#current, tool_history: [...this.#current.tool_history, message] };
  }

  /** The reducer of `conversation_history`: appends messages whose id is new. */
  #remember(messages: readonly ChatMessage[]): void {
    for (const message of messages) {
      if (message.id !== undefined && this.#historyIds.has(message.id)) continue;
      if (message.id !== undefined) this.#historyIds.add(message.id);
      this.#history.push(message);
    }
  }
}

/** The state of a thread, with the names of the protocol. */
export interface AgentState {
  /** All messages of the thread, and the texts that the memory returned. Grows with each invocation. */
  readonly conversation_history: readonly ChatMessage[];
  /** The message of the current invocation, if it has one. */
  readonly to_process: readonly ChatMessage[];
  /** The calls and results of the current invocation. */
  readonly tool_history: readonly (AIMessage | ToolMessage)[];
  readonly control: ControlState;
}

/** The tool that the current invocation executed last; undefined if none. */
export function lastTool({ tool_history }: Pick<AgentState, "tool_history">): string | undefined {
  const last = tool_history.at(-1);
  return last?.type === "tool" ? last.name : undefined;
}
