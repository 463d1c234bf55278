import { createParser, type EventSourceParser } from "eventsource-parser";
import { tooLong, unfinished } from "../errors/model-error.ts";
import type { MessageBuilder } from "../message-builder.ts";
import type { ByteReader } from "./byte-reader.ts";
import type { AnswerEvents, WireProtocol } from "./wire-protocol.ts";

/** Characters of one event, far beyond the largest that a server sends. */
const longestEvent = 8 * 1024 * 1024;

/** Reads one answer into a message builder, piece by piece. */
export interface AnswerReader {
  /** Whether the answer's end has arrived. */
  readonly isWhole: boolean;
  /** Waits for what comes next and reads it. Rejects with `ModelError` if the answer breaks off or has no end. */
  readMore(): Promise<void>;
}

/** Reads an answer of server-sent events chunk by chunk. */
export class EventReader implements AnswerReader {
  readonly #bytes: ByteReader;
  readonly #host: string;
  readonly #events: AnswerEvents;
  readonly #parser: EventSourceParser;
  readonly #decoder = new TextDecoder();
  #isTooLong = false;

  /** `host` is for messages. */
  constructor(bytes: ByteReader, { host, events }: { readonly host: string; readonly events: AnswerEvents }) {
    this.#bytes = bytes;
    this.#host = host;
    this.#events = events;
    this.#parser = createParser({
      maxBufferSize: longestEvent,
      onEvent: ({ data }) => this.#events.read(data),
      onError: ({ type }) => {
        if (type === "max-buffer-size-exceeded") this.#isTooLong = true;
      },
    });
  }

  get isWhole(): boolean {
    return this.#events.isWhole;
  }

  async readMore(): Promise<void> {
    const bytes = await this.#bytes.next();
    if (bytes !== undefined) return this.#feed(bytes);
    this.#events.end();
    if (!this.isWhole) throw unfinished(this.#host);
  }

  #feed(bytes: Uint8Array): void {
    this.#parser.feed(this.#decoder.decode(bytes, { stream: true }));
    if (this.#isTooLong) throw tooLong(this.#host, "an event");
  }
}

/** Reads an answer that is one JSON document. */
export class DocumentReader implements AnswerReader {
  readonly #bytes: ByteReader;
  readonly #protocol: WireProtocol;
  readonly #builder: MessageBuilder;
  readonly #chunks: Uint8Array[] = [];
  #isWhole = false;

  constructor(bytes: ByteReader, protocol: WireProtocol, builder: MessageBuilder) {
    this.#bytes = bytes;
    this.#protocol = protocol;
    this.#builder = builder;
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  async readMore(): Promise<void> {
    const bytes = await this.#bytes.next();
    if (bytes !== undefined) {
      this.#chunks.push(bytes);
      return;
    }
    this.#protocol.read(this.#parse(), this.#builder);
    this.#isWhole = true;
  }

  #parse(): unknown {
    const text = new TextDecoder().decode(Buffer.concat(this.#chunks));
    try {
      return JSON.parse(text);
    } catch {
      throw unfinished(this.#protocol.connection.host);
    }
  }
}
