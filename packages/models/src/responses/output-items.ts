import { isRecord, listOf, recordOf, textOf, type UnknownRecord } from "@mdx-ai/base";
import { isSearch, searchText } from "../history/provider-search.ts";
import type { Block } from "../message-block.ts";
import type { FinishReason, MessageBuilder } from "../message-builder.ts";
import { keptReasoning, reasoningText } from "./reasoning-item.ts";

/** An item that is being received. */
interface OpenItem {
  readonly id: unknown;
  /** Absent for a message without text so far. */
  block: Block | undefined;
  /** Whether some of its text has arrived. */
  isFilled: boolean;
  /** Whether its arguments are complete. */
  isSettled?: boolean;
}

/** Reads the output items of one answer into a message builder. Skips items of unknown types. */
export class OutputItems {
  readonly #builder: MessageBuilder;
  /** By the server's index; without completed items. */
  readonly #open = new Map<unknown, OpenItem>();
  /** The keys of completed items. They are never repeated, so that no call runs twice. */
  readonly #whole = new Set<unknown>();
  /** Thinking whose data to send back is missing, by item id. */
  readonly #unkept = new Map<unknown, Block>();
  #isEmpty = true;
  #hasCalls = false;
  #isRefused = false;
  /** Whether a call was cut off. */
  #isCutOff = false;

  constructor(builder: MessageBuilder) {
    this.#builder = builder;
  }

  /** Why the model stopped, as far as the items tell. */
  get finishReason(): FinishReason {
    if (this.#isCutOff) return "length";
    if (this.#hasCalls) return "toolUse";
    return this.#isRefused ? "refusal" : "stop";
  }

  /** Whether something arrived and every started item has ended. */
  get isWhole(): boolean {
    return !this.#isEmpty && this.#open.size === 0;
  }

  /** The key of an event's item: its number, else its id; without either, the only open item. */
  keyOf({ type, output_index: index, item_id, item }: UnknownRecord): unknown {
    if (typeof index === "number") return index;
    const id = item_id ?? recordOf(item)["id"];
    const [only, ...others] = this.#open.keys();
    const isNew = type === "response.output_item.added" || this.#open.size === 0;
    return isNew || this.#open.has(id) || others.length > 0 ? id : only;
  }

  /** Starts an item. A message gets its block with its first text, since it may have none. */
  begin(index: unknown, item: UnknownRecord): void {
    if (!this.#isWhole(index) && !(index !== undefined && this.#open.has(index))) this.#begin(index, item);
  }

  #begin(index: unknown, item: UnknownRecord): OpenItem {
    this.#isEmpty = false;
    const open: OpenItem = { id: item["id"], block: this.#opened(item), isFilled: false };
    this.#open.set(index, open);
    return open;
  }

  /** Appends text to an item. Dropped if the item has not started; the whole item follows. */
  grow(index: unknown, type: Block["type"], delta: unknown): void {
    const open = this.#open.get(index);
    if (open === undefined || typeof delta !== "string" || delta === "") return;
    if (open.block === undefined && type === "text") open.block = this.#builder.openText();
    if (open.block?.type !== type) return;
    open.isFilled = true;
    this.#builder.append(open.block, delta);
  }

  /** Sets a call's complete arguments. Some servers send them only here, without ending the item. */
  settle(index: unknown, json: unknown): void {
    const open = this.#open.get(index);
    if (open === undefined) return;
    this.#fill(index, open, "toolCall", argumentsOf({ arguments: json }));
    open.isSettled = true;
  }

  /** Starts another part of a summary. */
  separate(index: unknown): void {
    if (this.#open.get(index)?.isFilled) this.grow(index, "thinking", "\n\n");
  }

  refuse(): void {
    this.#isRefused = true;
  }

  /** Completes an item. */
  end(index: unknown, item: UnknownRecord): void {
    if (this.#isWhole(index)) return;
    const open = this.#open.get(index) ?? this.#begin(index, item);
    const { type, status } = item;
    if (type === "message") this.#endMessage(index, open, item);
    if (type === "reasoning") this.#endReasoning(index, open, item);
    if (isSearch(item)) this.#endSearch(open, item);
    if (type === "function_call") {
      this.#fill(index, open, "toolCall", argumentsOf(item));
      this.#isCutOff ||= status === "incomplete";
    }
    this.#open.delete(index);
    if (index !== undefined) this.#whole.add(index);
    if (open.block !== undefined) this.#builder.close(open.block);
  }

  /**
   * Ends the answer with the items that the server repeats. They complete open items, and are the only ones if a server does not stream.
   * Azure encrypts thinking only here. A call that is still open was cut off.
   */
  complete(items: readonly UnknownRecord[]): void {
    for (const item of items) this.#keep(this.#unkept.get(item["id"]), item);
    if (this.#isEmpty) for (const [index, item] of items.entries()) this.end(index, item);
    for (const [index, { id, block, isSettled }] of this.#open) {
      const whole = items.find((item) => item["id"] === id && id !== undefined);
      if (whole !== undefined) this.end(index, whole);
      else this.#isCutOff ||= block?.type === "toolCall" && isSettled !== true;
    }
  }

  /** Some servers send neither numbers nor ids. */
  #isWhole(index: unknown): boolean {
    return index !== undefined && this.#whole.has(index);
  }

  #opened({ type, call_id, id, name }: UnknownRecord): Block | undefined {
    if (type === "reasoning" || isSearch({ type })) return this.#builder.openThinking();
    if (type !== "function_call") return undefined;
    this.#hasCalls = true;
    return this.#builder.openToolCall({ id: textOf(call_id) || textOf(id) || "call", name: textOf(name) });
  }

  #endMessage(index: unknown, open: OpenItem, { content, phase }: UnknownRecord): void {
    const parts = typeof content === "string" ? [{ text: content }] : listOf(content).map(recordOf);
    this.#isRefused ||= parts.some(({ type }) => type === "refusal");
    this.#fill(index, open, "text", parts.map(({ text, refusal }) => textOf(text) + textOf(refusal)).join(""));
    if (open.block !== undefined && typeof phase === "string") this.#builder.keep(open.block, phase);
  }

  #endReasoning(index: unknown, open: OpenItem, item: UnknownRecord): void {
    this.#fill(index, open, "thinking", reasoningText(item));
    if (open.block !== undefined) this.#unkept.set(item["id"], open.block);
    this.#keep(open.block, item);
  }

  /** Items that are not stored have no id on the server. */
  #endSearch({ block }: OpenItem, { id: _, ...item }: UnknownRecord): void {
    if (block === undefined) return;
    this.#builder.append(block, searchText(item));
    this.#builder.keep(block, JSON.stringify(item));
  }

  /** Stores what is sent back of thinking. */
  #keep(block: Block | undefined, item: UnknownRecord): void {
    const kept = keptReasoning(item);
    if (block === undefined || kept === undefined) return;
    this.#builder.keep(block, kept);
    this.#unkept.delete(item["id"]);
  }

  /** Adds the text of an item without deltas. */
  #fill(index: unknown, open: OpenItem, type: Block["type"], text: string): void {
    if (!open.isFilled) this.grow(index, type, text);
  }
}

/** The arguments as text; some servers send the object. */
const argumentsOf = ({ arguments: json }: UnknownRecord): string =>
  isRecord(json) ? JSON.stringify(json) : textOf(json);
