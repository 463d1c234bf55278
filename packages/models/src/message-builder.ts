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

/** How a model stops on its own. */
export type FinishReason = Exclude<StopReason, "aborted" | "error">;

/** Characters kept of a call's name and id. Tool names are shorter. */
const longestName = 200;

const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, thinking: 0, total: 0 };

/**
 * Builds a message and its events from changes to its blocks, for all models. Events wait until `take`, and waiting deltas of one block are
 * merged: a model that takes once per network chunk pays per chunk, not per token.
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

  /** Sets how the arguments of later calls are converted. */
  restoreArguments(restore: AdaptedRequest["restore"]): void {
    this.#restore = restore;
  }

  /** Starts the answer. The first block and the end imply it. */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#events.push({ type: "start", partial: this.#message });
  }

  openText(): Block {
    return this.#opened({ type: "text", index: this.#nextIndex, content: { type: "text", text: "" } });
  }

  /** `redacted`: the provider's encrypted block, for thinking without text. */
  openThinking(redacted?: string): Block {
    const content: Mutable<ThinkingContent> = { type: "thinking", thinking: "" };
    if (redacted !== undefined) content.redacted = redacted;
    return this.#opened({ type: "thinking", index: this.#nextIndex, content });
  }

  /** `input`: the arguments if they do not arrive as text. A duplicate id gets a number. */
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

  /** Appends to a block's text, thinking or JSON arguments. */
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

  /** Appends to the signature of a thinking block; does nothing for other blocks. */
  sign(block: Block, delta: string): void {
    if (block.type === "thinking") block.content.signature = (block.content.signature ?? "") + delta;
  }

  /** Sets the data that the provider wants back with a block. */
  keep(block: Block, signature: string): void {
    block.content.signature = signature;
  }

  /** Turns an open text block into thinking. */
  recast(block: Block, thinking: string): void {
    this.#flush();
    if (block.type !== "text" || !this.#open.delete(block)) return;
    this.#message.content[block.index] = { type: "thinking", thinking };
    this.#emit({ type: "thinking_end", contentIndex: block.index, content: thinking, partial: this.#message });
  }

  /** Ends a block. Does nothing if it has ended. */
  close(block: Block): void {
    if (!this.#open.delete(block)) return;
    this.#flush();
    this.#events.push(...end(block, this.#message));
  }

  /** Whether any counts are known. */
  get isCounted(): boolean {
    return this.#message.usage.total > 0;
  }

  /** The blocks so far. */
  get content(): readonly AssistantContent[] {
    return this.#message.content;
  }

  /** Sets the model that answers, as the provider names it; ignored if it is the requested one. */
  answeredBy(model: unknown): void {
    if (typeof model !== "string" || model === "" || model === this.#message.model) return;
    this.#message.responseModel = model.slice(0, longestName);
  }

  /** Sets counts; they replace earlier ones. */
  count(counts: Partial<Usage>): void {
    const usage = { ...this.#message.usage, ...counts };
    this.#message.usage = { ...usage, total: usage.input + usage.cacheRead + usage.cacheWrite + usage.output };
  }

  /** Adds a warning for the user to a successful answer. */
  warn(warning: string): void {
    this.#message.warning = warning;
  }

  /** Ends a complete answer. */
  finish(stopReason: FinishReason): void {
    this.start();
    for (const block of this.#open) this.close(block);
    this.#message.stopReason = stopReason;
    this.#message.latency = this.#latency;
    this.#emit({ type: "done", message: this.#message });
  }

  /** Ends the answer because the model declined, with the provider's explanation. */
  refuse(explanation: string): void {
    this.#message.errorMessage = `The model declined to answer: ${explanation}`;
    this.finish("refusal");
  }

  /**
   * Ends an answer that broke off. Keeps what has arrived; a tool call with incomplete arguments is malformed. A request that is too long
   * is not a failure: its stop reason is "contextExceeded".
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

  /** Ends an answer that the user aborted. */
  abort(): void {
    this.#breakOff(new ModelError("aborted"), "aborted");
  }

  /** Returns the events since the last call, in order. */
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

  /** Makes an id unique, since steps and results refer to calls by id. */
  #freeId(id: string): string {
    const free = freeId(numberedId(id.slice(0, longestName)), this.#callIds);
    this.#callIds.add(free);
    return free;
  }

  /** Milliseconds since the request. */
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
