import type {
  AssistantContent,
  AssistantMessage,
  Message,
  ToolCall,
  ToolResultMessage,
  UserMessage,
} from "../types/message.ts";

/** A call as it is sent, and its result. */
export interface SentCall {
  readonly call: ToolCall;
  /** No other call of the history has it. */
  readonly id: string;
  /** Undefined if the history has none: nobody knows whether the call has run. */
  readonly result: ToolResultMessage | undefined;
}

/** An answer and what came after it. The first turn has no answer. */
export interface SentTurn {
  readonly answer: AssistantMessage | undefined;
  /** The part of the answer that is sent. */
  readonly content: readonly AssistantContent[];
  /** The ids of the calls of `content`. */
  readonly ids: ReadonlyMap<ToolCall, string>;
  /** The calls of `content`, in order. */
  readonly calls: readonly SentCall[];
  readonly inputs: readonly UserMessage[];
}

/** How a protocol sends a history. */
export interface SentForm<Wire> {
  /** Whether images are sent; else a text replaces each of them. Default true. */
  readonly takesImages?: boolean;
  /** The part of an answer that is sent. */
  content(answer: AssistantMessage): readonly AssistantContent[];
  /** An id for a call that is not in `taken`. */
  id(call: ToolCall, answer: AssistantMessage, taken: ReadonlySet<string>): string;
  /** Adds a turn to what is sent; changes nothing that is in it. */
  add(wire: Wire[], turn: SentTurn): void;
}

/** An answer whose turn is not over. */
interface OpenAnswer {
  readonly answer: AssistantMessage | undefined;
  readonly content: readonly AssistantContent[];
  readonly ids: ReadonlyMap<ToolCall, string>;
}

const noAnswer: OpenAnswer = { answer: undefined, content: [], ids: new Map() };

/**
 * Converts histories to what a protocol accepts, turn by turn: every call is followed by its result, results are in the
 * order of their calls, ids are unique. Results that answer nothing are left out. The same history gives the same
 * messages, and a longer one begins with them.
 *
 * A history mostly grows at its end, so that what was converted for the last request is used again.
 */
export class SentHistory<Wire> {
  readonly #form: SentForm<Wire>;
  #messages: readonly Message[] = [];
  /** The turns that are over. */
  #wire: Wire[] = [];
  #takenIds = new Set<string>();
  #open = noAnswer;
  #followers: Exclude<Message, AssistantMessage>[] = [];

  constructor(form: SentForm<Wire>) {
    this.#form = form;
  }

  of(messages: readonly Message[]): readonly Wire[] {
    if (!this.#messages.every((message, index) => message === messages[index])) this.forget();
    for (const message of messages.slice(this.#messages.length)) this.#take(message);
    this.#messages = messages.slice();
    const wire = this.#wire.slice();
    this.#form.add(wire, this.#turn());
    return wire;
  }

  /** Converts the next history again. */
  forget(): void {
    this.#messages = [];
    this.#wire = [];
    this.#takenIds = new Set();
    this.#open = noAnswer;
    this.#followers = [];
  }

  #take(message: Message): void {
    if (message.role !== "assistant") {
      this.#followers.push(this.#form.takesImages === false ? withoutImages(message) : message);
      return;
    }
    this.#form.add(this.#wire, this.#turn());
    const content = this.#form.content(message);
    const calls = content.filter((block) => block.type === "toolCall");
    this.#open = { answer: message, content, ids: new Map(calls.map((call) => [call, this.#idOf(call, message)])) };
    this.#followers = [];
  }

  #idOf(call: ToolCall, answer: AssistantMessage): string {
    const id = this.#form.id(call, answer, this.#takenIds);
    this.#takenIds.add(id);
    return id;
  }

  /** A result answers one call alone. */
  #turn(): SentTurn {
    const { answer, content, ids } = this.#open;
    const results = this.#followers.filter((message) => message.role === "toolResult");
    const waiting = Map.groupBy(results, ({ toolCallId }) => toolCallId);
    const calls = Array.from(ids, ([call, id]) => ({ call, id, result: waiting.get(call.id)?.shift() }));
    return { answer, content, ids, calls, inputs: this.#followers.filter((message) => message.role === "user") };
  }
}

/** A server that takes no images would refuse each further request. */
const NO_IMAGE = { type: "text", text: "[image omitted: this model does not accept images]" } as const;

const withoutImages = <Said extends UserMessage | ToolResultMessage>(message: Said): Said =>
  message.content.some(({ type }) => type === "image")
    ? { ...message, content: message.content.map((block) => (block.type === "image" ? NO_IMAGE : block)) }
    : message;
