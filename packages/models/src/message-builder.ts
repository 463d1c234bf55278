import type { JsonObject } from "@mdx-ai/base";
import { ArgumentPieces } from "./call-arguments.ts";
import { contextExceeded, ModelError } from "./errors.ts";
import { freeId, numberedId } from "./history/sent-parts.ts";
import { type Block, cutOff, end, grow, type Mutable, startEvent } from "./message-block.ts";
import type { AdaptedRequest } from "./schemas/tool-schemas.ts";
import type { ModelEvent } from "./types/language-model.ts";
import type {
  AssistantContent,
  AssistantMessage,
  StopReason,
  ThinkingContent,
  ToolCall,
  Usage,
} from "./types/message.ts";

type GrowingMessage = Omit<Mutable<AssistantMessage>, "content"> & { readonly content: Block["content"][] };

/** How a model stops of its own accord. */
export type FinishReason = Exclude<StopReason, "aborted" | "error">;

/** Characters kept of the name and the id of a call; no tool has a longer name. */
const longestName = 200;

const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, thinking: 0 };

/**
 * Turns what happens to the blocks of an answer into model events and into the message itself; every model uses it.
 * Events wait until they are taken, and deltas of one block that wait together become one event: a model that takes
 * once per network chunk pays for events by the chunk and not by the token.
 */
export class MessageBuilder {
  readonly #message: GrowingMessage;
  readonly #open = new Set<Block>();
  readonly #callIds = new Set<string>();
  #events: ModelEvent[] = [];
  readonly #asked = performance.now();
  #started = false;
  #growing: Block | undefined;
  #delta = "";
  #restore: AdaptedRequest["restore"] = () => undefined;

