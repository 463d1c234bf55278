import { isRecord, textOf, type UnknownRecord } from "@mdx-ai/base";
import { isPlaceholder } from "../call-arguments.ts";
import type { Block } from "../message-block.ts";
import type { MessageBuilder } from "../message-builder.ts";

/** A call that is being received. */
interface GrowingCall {
  id: string;
  name: string;
  /** Set once its name is known. */
  block: Block | undefined;
  /** The text of its arguments. */
  json: string;
  /** Gemini's data to send back with it, as JSON. */
  extra: string;
  /** Has read all of its arguments. */
  readonly scan: ObjectScan;
  /** The previous call, while this one only repeats its text: it is then not a separate call and has no block. */
  repeats: GrowingCall | undefined;
}

/** Assigns a piece to a call; strings are empty if unknown. */
interface Mark {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
}

/**
 * Reads tool call deltas into a message builder. A delta belongs to the call with its index. Servers without distinct indexes use ids, or
 * start each call with a name. Neither an id alone nor a name before the arguments are complete starts a call, since some servers generate
 * an id for each piece.
 */
export class CallDeltas {
  readonly #builder: MessageBuilder;
  readonly #calls: GrowingCall[] = [];
  /** The newest call of each index. */
  readonly #newest = new Map<number, GrowingCall>();
  /** By id, and by index and id. */
  readonly #known = new Map<string, GrowingCall>();

  constructor(builder: MessageBuilder) {
    this.#builder = builder;
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  read(delta: UnknownRecord): void {
    // Some servers omit the frame.
    const called = isRecord(delta["function"]) ? delta["function"] : delta;
    const json = called["arguments"];
    const mark: Mark = { index: indexOf(delta["index"]), id: textOf(delta["id"]), name: textOf(called["name"]) };
    const call = this.#callOf(mark);
    // A name arrives whole, or in pieces before anything else.
    if (call.block === undefined) call.name = joinedName(call.name, mark.name);
    this.#grow(call, typeof json === "object" && json !== null ? JSON.stringify(json) : textOf(json));
    const extra = delta["extra_content"];
    if (isRecord(extra)) call.extra = JSON.stringify(extra);
    if (call.block !== undefined && call.extra !== "") this.#builder.keep(call.block, call.extra);
  }

  /** Called when something else follows: the names so far are complete. */
  openNamed(): void {
    for (const call of this.#calls) if (call.name !== "") this.#openOnce(call);
  }

  /** Called after the last delta. A call without a name counts as one of an unknown tool. */
  end(): void {
    for (const call of this.#calls) this.#openOnce(call);
  }

  /** Closes all calls. Returns whether each has complete JSON arguments. */
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

/** Joins pieces of a name; some servers send all so far with each piece. */
const joinedName = (name: string, piece: string): string => (piece.startsWith(name) ? piece : name + piece);

/**
 * Whether a piece with an unknown or no id continues a call. Gemini has sent several whole calls with one index; other servers repeat the
 * name or generate an id for each piece.
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
 * Finds the end of a JSON object that arrives in pieces, in linear time: parsing the whole text for each piece would take hours with input
 * from a hostile server.
 */
class ObjectScan {
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #isFilled = false;
  #isOver = false;

  /** Whether the outermost brace of a non-empty object was closed. Only a parser can tell whether its content is valid. */
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
