import { headOf, tailOf } from "./cut-text.ts";

/** Characters kept of the beginning and of the end of an output; the end says more. */
const HEAD = 10_000;
const TAIL = 20_000;

/** What became of an output that was kept while it came. */
export interface KeptOutput {
  /** With the number of characters dropped in its middle told there. */
  readonly text: string;
  /** Of the whole output. */
  readonly bytes: number;
  /** Whether something of it was dropped. */
  readonly truncated: boolean;
}

/** An output that is kept while it comes, in memory that does not grow: its beginning and its end. */
export class BoundedOutput {
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #head = "";
  #tail = "";
  #headFull = false;
  #dropped = 0;
  #bytes = 0;

  /** Takes the next bytes; those that are not UTF-8 become U+FFFD. */
  add(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    this.#addText(this.#decoder.decode(bytes, { stream: true }));
  }

  /** What was kept. Nothing can be added afterwards. */
  end(): KeptOutput {
    this.#addText(this.#decoder.decode());
    const end = tailOf(this.#tail, TAIL);
    const dropped = this.#dropped + this.#tail.length - end.length;
    const gap = dropped === 0 ? "" : `\n[${dropped} characters dropped here]\n`;
    return { text: this.#head + gap + end, bytes: this.#bytes, truncated: dropped > 0 };
  }

  #addText(text: string): void {
    const rest = this.#headFull ? text : text.slice(this.#addToHead(text));
    this.#tail += rest;
    if (this.#tail.length <= 2 * TAIL) return;
    const kept = tailOf(this.#tail, TAIL);
    this.#dropped += this.#tail.length - kept.length;
    this.#tail = kept;
  }

  #addToHead(text: string): number {
    const part = headOf(text, HEAD - this.#head.length);
    this.#head += part;
    this.#headFull = part.length < text.length || this.#head.length === HEAD;
    return part.length;
  }
}
