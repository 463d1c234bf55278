import { isRecord, textOf, type UnknownRecord } from "@mdx-ai/base";
import { isPlaceholder } from "../call-arguments.ts";
import type { Block } from "../message-block.ts";
import type { MessageBuilder } from "../message-builder.ts";

/** A call that arrives piece by piece. */
interface GrowingCall {
  id: string;
  name: string;
  /** Once its name is known. */
  block: Block | undefined;
  /** The text of its arguments. */
  json: string;
  /** What Gemini wants back with it, as JSON. */
  extra: string;
  /** Has looked at the whole text of its arguments. */
  readonly scan: ObjectScan;
  /** The call before it, as long as it says what that has said: it is no call of its own then, and has no block. */
  repeats: GrowingCall | undefined;
}

/** What shows to which call a piece belongs; texts are empty if it does not say. */
interface Mark {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
}

/**
 * Reads the deltas of tool calls into a message builder. A delta belongs to the call of its index; servers that send no
 * index, or the same for all, distinguish calls by their ids, or else begin each with a name. An id alone begins no call,
 * and neither does one with a name before the arguments of that call are whole: some servers make an id for each piece.
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
    // Some servers leave out the frame.
    const called = isRecord(delta["function"]) ? delta["function"] : delta;
    const json = called["arguments"];
    const mark: Mark = { index: indexOf(delta["index"]), id: textOf(delta["id"]), name: textOf(called["name"]) };
    const call = this.#callOf(mark);
    // A name comes whole, or in pieces before anything else.
    if (call.block === undefined) call.name = joinedName(call.name, mark.name);
    this.#grow(call, typeof json === "object" && json !== null ? JSON.stringify(json) : textOf(json));
    const extra = delta["extra_content"];
    if (isRecord(extra)) call.extra = JSON.stringify(extra);
    if (call.block !== undefined && call.extra !== "") this.#builder.keep(call.block, call.extra);
  }

  /** Something else follows: the names so far are whole. */
  openNamed(): void {
    for (const call of this.#calls) if (call.name !== "") this.#openOnce(call);
  }

  /** No more deltas follow. A call without a name counts too, as one of a tool that does not exist. */
  end(): void {
    for (const call of this.#calls) this.#openOnce(call);
  }

  /** Closes all calls. Returns whether each has all of its arguments, which are JSON. */
  get isWhole(): boolean {
    this.end();
    for (const { block } of this.#calls) if (block !== undefined) this.#builder.close(block);
    return this.#calls.every(
      ({ block, json }) => block?.type !== "toolCall" || (json !== "" && block.content.malformed === undefined),
    );
  }

  #callOf(mark: Mark): GrowingCall {
    const call = this.#knownCall(mark) ?? this.#begin(mark);
    if (mark.id !== "") this.#know(call, mark);
    return call;
  }

  #begin({ index, id, name }: Mark): GrowingCall {
    this.openNamed();
    const before = this.#newestOf(index);
    const repeats = id === "" && before?.name === name && before.json !== "" ? before : undefined;
    const call: GrowingCall = {
      id: "",
      name: "",
      block: undefined,
      json: "",
      extra: "",
      scan: new ObjectScan(),
      repeats,
    };
    this.#calls.push(call);
    if (index !== undefined) this.#newest.set(index, call);
    return call;
  }

  #know(call: GrowingCall, { index, id }: Mark): void {
    if (call.id === "") call.id = id;
    for (const key of [`:${id}`, `${index}:${id}`]) if (!this.#known.has(key)) this.#known.set(key, call);
  }

  #knownCall(mark: Mark): GrowingCall | undefined {
    const { index, id } = mark;
    const known = id === "" ? undefined : this.#known.get(index === undefined ? `:${id}` : `${index}:${id}`);
    const newest = this.#newestOf(index);
    return known ?? (newest !== undefined && isContinued(newest, mark) ? newest : undefined);
  }

  #newestOf(index: number | undefined): GrowingCall | undefined {
    return index === undefined ? this.#calls.at(-1) : this.#newest.get(index);
  }

  #grow(call: GrowingCall, json: string): void {
    call.scan.add(json);
    if (call.repeats?.json.startsWith(json, call.json.length) === false) call.repeats = undefined;
    call.json += json;
    if (call.block !== undefined) this.#builder.append(call.block, json);
    else if (call.name !== "" && call.json !== "") this.#openOnce(call);
  }

  #openOnce(call: GrowingCall): void {
    if (call.block === undefined && call.repeats === undefined) this.#open(call);
  }

  #open(call: GrowingCall): void {
    call.block = this.#builder.openToolCall({ id: call.id || "call", name: call.name });
    if (call.json !== "") this.#builder.append(call.block, call.json);
    if (call.extra !== "") this.#builder.keep(call.block, call.extra);
  }
}

const indexOf = (index: unknown): number | undefined =>
  Number.isInteger(typeof index === "string" && index !== "" ? Number(index) : index) ? Number(index) : undefined;

/** Pieces of a name in one; some servers send all so far with each. */
const joinedName = (name: string, piece: string): string => (piece.startsWith(name) ? piece : name + piece);

/**
 * Whether a piece with an unknown id, or without one, is the next one of a call. Gemini has given several whole calls one
 * index; others repeat the name with each piece of a call, or make an id for each.
 */
function isContinued(call: GrowingCall, { index, id, name }: Mark): boolean {
  if (name === "") return index !== undefined || id === "" || !call.scan.isOver;
  if (call.name === "") return true;
  if (call.scan.isOver || (index === undefined && id !== "")) return false;
  // A placeholder may be all that a call has.
  const isBlank = isPlaceholder(call.json);
  if (name !== call.name) return id === "" && index !== undefined && (!isBlank || call.json === "");
  return !isBlank || id === "" || call.json.trim() === "";
}

/**
 * Finds the end of a JSON object that arrives piece by piece. Each character is looked at once: to parse
 * the whole again with each piece would take hours for what a hostile server sends in seconds.
 */
class ObjectScan {
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #isFilled = false;
  #isOver = false;

  /** Whether the outermost brace of an object that holds something was closed. Whether all within is JSON is for a parser to say. */
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
    if (character === '"') {
      this.#isInText = true;
      this.#isFilled ||= this.#depth > 0;
    }
    if (character === "{") this.#depth++;
    if (character === "}") this.#isOver = --this.#depth === 0 && this.#isFilled;
  }
}