  constructor(origin: { readonly provider: string; readonly model: string }) {
    this.#message = {
      role: "assistant",
      content: [],
      provider: origin.provider,
      model: origin.model,
      usage: noUsage,
      stopReason: "stop",
      timestamp: Date.now(),
    };
  }

  /** How the arguments of calls are read, for calls that begin from now on. */
  restoreArguments(restore: AdaptedRequest["restore"]): void {
    this.#restore = restore;
  }

  /** The answer has begun. The first block and the end imply it too. */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#events.push({ type: "start", partial: this.#message });
  }

  openText(): Block {
    return this.#opened({ type: "text", index: this.#nextIndex, content: { type: "text", text: "" } });
  }

  /** `redacted` is the provider's encrypted block, for one that has no text. */
  openThinking(redacted?: string): Block {
    const content: Mutable<ThinkingContent> = { type: "thinking", thinking: "" };
    if (redacted !== undefined) content.redacted = redacted;
    return this.#opened({ type: "thinking", index: this.#nextIndex, content });
  }

  /** `input` holds the arguments if no text of them arrives. An id that another call has gets a number. */
  openToolCall(call: { readonly id: string; readonly name: string; readonly input?: JsonObject }): Block {
    const content: Mutable<ToolCall> = {
      type: "toolCall",
      id: this.#freeId(call.id),
      name: call.name.slice(0, longestName),
      arguments: call.input ?? {},
    };
    return this.#opened({
      type: "toolCall",
      index: this.#nextIndex,
      content,
      pieces: new ArgumentPieces(),
      restore: this.#restore(content.name),
    });
  }

  /** More text of a block: of its text, its thinking, or the JSON of its arguments. */
  append(block: Block, delta: string): void {
    if (block.type === "toolCall") {
      block.pieces.add(delta);
      if (block.restore !== undefined) return;
    }
    if (this.#growing !== block) {
      this.#flush();
      this.#growing = block;
    }
    this.#delta += delta;
  }

  /** More of the signature of a thinking block; for other blocks it means nothing. */
  sign(block: Block, delta: string): void {
    if (block.type === "thinking") block.content.signature = (block.content.signature ?? "") + delta;
  }

  /** What the provider wants back with a block, in one piece. */
  keep(block: Block, signature: string): void {
    block.content.signature = signature;
  }

  /** An open text turns out to be thinking, all of it. */
  recast(block: Block, thinking: string): void {
    this.#flush();
    if (block.type !== "text" || !this.#open.delete(block)) return;
    this.#message.content[block.index] = { type: "thinking", thinking };
    this.#emit({ type: "thinking_end", contentIndex: block.index, content: thinking, partial: this.#message });
  }

  /** A block is whole. Closing it again does nothing. */
  close(block: Block): void {
    if (!this.#open.delete(block)) return;
    this.#flush();
    this.#events.push(...end(block, this.#message));
  }

  /** Whether any counts are known. */
  get isCounted(): boolean {
    const { input, output, cacheRead, cacheWrite } = this.#message.usage;
    return input + output + cacheRead + cacheWrite > 0;
  }

  /** The blocks so far. */
  get content(): readonly AssistantContent[] {
    return this.#message.content;
  }

  /** The model that answers, as the provider names it; ignored if it is the one that was asked. */
  answeredBy(model: unknown): void {
    if (typeof model !== "string" || model === "" || model === this.#message.model) return;
    this.#message.responseModel = model.slice(0, longestName);
  }

  /** Counts that are known now; they replace what was known before. */
  count(usage: Partial<Usage>): void {
    this.#message.usage = { ...this.#message.usage, ...usage };
  }

  /** Something about the answer that the user should know; it ended well all the same. */
  warn(warning: string): void {
    this.#message.warning = warning;
  }

  /** The answer is whole. */
  finish(stopReason: FinishReason): void {
    this.start();
    for (const block of this.#open) this.close(block);
    this.#message.stopReason = stopReason;
    this.#message.latency = this.#latency;
    this.#emit({ type: "done", message: this.#message });
  }

  /** The answer is whole: the model declined, and the provider explains why. */
  refuse(explanation: string): void {
    this.#message.errorMessage = `The model declined to answer: ${explanation}`;
    this.finish("refusal");
  }

  /**
   * The answer breaks off. What had arrived stays; a tool call whose arguments did not is malformed. A request that is
   * too long for the model is not a failure: it ends with stop reason "contextExceeded".
   */
  fail(error: Error): void {
    const failure = error instanceof ModelError ? error.failure : { isTransient: false };
    if (failure.kind === contextExceeded && failure.adapted === undefined) {
      this.#message.errorMessage = error.message;
      this.finish("contextExceeded");
    } else {
      this.#message.failure = failure;
      this.#breakOff(error, "error");
    }
  }

  /** The answer breaks off because the user canceled it. */
  abort(): void {
    this.#breakOff(new ModelError("aborted"), "aborted");
  }

  /** The events since it was last called, in order. */
  take(): readonly ModelEvent[] {
    this.#flush();
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #breakOff(error: Error, stopReason: "aborted" | "error"): void {
    this.#flush();
    for (const block of this.#open) cutOff(block);
    this.#message.stopReason = stopReason;
    this.#message.errorMessage = error.message;
    this.#message.latency = this.#latency;
    this.#emit({ type: "error", message: this.#message, error });
  }

  /** Steps and results find their call by its id. */
  #freeId(id: string): string {
    const free = freeId(numberedId(id.slice(0, longestName)), this.#callIds);
    this.#callIds.add(free);
    return free;
  }

  /** Milliseconds since the model was asked. */
  get #latency(): number {
    return Math.round(performance.now() - this.#asked);
  }

  get #nextIndex(): number {
    return this.#message.content.length;
  }

  #opened(block: Block): Block {
    this.start();
    this.#message.content.push(block.content);
    this.#open.add(block);
    this.#emit(startEvent(block, this.#message));
    return block;
  }

  #emit(event: ModelEvent): void {
    this.#flush();
    this.#events.push(event);
  }

  #flush(): void {
    const block = this.#growing;
    const delta = this.#delta;
    this.#growing = undefined;
    this.#delta = "";
    if (block !== undefined && delta !== "") this.#events.push(grow(block, delta, this.#message));
  }
}
