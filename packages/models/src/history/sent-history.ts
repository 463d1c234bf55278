import type {
  AssistantContent,
  AssistantMessage,
  Message,
  ToolCall,
  ToolResultMessage,
  UserMessage,
} from "../types/message.ts";

/** A call as sent, with its result. */
export interface SentCall {
  readonly call: ToolCall;
  /** Unique in the history. */
  readonly id: string;
  /** Undefined if the history has none: the outcome is unknown. */
  readonly result: ToolResultMessage | undefined;
}

/** An answer and the messages after it. The first turn has no answer. */
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
  /** Whether images are sent or replaced with text. Default: true. */
  readonly takesImages?: boolean;
  /** The part of an answer to send. */
  content(answer: AssistantMessage): readonly AssistantContent[];
  /** An id for a call that is not in `taken`. */
  id(call: ToolCall, answer: AssistantMessage, taken: ReadonlySet<string>): string;
  /** Appends a turn without changing earlier ones. */
  add(wire: Wire[], turn: SentTurn): void;
}

/** An answer whose turn has not ended. */
interface OpenAnswer {
  readonly answer: AssistantMessage | undefined;
  readonly content: readonly AssistantContent[];
  readonly ids: ReadonlyMap<ToolCall, string>;
}

const noAnswer: OpenAnswer = { answer: undefined, content: [], ids: new Map() };

/**
 * Converts histories turn by turn for a protocol: every call is followed by its result, results are in call order, ids are unique, and
 * orphaned results are dropped. The same history gives the same messages, and a longer one extends them.
 *
 * A history mostly grows at its end, so earlier conversions are reused.
 */
export class SentHistory<Wire> {
  readonly #form: SentForm<Wire>;
  #messages: readonly Message[] = [];
  /** The finished turns. */
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

  /** Discards the cached conversion. */
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

  /** A result answers exactly one call. */
  #turn(): SentTurn {
    const { answer, content, ids } = this.#open;
    const results = this.#followers.filter((message) => message.role === "toolResult");
    const waiting = Map.groupBy(results, ({ toolCallId }) => toolCallId);
    const calls = Array.from(ids, ([call, id]) => ({ call, id, result: waiting.get(call.id)?.shift() }));
    return { answer, content, ids, calls, inputs: this.#followers.filter((message) => message.role === "user") };
  }
}

/** A server without image support would refuse every later request. */
const NO_IMAGE = { type: "text", text: "[image omitted: this model does not accept images]" } as const;

const withoutImages = <Said extends UserMessage | ToolResultMessage>(message: Said): Said =>
  message.content.some(({ type }) => type === "image")
    ? { ...message, content: message.content.map((block) => (block.type === "image" ? NO_IMAGE : block)) }
    : message;
