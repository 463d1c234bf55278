import { type JsonObject, sha256 } from "@mdx-ai/base";
import type { AssistantMessage, LanguageModel } from "@mdx-ai/models";
import { cutText } from "../limits.ts";
import { type MemoryStore, type PromptTemplates, textTags } from "../memory-store.ts";
import type { ChatMessage, MemoryToolCall } from "./chat-message.ts";
import { OpenedThread } from "./opened-thread.ts";
import { contextText, entriesText, LISTED_ENTRIES } from "./opening-text.ts";
import { buildAddEntryPrompt, buildPutContextPrompt, type MemoryPlace } from "./prompts.ts";
import { type ControlState, MemoryAgentError, type ModelTool, nextStep } from "./protocol.ts";
import { MAX_SUMMARY, requestCall } from "./request-call.ts";
import type { OpenThread } from "./thread-journal.ts";
import { type AgentState, lastTool } from "./thread-state.ts";

export interface MemoryAgentOptions extends MemoryPlace {
  readonly store: MemoryStore;
  /** Writes summaries and contexts. */
  readonly model: LanguageModel;
  /** Opens the journal of a thread; see `threadFiles`. */
  readonly openThread: OpenThread;
  /** The type of memory, which selects the prompts. Default: "chat". */
  readonly memoryType?: string;
  /** Redacts a text before it is journaled, sent or stored. */
  readonly redact?: (text: string) => string;
  /** Receives each answer of the model, to record its cost. */
  readonly onAnswer?: (answer: AssistantMessage) => void;
  /** Aborts running model calls. */
  readonly signal?: AbortSignal;
  /** Milliseconds since 1970. Default: the system's clock. */
  readonly now?: () => number;
}

/** The progress of a thread. */
export interface ThreadProgress {
  /** Whether a session has started and not ended. */
  readonly isOpen: boolean;
  /** Messages of the current session that were processed or repeated. */
  readonly messages: number;
  /** Whether an invocation was interrupted. The next invocation finishes it first. */
  readonly isPending: boolean;
}

/**
 * The memory agent of the clean agent protocol: reads a conversation and stores it in a memory. Each invocation follows the table in
 * protocol.ts. Threads are independent, and their state outlives the process.
 */
export class MemoryAgent {
  readonly #options: MemoryAgentOptions;
  readonly #threads = new Map<string, Promise<OpenedThread>>();
  readonly #turns = new Map<string, Promise<unknown>>();
  #prompts: Promise<PromptTemplates> | undefined;

  constructor(options: MemoryAgentOptions) {
    this.#options = options;
  }

