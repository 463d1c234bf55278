const NEWLINE = 10;

/** Which lines of a file are wanted. */
export interface LineRange {
  /** Number of the first line; lines start at 1. */
  readonly first: number;
  /** How many lines at most. */
  readonly count: number;
  /** How many bytes at most. */
  readonly bytes: number;
}

/** Takes the lines of a range out of a file that comes piece by piece; keeps no more than that range in memory. */
export class LineWindow {
  readonly #range: LineRange;
  readonly #pieces: Buffer[] = [];
  #toSkip: number;
  #linesLeft: number;
  #bytesLeft: number;
  #insideLine = false;

  constructor(range: LineRange) {
    this.#range = range;
    this.#toSkip = range.first - 1;
    this.#linesLeft = range.count;
    this.#bytesLeft = range.bytes;
  }

  /** Takes what it needs of the next piece and says whether something of the piece lies behind the range. */
  add(piece: Buffer): boolean {
    let start = 0;
    while (this.#toSkip > 0) {
      const newline = piece.indexOf(NEWLINE, start);
      if (newline === -1) {
        this.#insideLine = start < piece.length;
        return false;
      }
      this.#toSkip -= 1;
      start = newline + 1;
    }
    const end = this.#endOfRange(piece, start);
    if (end > start) {
      // A copy, since the reader uses its buffer again.
      this.#pieces.push(Buffer.from(piece.subarray(start, end)));
      this.#bytesLeft -= end - start;
    }
    return end < piece.length;
  }

  /** The bytes of the range. */
  bytes(): Buffer {
    const [only] = this.#pieces;
    return this.#pieces.length === 1 && only ? only : Buffer.concat(this.#pieces);
  }

  /** Lines that the file has, where its end was reached before the range began; else undefined. */
  linesBefore(): number | undefined {
    if (this.#pieces.length > 0) return undefined;
    return this.#range.first - 1 - this.#toSkip + (this.#insideLine ? 1 : 0);
  }

  #endOfRange(piece: Buffer, start: number): number {
    const limit = Math.min(piece.length, start + this.#bytesLeft);
    let end = start;
    while (this.#linesLeft > 0 && end < limit) {
      const newline = piece.indexOf(NEWLINE, end);
      if (newline === -1 || newline >= limit) return limit;
      this.#linesLeft -= 1;
      end = newline + 1;
    }
    return end;
  }
}
