import { tooLong } from "../errors/model-error.ts";
import { connectionFailure } from "./failures.ts";
import type { SilenceWatch } from "./silence-watch.ts";

export interface ByteReaderOptions {
  /** For messages. */
  readonly host: string;
  readonly watch: SilenceWatch;
  /** A longer answer never ends, and would fill the memory. */
  readonly mostBytes: number;
}

/** Reads the bytes of one answer, up to a limit. */
export class ByteReader {
  readonly #options: ByteReaderOptions;
  readonly #reader: StreamReader<Uint8Array>;
  #bytes = 0;

  constructor(body: ReadableStream<Uint8Array>, options: ByteReaderOptions) {
    this.#options = options;
    this.#reader = body.getReader();
  }

  /** Waits for what the network brings next; undefined at the end. Rejects with `ModelError` if it breaks off. */
  async next(): Promise<Uint8Array | undefined> {
    const { host, watch, mostBytes } = this.#options;
    watch.listen();
    const { done, value } = await this.#reader.read().catch((error: unknown) => {
      throw connectionFailure(error, host);
    });
    watch.hear();
    if (done) return undefined;
    this.#bytes += value?.length ?? 0;
    if (this.#bytes > mostBytes) throw tooLong(host, "an answer");
    return value ?? new Uint8Array();
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