  /**
   * Runs one invocation after earlier ones of the same thread, and finishes what a crash interrupted first. Does nothing for a message that
   * the thread has processed, or for the first start in a session that an earlier process left open. Rejects with `MemoryAgentError`,
   * `ModelError`, `MemoryStoreError` or a file system error.
   */
  invoke(control: ControlState, threadId: string, toProcess?: ChatMessage): Promise<AgentState> {
    return this.#inTurn(threadId, async (thread) => {
      await this.#invoke(thread, control, toProcess && this.#redacted(toProcess));
      return thread.state;
    });
  }

  /** The progress of a thread once its current invocations have ended. */
  progress(threadId: string): Promise<ThreadProgress> {
    return this.#inTurn(threadId, async ({ isOpen, isPending, position: messages }) => ({
      isOpen,
      isPending,
      messages,
    }));
  }

  /** Closes the journal of a thread once its current invocations have ended; the next one reopens it. Never rejects. */
  async release(threadId: string): Promise<void> {
    await this.#turns.get(threadId);
    const thread = await this.#threads.get(threadId)?.catch(() => undefined);
    this.#threads.delete(threadId);
    thread?.close();
  }

  /** Closes all journals once the current invocations have ended. Never rejects. */
  async close(): Promise<void> {
    await Promise.all([...this.#threads.keys()].map((threadId) => this.release(threadId)));
  }

  #inTurn<Result>(threadId: string, work: (thread: OpenedThread) => Promise<Result>): Promise<Result> {
    const before = this.#turns.get(threadId) ?? Promise.resolve();
    const result = before.then(async () => work(await this.#thread(threadId)));
    this.#turns.set(
      threadId,
      result.catch(() => undefined),
    );
    return result;
  }

  #thread(threadId: string): Promise<OpenedThread> {
    const known = this.#threads.get(threadId);
    if (known) return known;
    const opening = this.#options.openThread(threadId).then((journal) => new OpenedThread(threadId, journal));
    this.#threads.set(threadId, opening);
    opening.catch(() => this.#threads.delete(threadId));
    return opening;
  }

  async #invoke(thread: OpenedThread, control: ControlState, given: ChatMessage | undefined): Promise<void> {
    if (thread.repeatsBoundary(control)) return;
    if (thread.isPending) {
      const isSame = thread.state.control === control && given === undefined;
      await this.#finish(thread);
      if (isSame) return;
    }
    const message = given && thread.identified(given);
    if (message ? thread.repeatsMessage(message) : thread.repeatsBoundary(control)) return;
    await thread.begin(control, message);
    await this.#finish(thread);
    thread.ended();
  }

  /** Runs the current invocation to its end. */
  async #finish(thread: OpenedThread): Promise<void> {
    try {
      while (thread.isPending) await this.#advance(thread);
    } catch (error) {
      thread.madeHere = false;
      if (error instanceof MemoryAgentError) await thread.append({ type: "failed", reason: error.message });
      throw error;
    }
  }

  /** One transition of the protocol's table. Each line is flushed before the next effect. */
  async #advance(thread: OpenedThread): Promise<void> {
    const { state, openCall } = thread;
    if (openCall) {
      await thread.append({ type: "executed", content: await this.#execute(thread, openCall) });
      return;
    }
    const step = nextStep(state.control, lastTool(state));
    if (step === undefined) throw new MemoryAgentError(`nothing follows ${lastTool(state)} in ${state.control}`);
    const retrieved: ChatMessage[] = [];
    for (const tool of step.direct ?? []) {
      if (tool === "await_consistency") await this.#options.store.awaitConsistency(this.#options.memoryId);
      else if (tool === "get_context") retrieved.push(await this.#context(thread));
      else retrieved.push(await this.#entries(thread));
    }
    if (step.model === undefined) {
      const content = step.completion ?? "";
      await thread.append({ type: "ended", content, ...(retrieved.length > 0 && { retrieved }) });
      return;
    }
    const args = await this.#ask(state, step.model);
    thread.madeHere = true;
    await thread.append({ type: "called", call: { name: step.model, args } });
  }

  async #context({ sessions }: OpenedThread): Promise<ChatMessage> {
    const { store, vaultId, memoryId } = this.#options;
    const context = (await store.getContext(vaultId, memoryId)) ?? "";
    return this.#redacted({ role: "system", content: contextText(context), id: `${sessions}.context` });
  }

  async #entries({ sessions }: OpenedThread): Promise<ChatMessage> {
    const { store, vaultId, memoryId } = this.#options;
    const entries = await store.listEntries(vaultId, memoryId, { limit: LISTED_ENTRIES });
    return this.#redacted({ role: "system", content: entriesText(entries), id: `${sessions}.entries` });
  }

  async #ask(state: AgentState, tool: ModelTool): Promise<JsonObject> {
    const { model, signal = NEVER, now = Date.now, onAnswer = () => {} } = this.#options;
    const prompt = await this.#prompt(state, tool);
    const args = await requestCall({ model, prompt, tool, signal, now, onAnswer });
    return this.#arguments(state, tool, args);
  }

  async #prompt({ conversation_history, to_process }: AgentState, tool: ModelTool): Promise<string> {
    const { store, vaultId, memoryId, memoryType = "chat" } = this.#options;
    this.#prompts ??= store.defaultPrompts(memoryType);
    this.#prompts.catch(() => {
      this.#prompts = undefined;
    });
    const parts = { vaultId, memoryId, prompts: await this.#prompts };
    if (tool === "put_context") return buildPutContextPrompt({ ...parts, history: conversation_history });
    const [toProcess] = to_process;
    // Usually the last message, unless it is processed again after a failure.
    const earlier = conversation_history.filter(({ id }) => id === undefined || id !== toProcess?.id);
    const history = toProcess === undefined ? conversation_history : [...earlier, toProcess];
    return buildAddEntryPrompt({ ...parts, history, toProcess });
  }

  /** The arguments to execute: the model chooses summary, tags and context; memory and text are given. */
  #arguments({ to_process: [message] }: AgentState, tool: ModelTool, args: JsonObject): JsonObject {
    const { vaultId: vault_id, memoryId: memory_id, redact = (text) => text } = this.#options;
    const place = { vault_id, memory_id };
    if (tool === "put_context") return { ...place, content: redact(textOf(args["content"])) };
    const chosen = Object.entries(textTags(args["tags"])).map(([name, value]) => [name, redact(value)]);
    return {
      ...place,
      raw_entry: message?.content ?? "",
      summary: cutText(redact(textOf(args["summary"])).trim(), MAX_SUMMARY),
      tags: { ...Object.fromEntries(chosen), role: message?.role ?? "", ...message?.tags },
    };
  }

  async #execute(thread: OpenedThread, { name, args }: MemoryToolCall): Promise<string> {
    const { store, vaultId, memoryId } = this.#options;
    if (name === "put_context") {
      const content = textOf(args["content"]);
      // A process may have been killed after it saved the context and before it journaled that.
      const isSaved = !thread.madeHere && (await store.getContext(vaultId, memoryId)) === content;
      if (!isSaved) await store.putContext(vaultId, memoryId, content);
      return "Context saved";
    }
    const [message] = thread.state.to_process;
    await store.addEntry(vaultId, memoryId, {
      rawEntry: textOf(args["raw_entry"]),
      summary: textOf(args["summary"]),
      tags: textTags(args["tags"]),
      entryId: entryIdOf(`${thread.id}/${message?.id}`),
      ...(message?.at !== undefined && { createdAt: message.at }),
    });
    return "Entry added";
  }

  #redacted(message: ChatMessage): ChatMessage {
    const { redact } = this.#options;
    return redact ? { ...message, content: redact(message.content) } : message;
  }
}

/** Short enough to type. */
const entryIdOf = (id: string): string => sha256(id).slice(0, 16);

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const NEVER: AbortSignal = new AbortController().signal;
