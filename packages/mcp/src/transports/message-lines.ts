import { shortened, visibleText } from "@mdx-ai/base";
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import type { ReadLine } from "./line-reader.ts";
import type { RequestId, ServerMessages } from "./server-messages.ts";

export interface MessageLinesOptions {
  readonly messages: ServerMessages;
  /** Receives one line, once, about output that is not a message. */
  readonly onWarning: (message: string) => void;
}

/** Positions tried in a line that starts with other text. */
const MAX_STARTS = 20;

/** Characters of a message that spans several lines. */
const MAX_LENGTH = 32 * 1024 * 1024;

/** Finds the JSON-RPC messages in a server's output, which may contain anything. */
export class MessageLines {
  readonly #options: MessageLinesOptions;
  #hasWarned = false;
  /** The lines of an unfinished message: some programs write one over several lines. */
  #begun: string[] = [];
  #begunLength = 0;

  constructor(options: MessageLinesOptions) {
    this.#options = options;
  }

  /** The messages of a line. An unreadable answer becomes an error answer. Never throws. */
  messagesOf(line: ReadLine): readonly JSONRPCMessage[] {
    if (line.type === "oversized") return this.#oversized(line);
    // UTF-16 of ASCII text has a zero byte per character.
    const text = (line.text.includes("\0") ? line.text.replaceAll("\0", "") : line.text).trim();
    if (text === "") return [];
    const messages =
      this.#parsed(text) ??
      this.#behindOther(text) ??
      this.#unreadable(text) ??
      this.#joined(line.text) ??
      this.#nameless(text);
    if (messages) return messages;
    this.#warn(`prints lines that are not messages, such as: ${visibleText(shortened(text, 100))}`);
    return [];
  }

  /** Whether a message over several lines is unfinished. */
  get isWithin(): boolean {
    return this.#begun.length > 0;
  }

  /** Fails the unfinished message, whose end has not arrived. */
  cutOff(): readonly JSONRPCMessage[] {
    const text = this.#begun.join("").replace(/\s*\n\s*/g, "");
    this.#forget();
    return this.#unreadable(text) ?? this.#nameless(text) ?? [];
  }

  /** Undefined if the text contains no message. */
  #parsed(text: string): readonly JSONRPCMessage[] | undefined {
    if (!text.startsWith("{") && !text.startsWith("[")) return undefined;
    const value = parsedJson(text);
    if (typeof value !== "object" || value === null) return undefined;
    const before = this.#options.messages.received(value);
    if (before.length === 0 && !isMessage(value)) return undefined;
    return this.isWithin ? [...before, ...this.cutOff()] : before;
  }

  /** The message after a banner that ends without a newline. */
  #behindOther(text: string): readonly JSONRPCMessage[] | undefined {
    let start = 0;
    for (let tried = 0; tried < MAX_STARTS; tried += 1) {
      start = text.indexOf('{"', start + 1);
      if (start < 0) return undefined;
      const messages = this.#parsed(text.slice(start));
      if (messages) return messages;
    }
    return undefined;
  }

  /** The failure of an answer that is not JSON, such as a truncated one. */
  #unreadable(text: string): readonly JSONRPCMessage[] | undefined {
    return this.#failure(idAtStart(text) ?? idAtEnd(text), text);
  }

  /** As `#unreadable`, without an id: it belongs to the only waiting request. */
  #nameless(text: string): readonly JSONRPCMessage[] | undefined {
    // A log line may be valid JSON with an `error` member.
    return ANSWER.test(text) && parsedJson(text) === undefined
      ? this.#failure(this.#options.messages.onlyWaiting, text)
      : undefined;
  }

  #failure(id: RequestId | undefined, text: string): readonly JSONRPCMessage[] | undefined {
    const failure = this.#options.messages.failure(id, `The answer is not JSON: ${visibleText(shortened(text, 100))}`);
    return failure.length === 0 ? undefined : failure;
  }

  /** The message that ends with this line; empty while it continues; undefined if the line belongs to none. */
  #joined(line: string): readonly JSONRPCMessage[] | undefined {
    const isFirst = /^\s*[{[]\s*(?:"[^"]*"\s*:.*[,{[]\s*)?$/.test(line);
    if (this.#begun.length === 0 && !isFirst) return undefined;
    this.#begun.push(line);
    this.#begunLength += line.length;
    if (this.#begunLength > MAX_LENGTH) this.#forget();
    // Programs that write over several lines put the closing bracket at the start of a line.
    if (!/^[}\]]/.test(line)) return [];
    const text = this.#begun.join("\n");
    this.#forget();
    return this.#parsed(text.trim()) ?? this.#unreadable(text.replace(/\s*\n\s*/g, ""));
  }

  #forget(): void {
    this.#begun = [];
    this.#begunLength = 0;
  }

  #oversized({ head, tail }: { readonly head: string; readonly tail: string }): readonly JSONRPCMessage[] {
    this.#warn("wrote a message that is too long, which was left out");
    return this.#options.messages.failure(idAtStart(head) ?? idAtEnd(tail), "The answer is too long to be read.");
  }

  #warn(message: string): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#options.onWarning(message);
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value is a message, including one that no longer needs an answer because it is late. */
const isMessage = (value: object): boolean =>
  Array.isArray(value) ? value.length > 0 && value.every((one) => Object(one).jsonrpc) : "jsonrpc" in value;

/** The start of an answer. A program may also print its requests and other objects. */
const ANSWER = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"(?:result|error)"\s*:/;

const ID = '"id"\\s*:\\s*(\\d{1,15}|"[^"\\\\]{0,200}")';
const AT_START = new RegExp(
  `^\\s*\\{\\s*(?:"jsonrpc"\\s*:\\s*"2\\.0"\\s*,\\s*)?${ID}\\s*,\\s*"(?:jsonrpc|result|error)"`,
);
const AT_END = new RegExp(
  `,\\s*(?:"jsonrpc"\\s*:\\s*"2\\.0"\\s*,\\s*)?${ID}(?:\\s*,\\s*"jsonrpc"\\s*:\\s*"2\\.0")?\\s*\\}\\s*$`,
);

const idAtStart = (head: string): RequestId | undefined => idIn(AT_START.exec(head)?.[1]);
const idAtEnd = (tail: string): RequestId | undefined => idIn(AT_END.exec(tail)?.[1]);

function idIn(json: string | undefined): RequestId | undefined {
  if (json === undefined) return undefined;
  return json.startsWith('"') ? json.slice(1, -1) : Number(json);
}
