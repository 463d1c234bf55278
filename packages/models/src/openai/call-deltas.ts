import type { Block, MessageBuilder } from "../message-builder.ts";
import { isRecord, recordOf, type UnknownRecord } from "../record.ts";

/** A call that arrives piece by piece. */
interface GrowingCall {
  readonly index: unknown;
  id: string;
  /** Once its name is known. */
  block: Block | undefined;
  /** Arguments that came before the name. */
  early: string;
}

/**
 * Reads the deltas of tool calls into a message builder. A delta belongs to the call of its index; servers that send no
 * index, or the same for all, tell calls apart by their ids.
 */
export class CallDeltas {
  readonly #builder: MessageBuilder;
  readonly #calls: GrowingCall[] = [];

  constructor(builder: MessageBuilder) {
    this.#builder = builder;
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  read(delta: UnknownRecord): void {
    const { name, arguments: json } = recordOf(delta["function"]);
    const call = this.#callOf(delta, textOf(name));
    call.id ||= textOf(delta["id"]);
    this.#grow(call, isRecord(json) ? JSON.stringify(json) : textOf(json));
    if (call.block === undefined && textOf(name) !== "") this.#open(call, textOf(name));
    const extra = delta["extra_content"];
    if (call.block !== undefined && isRecord(extra)) this.#builder.keep(call.block, JSON.stringify(extra));
  }

  /** No more deltas come. A call that never told its name is one all the same, of a tool that does not exist. */
  end(): void {
    for (const call of this.#calls) if (call.block === undefined) this.#open(call, "");
  }

  #callOf(delta: UnknownRecord, name: string): GrowingCall {
    const id = textOf(delta["id"]);
    const { index } = delta;
    const same = typeof index === "number" ? this.#withIndex(index, id) : this.#withoutIndex(id, name);
    if (same !== undefined) return same;
    const call: GrowingCall = { index, id, block: undefined, early: "" };
    this.#calls.push(call);
    return call;
  }

  #withIndex(index: number, id: string): GrowingCall | undefined {
    return this.#calls.findLast((call) => call.index === index && (id === "" || call.id === "" || call.id === id));
  }

  /** A name begins a call, unless its id is known. */
  #withoutIndex(id: string, name: string): GrowingCall | undefined {
    if (id !== "") return this.#calls.find((call) => call.id === id);
    return name === "" ? this.#calls.at(-1) : undefined;
  }

  #grow(call: GrowingCall, json: string): void {
    if (call.block === undefined) call.early += json;
    else this.#builder.append(call.block, json);
  }

  #open(call: GrowingCall, name: string): void {
    call.block = this.#builder.openToolCall({ id: call.id || "call", name });
    if (call.early !== "") this.#builder.append(call.block, call.early);
  }
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
