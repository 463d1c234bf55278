/** The stream ended, or a part of it is longer than allowed. */
class ByteStreamError extends Error {
  override readonly name = "ByteStreamError";
}

/** Reads a stream of bytes part by part. Methods reject with `ByteStreamError`, or with the error of the stream. */
export class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  #buffer: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** The text before the next delimiter, one character a byte. */
  async until(delimiter: string, limit: number): Promise<string> {
    for (let from = 0; ; ) {
      const end = this.#buffer.indexOf(delimiter, from, "latin1");
      if (end >= 0 && end <= limit) return this.#take(end + delimiter.length).toString("latin1", 0, end);
      if (this.#buffer.length >= limit + delimiter.length)
        throw new ByteStreamError("the head of a message is too long");
      from = Math.max(0, this.#buffer.length - delimiter.length + 1);
      if (!(await this.#fill())) throw new ByteStreamError("the connection ended within the head of a message");
    }
  }

  /** The next bytes, as they arrive. */
  async *bytes(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0; ) {
      if (this.#buffer.length === 0 && !(await this.#fill()))
        throw new ByteStreamError("the connection ended within a message");
      const part = this.#take(Math.min(left, this.#buffer.length));
      left -= part.length;
      yield part;
    }
  }

  /** All bytes until the stream ends, as they arrive. */
  async *rest(): AsyncGenerator<Buffer> {
    do {
      if (this.#buffer.length > 0) yield this.#take(this.#buffer.length);
    } while (await this.#fill());
  }

  #take(count: number): Buffer {
    const part = this.#buffer.subarray(0, count);
    this.#buffer = this.#buffer.subarray(count);
    return part;
  }

  async #fill(): Promise<boolean> {
    const { value, done } = await this.#source.next();
    if (done) return false;
    this.#buffer = this.#buffer.length === 0 ? value : Buffer.concat([this.#buffer, value]);
    return true;
  }
}
