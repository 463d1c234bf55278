import type { ChatMessage } from "./chat-message.ts";
import type { MemoryAgent } from "./memory-agent.ts";
import { ControlState } from "./protocol.ts";

/** The context is rewritten after this many messages of a session. */
const FLUSHED_EVERY = 6;

/** Counts the messages of sessions and chooses the control state of each invocation. Rejects as the agent does. */
export class MemoryInvoker {
  readonly #agent: Pick<MemoryAgent, "invoke" | "progress">;
  readonly #counts = new Map<string, number>();

  constructor(agent: Pick<MemoryAgent, "invoke" | "progress">) {
    this.#agent = agent;
  }

  /** Starts a session and resets the count. */
  async startSession(threadId: string): Promise<void> {
    await this.#agent.invoke(ControlState.START_SESSION, threadId);
    this.#counts.set(threadId, 0);
  }

  /** Processes one message; every sixth message of a session also writes the context. A failed message is not counted. */
  async processConversationMessage(
    role: string,
    content: string,
    threadId: string,
    details: Pick<ChatMessage, "id" | "at" | "tags"> = {},
  ): Promise<void> {
    const before = this.#counts.get(threadId) ?? (await this.#agent.progress(threadId)).messages;
    const control =
      (before + 1) % FLUSHED_EVERY === 0 ? ControlState.PROCESS_MESSAGE_AND_FLUSH : ControlState.PROCESS_MESSAGE;
    await this.#agent.invoke(control, threadId, { role, content, ...details });
    this.#counts.set(threadId, before + 1);
  }

  /** Ends the session and writes its context. */
  async endSession(threadId: string): Promise<void> {
    await this.#agent.invoke(ControlState.END_SESSION, threadId);
  }
}
