import { isRecord, jsonValue, type UnknownRecord } from "@mdx-ai/base";
import { createParser, type EventSourceParser } from "eventsource-parser";
import { ModelError, tooLong, unfinished, unreadable } from "../errors.ts";
import type { SilenceWatch } from "./silence-watch.ts";
import { UnreadFailure } from "./unread-failure.ts";

interface ByteReaderOptions {
  /** For messages. */
  readonly host: string;
  /** Where it comes from. */
  readonly url: string;
  readonly watch: SilenceWatch;
  /** A longer answer never ends, and would fill the memory. */
  readonly mostBytes: number;
}

/** Reads the bytes of one answer, up to a limit. */
export class ByteReader {
  readonly #options: ByteReaderOptions;
  readonly #reader: StreamReader<Uint8Array>;
  /** What was read and given back. */
  #unread: Uint8Array | undefined;
  #bytes = 0;

  constructor(body: ReadableStream<Uint8Array>, options: ByteReaderOptions) {
    this.#options = options;
    this.#reader = body.getReader();
  }

  /** Waits for what the network brings next; undefined at the end. Rejects with `ModelError` if it breaks off. */
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

  /** Gives bytes back: they come next. */
  giveBack(bytes: Uint8Array): void {
    this.#unread = bytes;
  }

  /** Closes the connection. Never rejects. */
  async close(): Promise<void> {
    await this.#reader.cancel().catch(() => {});
  }

  /** Reads out what is left, so that the connection serves the next turn. Never rejects. */
  readOut(): Promise<void> {
    return readOut(this.#reader);
  }
}

/** The part of a stream's reader that is used; the platform's types of it disagree with each other. */
export interface StreamReader<Value> {
  read(): Promise<{ readonly done: boolean; readonly value?: Value | undefined }>;
  cancel(): Promise<void>;
}

/** How long a stream may stay open after all that matters has come, in milliseconds. */
const longestGoodbye = 1000;

/** Reads out what is left, so that the connection serves the next turn. Never rejects. */
export async function readOut(reader: StreamReader<unknown>): Promise<void> {
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), longestGoodbye);
  try {
    while (!(await reader.read()).done);
  } catch {
    // A connection that broke serves nobody, and the answer is whole already.
  }
  clearTimeout(timer);
}

/** Characters of one event, far beyond the largest that a server sends. */
const longestEvent = 8 * 1024 * 1024;

/** Reads one answer into a message builder, piece by piece. */
export interface AnswerReader {
  /** Whether the answer's end has arrived. */
  readonly isWhole: boolean;
  /** Waits for what comes next and reads it. Rejects with `ModelError` if the answer breaks off or has no end. */
  readMore(): Promise<void>;
}

/** Reads the events of one streamed answer into a message builder. */
export interface AnswerEvents {
  /** Whether the event that ends an answer has arrived. */
  readonly isWhole: boolean;
  /** Reads the data of one event; does nothing once the answer is whole. Throws `ModelError`. */
  read(data: string): void;
  /** The stream is over without a failure. May complete the answer if all that matters has arrived. */
  end(): void;
}

/**
 * The object in the data of an event; undefined for anything else, such as the "[DONE]" that gateways add. Throws `ModelError` for an object that is not JSON.
 */
export function eventObject(data: string, vendor: string): UnknownRecord | undefined {
  if (!data.startsWith("{") && !data.trimStart().startsWith("{")) return undefined;
  try {
    return JSON.parse(data);
  } catch {
    // A gateway may have wrapped a long line into several, within a text too.
    const joined = data.includes("\n") ? jsonValue(data.replaceAll("\n", "")) : undefined;
    if (isRecord(joined)) return joined;
    throw unreadable(`${vendor} sent an event that is not JSON`);
  }
}

/** What an answer's `error` says; undefined if the field is there and says nothing, as some servers send it. */
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

  /** `host` is for messages. */
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

  /** Some servers name an error in the frame alone, and some end events with a single line break. */
  #read(event: string | undefined, data: string): void {
    if (event === "error" && !data.trimStart().startsWith("{"))
      throw new UnreadFailure(({ streamFailure }) => streamFailure(data, this.#host));
    for (const one of eventsIn(data)) this.#events.read(one);
  }

  /** The last event may lack the blank line that ends it; what is half there has broken off. */
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

/** The events in what the rules of framing make one: lines that are each whole. */
function eventsIn(data: string): readonly string[] {
  if (!data.includes("\n")) return [data];
  const lines = data.split("\n").filter((line) => line.trim() !== "");
  const isWhole = (line: string): boolean => line.trim() === "[DONE]" || isRecord(jsonValue(line));
  return lines.every(isWhole) ? lines : [data];
}
