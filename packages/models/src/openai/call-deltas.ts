import { isRecord, recordOf, textOf, type UnknownRecord } from "../json.ts";
import type { Block } from "../message-block.ts";
import type { MessageBuilder } from "../message-builder.ts";

/** A call that arrives piece by piece. */
interface GrowingCall {
  id: string;
  /** Once its name is known. */
  block: Block | undefined;
  /** The text of its arguments as long as it has no block. */
  json: string;
  /** Has looked at the whole text of its arguments. */
  readonly scan: ObjectScan;
}

/** What shows to which call a piece belongs; texts are empty if it does not say. */
interface Mark {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
}

/**
 * Reads the deltas of tool calls into a message builder. A delta belongs to the call of its index; servers that send no
 * index, or the same for all, distinguish calls by their ids, or else begin each with a name.
 */
export class CallDeltas {
  readonly #builder: MessageBuilder;
  readonly #calls: GrowingCall[] = [];
  /** The newest call of each index. */
  readonly #newest = new Map<number, GrowingCall>();
  /** By id alone, and by index and id. */
  readonly #known = new Map<string, GrowingCall>();

  constructor(builder: MessageBuilder) {
    this.#builder = builder;
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  read(delta: UnknownRecord): void {
    const { name, arguments: json } = recordOf(delta["function"]);
    const index = typeof delta["index"] === "number" ? delta["index"] : undefined;
    const mark: Mark = { index, id: textOf(delta["id"]), name: textOf(name) };
    const call = this.#callOf(mark);
    this.#grow(call, isRecord(json) ? JSON.stringify(json) : textOf(json));
    if (call.block === undefined && mark.name !== "") this.#open(call, mark.name);
    const extra = delta["extra_content"];
    if (call.block !== undefined && isRecord(extra)) this.#builder.keep(call.block, JSON.stringify(extra));
  }

  /** No more deltas follow. A call without a name counts too, as one of a tool that does not exist. */
  end(): void {
    for (const call of this.#calls) if (call.block === undefined) this.#open(call, "");
  }

  #callOf(mark: Mark): GrowingCall {
    const call = (mark.id === "" ? this.#continued(mark) : this.#identified(mark)) ?? this.#begin(mark);
    if (mark.id !== "" && (call.id === "" || call.id === mark.id)) this.#know(call, mark);
    return call;
  }

  #begin({ index }: Mark): GrowingCall {
    const call: GrowingCall = { id: "", block: undefined, json: "", scan: new ObjectScan() };
    this.#calls.push(call);
    if (index !== undefined) this.#newest.set(index, call);
    return call;
  }

  #know(call: GrowingCall, { index, id }: Mark): void {
    call.id = id;
    for (const key of [`:${id}`, `${index}:${id}`]) if (!this.#known.has(key)) this.#known.set(key, call);
  }

  #identified({ index, id }: Mark): GrowingCall | undefined {
    if (index === undefined) return this.#known.get(`:${id}`);
    const newest = this.#newest.get(index);
    // The id may come after the first piece.
    return this.#known.get(`${index}:${id}`) ?? (newest?.id === "" ? newest : undefined);
  }

  #continued({ index, name }: Mark): GrowingCall | undefined {
    if (index === undefined) return name === "" ? this.#calls.at(-1) : undefined;
    const newest = this.#newest.get(index);
    // Gemini has given several whole calls one index and no id; others repeat the name with each piece of a call.
    return name !== "" && newest?.block !== undefined && newest.scan.isOver ? undefined : newest;
  }

  #grow(call: GrowingCall, json: string): void {
    call.scan.add(json);
    if (call.block === undefined) call.json += json;
    else this.#builder.append(call.block, json);
  }

  #open(call: GrowingCall, name: string): void {
    call.block = this.#builder.openToolCall({ id: call.id || "call", name });
    if (call.json !== "") this.#builder.append(call.block, call.json);
  }
}

/**
 * Finds the end of a JSON object that arrives piece by piece. Each character is looked at once: to parse
 * the whole again with each piece would take hours for what a hostile server sends in seconds.
 */
class ObjectScan {
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #isOver = false;

  /** Whether the outermost brace was closed. Whether all within is JSON is for a parser to say. */
  get isOver(): boolean {
    return this.#isOver;
  }

  add(piece: string): void {
    for (let index = 0; index < piece.length && !this.#isOver; index++) {
      if (this.#isInText) this.#readText(piece[index]);
      else this.#readMark(piece[index]);
    }
  }

  #readText(character: string | undefined): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (character === "\\") this.#isEscaped = true;
    else if (character === '"') this.#isInText = false;
  }

  #readMark(character: string | undefined): void {
    if (character === '"') this.#isInText = true;
    if (character === "{") this.#depth++;
    if (character === "}") this.#isOver = --this.#depth === 0;
  }
}
