/** What was read: a line, or the ends of one that is too long. */
export type ReadLine =
  | { readonly type: "line"; readonly text: string }
  /** The first and last characters of a line that was too long. */
  | { readonly type: "oversized"; readonly head: string; readonly tail: string };

/** Bytes kept of each end of a line that is too long. */
const KEPT = 512;

const NEWLINE = 0x0a;

/** Splits a byte stream into lines. Buffers at most `limit` bytes; of a longer line it keeps the two ends. */
export class LineReader {
  readonly #limit: number;
  readonly #decoder = new TextDecoder();
  #pieces: Uint8Array[] = [];
  #length = 0;
  /** The ends of the current line once it is too long. */
  #ends: { readonly head: Uint8Array; tail: Uint8Array } | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The lines that end in these bytes. */
  *read(bytes: Uint8Array): Generator<ReadLine> {
    let start = 0;
    for (;;) {
      const end = bytes.indexOf(NEWLINE, start);
      if (end < 0) break;
      this.#take(bytes.subarray(start, end));
      yield this.#finish();
      start = end + 1;
    }
    if (start < bytes.length) this.#take(bytes.subarray(start));
  }

  #take(piece: Uint8Array): void {
    if (this.#ends) {
      this.#ends.tail = lastOf(joined([this.#ends.tail, lastOf(piece)]));
      return;
    }
    // Copied, because the stream may reuse its buffer.
    this.#pieces.push(piece.slice());
    this.#length += piece.length;
    if (this.#length <= this.#limit) return;
    const whole = joined(this.#pieces);
    this.#ends = { head: whole.slice(0, KEPT), tail: lastOf(whole) };
    this.#pieces = [];
  }

  #finish(): ReadLine {
    const ends = this.#ends;
    const bytes = ends ? undefined : joined(this.#pieces);
    this.#pieces = [];
    this.#length = 0;
    this.#ends = undefined;
    if (bytes) return { type: "line", text: this.#decoder.decode(bytes) };
    return { type: "oversized", head: this.#decoder.decode(ends?.head), tail: this.#decoder.decode(ends?.tail) };
  }
}

const lastOf = (bytes: Uint8Array): Uint8Array => bytes.slice(-KEPT);

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  return pieces.length === 1 && only ? only : Buffer.concat(pieces);
}
