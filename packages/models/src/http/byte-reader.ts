import { tooLong } from "./broken-answer.ts";
import { connectionFailure } from "./failures.ts";
import type { SilenceWatch } from "./silence-watch.ts";

/** What is needed of a stream's reader; the platform's types of it disagree with each other. */
interface StreamReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

export interface ByteReaderOptions {
  /** For messages. */
  readonly host: string;
  readonly watch: SilenceWatch;
  /** What is longer never ends, and would fill the memory. */
  readonly mostBytes: number;
}

/** How long a response may stay open after its last event, in milliseconds. */
const longestGoodbye = 1000;

/** Reads the bytes of one answer, so many and no more. */
export class ByteReader {
  readonly #options: ByteReaderOptions;
  readonly #reader: StreamReader;
  #bytes = 0;

  constructor(body: ReadableStream<Uint8Array>, options: ByteReaderOptions) {
    this.#options = options;
    this.#reader = body.getReader();
  }

  /** Waits for what the network brings next; undefined at the end. Rejects with `ModelError` where it breaks off. */
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
  async readOut(): Promise<void> {
    const timer = setTimeout(() => void this.close(), longestGoodbye);
    try {
      while (!(await this.#reader.read()).done);
    } catch {
      // A connection that broke serves nobody, and the answer is whole already.
    }
    clearTimeout(timer);
  }
}
