import { shortened, visibleLine } from "@mdx-ai/parser/visible-text";

/** Bytes of the end that are kept. */
const KEPT = 4096;
const LINES = 3;
const LINE_LENGTH = 200;

/** Reads a stream to its end and keeps only the last of it. */
export class LastText {
  #bytes: Uint8Array = new Uint8Array();

  /** Resolves at the end of the stream. Never rejects. */
  async read(stream: ReadableStream<Uint8Array>): Promise<void> {
    try {
      for await (const bytes of stream) this.#bytes = Buffer.concat([this.#bytes, bytes.slice(-KEPT)]).subarray(-KEPT);
    } catch {
      // What came until then counts.
    }
  }

  /** The last lines with text, as visible text on one line; empty if there are none. */
  get text(): string {
    const lines = new TextDecoder().decode(this.#bytes).split("\n").map(visibleLine);
    const last = lines.filter((line) => line !== "").slice(-LINES);
    return last.map((line) => shortened(line, LINE_LENGTH)).join(" | ");
  }
}
