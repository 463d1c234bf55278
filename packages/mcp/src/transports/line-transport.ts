import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { ByteChannel, ChannelEvents } from "../processes/server-process.ts";
import { LineReader } from "./line-reader.ts";
import type { MessageLines } from "./message-lines.ts";
import type { ServerMessages } from "./server-messages.ts";

/** Opens a connection. Rejects with `McpError`. */
export type OpenChannel = (events: ChannelEvents) => Promise<ByteChannel>;

export interface LineTransportOptions {
  readonly open: OpenChannel;
  readonly lines: MessageLines;
  readonly messages: ServerMessages;
}

/** Bytes of a line; longer lines are dropped. */
const MAX_LINE = 32 * 1024 * 1024;

/** Milliseconds of silence after which a partial message is dropped: programs write a message in one go. */
const MAX_PAUSE = 2_000;

/** Messages handled before other work of the process gets a turn. */
const MAX_AT_ONCE = 200;

/** A transport with one message per line, for programs and sockets. */
export class LineTransport implements Transport {
  /** These two properties make the client treat silence as an old server, as it does with its own stdio transport. */
  readonly stderr = null;
  readonly pid = null;

  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport["onmessage"]>;

  readonly #options: LineTransportOptions;
  readonly #reader = new LineReader(MAX_LINE);
  #channel: ByteChannel | undefined;
  #count = 0;
  #isClosed = false;
  #isBehindNotification = false;
  #pause: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LineTransportOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const channel = await this.#options.open({
      onBytes: (bytes) => this.#read(bytes),
      onEnd: () => void this.close(),
    });
    this.#channel = channel;
    // Closed while it was being opened.
    if (this.#isClosed) await channel.close();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#channel || this.#isClosed) throw new Error("The connection is closed.");
    this.#options.messages.sent(message);
    await this.#channel.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#pause);
    await this.#channel?.close();
    this.onclose?.();
  }

  async #read(bytes: Uint8Array): Promise<void> {
    clearTimeout(this.#pause);
    for (const line of this.#reader.read(bytes)) {
      if (this.#isClosed) return;
      // A server may write hundreds of thousands of messages in one go.
      this.#count += 1;
      if (this.#count % MAX_AT_ONCE === 0) await nextTurn();
      for (const message of this.#options.lines.messagesOf(line)) await this.#deliver(message);
    }
    if (this.#options.lines.isWithin) this.#pause = setTimeout(() => void this.#cutOff(), MAX_PAUSE);
  }

  async #cutOff(): Promise<void> {
    for (const message of this.#options.lines.cutOff()) await this.#deliver(message);
  }

  async #deliver(message: JSONRPCMessage): Promise<void> {
    const isNotification = "method" in message && !("id" in message);
    // The client handles a notification asynchronously. Without a pause, an answer overtakes the progress before it.
    if (this.#isBehindNotification && !isNotification) await nextTurn();
    this.#isBehindNotification = isNotification;
    try {
      this.onmessage?.(message);
    } catch (error) {
      // A message that cannot be handled must not stop the reader.
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
