import { tooLong, unfinished } from "../errors.ts";
import type { AnswerReader, ByteReader } from "./answer-reader.ts";

interface DocumentOptions {
  /** For messages. */
  readonly host: string;
  readonly mostBytes: number;
  read(answer: unknown): void;
}

/** Reads an answer that is one JSON document, and passes it to `read` when complete. */
export class DocumentReader implements AnswerReader {
  readonly #bytes: ByteReader;
  readonly #options: DocumentOptions;
  readonly #chunks: Uint8Array[] = [];
  #length = 0;
  #isWhole = false;

  constructor(bytes: ByteReader, options: DocumentOptions) {
    this.#bytes = bytes;
    this.#options = options;
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  async readMore(): Promise<void> {
    const bytes = await this.#bytes.next();
    if (bytes !== undefined) {
      this.#length += bytes.length;
      if (this.#length > this.#options.mostBytes) throw tooLong(this.#options.host, "an answer");
      this.#chunks.push(bytes);
      return;
    }
    this.#options.read(this.#parse());
    this.#isWhole = true;
  }

  #parse(): unknown {
    const text = new TextDecoder().decode(Buffer.concat(this.#chunks));
    try {
      return JSON.parse(text);
    } catch {
      throw unfinished(this.#options.host);
    }
  }
}
