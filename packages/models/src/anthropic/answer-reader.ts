import { createParser, type EventSourceParser } from "eventsource-parser";
import { ModelError } from "../errors/model-error.ts";
import type { MessageBuilder } from "../message-builder.ts";
import { connectionFailure } from "./failures.ts";
import { StreamEvents } from "./stream-events.ts";

/** What is needed of a stream's reader; the platform's types of it disagree with each other. */
interface ByteReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** Bytes of one answer, several times what the longest one has; what is longer never ends, and would fill the memory. */
const mostBytes = 64 * 1024 * 1024;

/** How long a response may stay open after its last event, in milliseconds. */
const longestGoodbye = 1000;

/** Reads an answer chunk by chunk into a message builder. */
export class AnswerReader {
  readonly #host: string;
  readonly #reader: ByteReader;
  readonly #events: StreamEvents;
  readonly #parser: EventSourceParser;
  readonly #decoder = new TextDecoder();
  #bytes = 0;

  /** `host` is for errors. Throws `ModelError` where the response is no event stream. */
  constructor(response: Response, host: string, builder: MessageBuilder) {
    this.#host = host;
    this.#reader = openStream(response, host);
    this.#events = new StreamEvents(builder);
    this.#parser = createParser({ onEvent: ({ data }) => this.#events.read(data) });
  }

  /** Whether the last event has come. */
  get whole(): boolean {
    return this.#events.finished;
  }

  /** Waits for what the network brings next and reads it. Rejects with `ModelError` where the answer breaks off or has no end. */
  async readMore(): Promise<void> {
    const { done, value } = await this.#reader.read().catch((error: unknown) => {
      throw connectionFailure(error, this.#host);
    });
    if (done) throw new ModelError(`the answer of ${this.#host} ended before it was whole`);
    this.#bytes += value?.length ?? 0;
    if (this.#bytes > mostBytes) throw new ModelError(`the answer of ${this.#host} is longer than any answer may be`);
    this.#parser.feed(this.#decoder.decode(value, { stream: true }));
  }

  /**
   * To be called at the end. A whole answer's response is read out in the background, so that its connection serves the
   * next turn; any other is closed. Never rejects.
   */
  async leave(): Promise<void> {
    const close = (): Promise<void> => this.#reader.cancel().catch(() => {});
    if (!this.whole) return close();
    const timer = setTimeout(close, longestGoodbye);
    await this.#readOut().catch(() => {});
    clearTimeout(timer);
  }

  async #readOut(): Promise<void> {
    while (!(await this.#reader.read()).done);
  }
}

function openStream(response: Response, host: string): ByteReader {
  const type = response.headers.get("content-type") ?? "no content type";
  if (response.body !== null && type.toLowerCase().startsWith("text/event-stream")) return response.body.getReader();
  void response.body?.cancel();
  throw new ModelError(`expected an event stream from ${host}, but it sent ${type}. Is ANTHROPIC_BASE_URL right?`);
}
