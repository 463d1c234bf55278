import { isRecord, jsonValue, type UnknownRecord } from "@mdx-ai/base";
import { createParser, type EventSourceParser } from "eventsource-parser";
import { ModelError, tooLong, unfinished, unreadable } from "../errors.ts";
import type { SilenceWatch } from "./silence-watch.ts";
import { UnreadFailure } from "./unread-failure.ts";

interface ByteReaderOptions {
  /** For messages. */
  readonly host: string;
  /** The address of the answer. */
  readonly url: string;
  readonly watch: SilenceWatch;
  /** The size limit; a longer answer would fill the memory. */
  readonly mostBytes: number;
}

/** Reads the bytes of one answer, up to a limit. */
export class ByteReader {
  readonly #options: ByteReaderOptions;
  readonly #reader: StreamReader<Uint8Array>;
  /** Bytes that were read and given back. */
  #unread: Uint8Array | undefined;
  #bytes = 0;

  constructor(body: ReadableStream<Uint8Array>, options: ByteReaderOptions) {
    this.#options = options;
    this.#reader = body.getReader();
  }

  /** Waits for the next bytes; undefined at the end. Rejects with `ModelError` if the connection breaks off. */
  async next(): Promise<Uint8Array | undefined> {
    const { host, url, watch, mostBytes } = this.#options;
    const unread = this.#unread;
    this.#unread = undefined;
    if (unread !== undefined) return unread;
    watch.listen();
    const { done, value } = await this.#reader.read().catch((error: unknown) => {
      throw new UnreadFailure(({ connectionFailure, proxyFor }) =>
        connectionFailure(error, host, proxyFor(url, process.env)),
      );
    });
    watch.hear();
    if (done) return undefined;
    this.#bytes += value?.length ?? 0;
    if (this.#bytes > mostBytes) throw tooLong(host, "an answer");
    return value ?? new Uint8Array();
  }

  /** Gives bytes back, to be read next. */
  giveBack(bytes: Uint8Array): void {
    this.#unread = bytes;
  }

  /** Closes the connection. Never rejects. */
  async close(): Promise<void> {
    await this.#reader.cancel().catch(() => {});
  }

  /** Reads the rest, so that the connection can be reused. Never rejects. */
  readOut(): Promise<void> {
    return readOut(this.#reader);
  }
}

/** The part of a stream reader that is used; the platform's types for it conflict. */
export interface StreamReader<Value> {
  read(): Promise<{ readonly done: boolean; readonly value?: Value | undefined }>;
  cancel(): Promise<void>;
}

/** Milliseconds that a stream may stay open after the answer has ended. */
const longestGoodbye = 1000;

/** Reads the rest, so that the connection can be reused. Never rejects. */
export async function readOut(reader: StreamReader<unknown>): Promise<void> {
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), longestGoodbye);
  try {
    while (!(await reader.read()).done);
  } catch {
    // A broken connection cannot be reused, and the answer is complete.
  }
  clearTimeout(timer);
}

/** Characters of one event, far more than servers send. */
const longestEvent = 8 * 1024 * 1024;

/** Reads one answer into a message builder, piece by piece. */
export interface AnswerReader {
  /** Whether the answer's end has arrived. */
  readonly isWhole: boolean;
  /** Waits for the next piece and reads it. Rejects with `ModelError` if the answer breaks off or has no end. */
  readMore(): Promise<void>;
}

/** Reads the events of one streamed answer into a message builder. */
export interface AnswerEvents {
  /** Whether the final event has arrived. */
  readonly isWhole: boolean;
  /** Reads the data of one event; ignored once the answer is complete. Throws `ModelError`. */
  read(data: string): void;
  /** Called when the stream ends without a failure. May complete the answer. */
  end(): void;
}

/**
 * The object in an event's data; undefined for other data, such as the "[DONE]" of gateways. Throws `ModelError` for an object that is not
 * valid JSON.
 */
export function eventObject(data: string, vendor: string): UnknownRecord | undefined {
  if (!data.startsWith("{") && !data.trimStart().startsWith("{")) return undefined;
  try {
    return JSON.parse(data);
  } catch {
    // A gateway may have split a long line, even within a string.
    const joined = data.includes("\n") ? jsonValue(data.replaceAll("\n", "")) : undefined;
    if (isRecord(joined)) return joined;
    throw unreadable(`${vendor} sent an event that is not JSON`);
  }
}

/** An answer's `error`; undefined if it is empty, as some servers send it. */
export function statedError({ error }: UnknownRecord): unknown {
  const isEmpty =
    isRecord(error) && Object.values(error).every((value) => value === null || value === "" || value === 0);
  return error === null || error === "" || error === false || isEmpty ? undefined : error;
}

/** Reads an answer of server-sent events chunk by chunk. */
export class EventReader implements AnswerReader {
  readonly #bytes: ByteReader;
  readonly #host: string;
  readonly #events: AnswerEvents;
  readonly #parser: EventSourceParser;
  readonly #decoder = new TextDecoder();
  #isTooLong = false;

  /** `host` is used in messages. */
  constructor(bytes: ByteReader, { host, events }: { readonly host: string; readonly events: AnswerEvents }) {
    this.#bytes = bytes;
    this.#host = host;
    this.#events = events;
    this.#parser = createParser({
      maxBufferSize: longestEvent,
      onEvent: ({ event, data }) => this.#read(event, data),
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
    this.#feedEnd();
    this.#events.end();
    if (!this.isWhole) throw unfinished(this.#host);
  }

  /** Some servers mark an error only in the event's type, and some end events with a single line break. */
  #read(event: string | undefined, data: string): void {
    if (event === "error" && !data.trimStart().startsWith("{"))
      throw new UnreadFailure(({ streamFailure }) => streamFailure(data, this.#host));
    for (const one of eventsIn(data)) this.#events.read(one);
  }

  /** The last event may lack its final blank line; a partial one has broken off. */
  #feedEnd(): void {
    try {
      this.#parser.feed(`${this.#decoder.decode()}\n\n`);
    } catch (error) {
      if (error instanceof UnreadFailure) throw error;
      if (error instanceof ModelError && error.failure.kind !== "unreadable") throw error;
      throw unfinished(this.#host);
    }
  }

  #feed(bytes: Uint8Array): void {
    this.#parser.feed(this.#decoder.decode(bytes, { stream: true }));
    if (this.#isTooLong) throw tooLong(this.#host, "an event");
  }
}

/** The events in one framed event whose lines are each a whole event. */
function eventsIn(data: string): readonly string[] {
  if (!data.includes("\n")) return [data];
  const lines = data.split("\n").filter((line) => line.trim() !== "");
  const isWhole = (line: string): boolean => line.trim() === "[DONE]" || isRecord(jsonValue(line));
  return lines.every(isWhole) ? lines : [data];
}
