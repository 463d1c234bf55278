import { shortened, visibleText } from "@mdx-ai/parser/visible-text";
import type { JSONRPCMessage, parseJSONRPCMessage } from "@modelcontextprotocol/client";
import type { ReadLine } from "./line-reader.ts";

export interface MessageLinesOptions {
  readonly parse: typeof parseJSONRPCMessage;
  /** Receives one line, once, about what is no message. */
  readonly onWarning: (message: string) => void;
}

/** How many places of a line that begins with other text are tried. */
const MOST_STARTS = 20;

/** The error code that JSON-RPC leaves to implementations. */
const SERVER_ERROR = -32000;

/** Finds the messages of JSON-RPC among the lines that a server writes, which may be anything. */
export class MessageLines {
  readonly #options: MessageLinesOptions;
  #hasWarned = false;

  constructor(options: MessageLinesOptions) {
    this.#options = options;
  }

  /** The message of a line; undefined if there is none. An answer that is too long becomes one that says so. Never throws. */
  messageOf(line: ReadLine): JSONRPCMessage | undefined {
    if (line.type === "oversized") return this.#oversized(line);
    const text = line.text.trim();
    if (text === "") return undefined;
    const message = this.#parsed(text) ?? this.#behindOther(text);
    if (!message)
      this.#warn(`writes lines that are no messages to its output, such as: ${visibleText(shortened(text, 100))}`);
    return message;
  }

  #parsed(text: string): JSONRPCMessage | undefined {
    if (!text.startsWith("{")) return undefined;
    try {
      return this.#options.parse(JSON.parse(text));
    } catch {
      return undefined;
    }
  }

  /** The message behind a banner that ends without a newline. */
  #behindOther(text: string): JSONRPCMessage | undefined {
    let start = 0;
    for (let tried = 0; tried < MOST_STARTS; tried += 1) {
      start = text.indexOf('{"', start + 1);
      if (start < 0) return undefined;
      const message = this.#parsed(text.slice(start));
      if (message) return message;
    }
    return undefined;
  }

  #oversized({ head, tail }: { readonly head: string; readonly tail: string }): JSONRPCMessage | undefined {
    this.#warn("wrote a message that is too long, which was left out");
    const id = idAtStart(head) ?? idAtEnd(tail);
    if (id === undefined) return undefined;
    return { jsonrpc: "2.0", id, error: { code: SERVER_ERROR, message: "The answer is too long to be read." } };
  }

  #warn(message: string): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#options.onWarning(message);
  }
}

const ID = '"id"\\s*:\\s*(\\d{1,15}|"[^"\\\\]{0,200}")';
const AT_START = new RegExp(
  `^\\s*\\{\\s*(?:"jsonrpc"\\s*:\\s*"2\\.0"\\s*,\\s*)?${ID}\\s*,\\s*"(?:jsonrpc|result|error)"`,
);
const AT_END = new RegExp(
  `,\\s*(?:"jsonrpc"\\s*:\\s*"2\\.0"\\s*,\\s*)?${ID}(?:\\s*,\\s*"jsonrpc"\\s*:\\s*"2\\.0")?\\s*\\}\\s*$`,
);

const idAtStart = (head: string): string | number | undefined => idIn(AT_START.exec(head)?.[1]);
const idAtEnd = (tail: string): string | number | undefined => idIn(AT_END.exec(tail)?.[1]);

function idIn(json: string | undefined): string | number | undefined {
  if (json === undefined) return undefined;
  return json.startsWith('"') ? json.slice(1, -1) : Number(json);
}
