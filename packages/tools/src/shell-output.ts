import { afterTimers } from "@mdx-ai/base";
import { droppedNotice, headOf, OUTPUT_LIMIT, tailOf } from "@mdx-ai/loop";
import { TerminalText } from "./terminal-text.ts";

/** Characters kept of the beginning; the end, which says more, gets the rest. */
const HEAD = 10_000;

/** How long an output may be silent, after its process ended, before it counts as finished; and how long it is read at most. */
const QUIET_MILLISECONDS = 50;
const DRAIN_MILLISECONDS = 1_000;

/**
 * An output that is kept while it arrives, in memory that does not grow: its beginning and its end. It is kept as a terminal would
 * show it in the end, without escape sequences and with the last state of each line.
 */
export class ShellOutput {
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #terminal = new TerminalText();
  #head = "";
  #tail = "";
  readonly #limit: number;
  readonly #onText: (text: string) => void;
  #isHeadFull = false;
  #characters = 0;
  #bytes = 0;

  /**
   * `limit` is the most characters that `text` will be asked for; at least 10,000. `onText` is called with each piece as it
   * arrives, and must not throw.
   */
  constructor(limit: number = OUTPUT_LIMIT, onText: (text: string) => void = () => {}) {
    this.#limit = limit;
    this.#onText = onText;
  }

  /** UTF-16 code units of the whole output, as it is kept. */
  get characters(): number {
    return this.#characters;
  }

  /** Of the whole output, as it is kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Reads the output of a process until the process itself ends, and then the rest of the pipe: a child that it left
   * behind may keep the pipe open for as long as it lives. To be called once.
   */
  async readUntilExit(output: ReadableStream<Uint8Array>, exited: Promise<unknown>): Promise<void> {
    const reader = output.getReader();
    let pieces = 0;
    const read = async (): Promise<void> => {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        pieces += 1;
        this.#bytes += next.value.length;
        // Bytes that are not UTF-8 become U+FFFD.
        this.#show(this.#decoder.decode(next.value, { stream: true }));
        // A flood of output would keep timers and signals, which end it, from running.
        await afterTimers();
      }
    };
    const finished = read();
    await exited;
    await drained(finished, () => pieces);
    await reader.cancel();
    this.#show(this.#decoder.decode());
    this.#keep(this.#terminal.end());
  }

  /** As `text`, within a number of bytes of UTF-8. An output that had no more bytes is whole, even if not all of it was UTF-8. */
  textWithin(bytes: number): string {
    if (this.#bytes <= bytes) return this.text(bytes);
    let text = this.text(bytes, "bytes");
    for (let limit = bytes, length = Buffer.byteLength(text); length > bytes; length = Buffer.byteLength(text)) {
      limit = Math.floor((limit * bytes) / length) - 1;
      text = this.text(limit, "bytes");
    }
    return text;
  }

  /** The output, or its beginning and its end with a notice of what is missing between them, within a number of characters. The notice names the unit. */
  text(limit: number, unit: "characters" | "bytes" = "characters"): string {
    if (this.#characters <= limit) return this.#head + this.#tail;
    // A word at its end may continue in the tail.
    const head = headOf(`${this.#head}x`, this.#head.length);
    const room = limit - head.length - droppedNotice(this.#characters, this.#limit, unit).length - 2;
    const end = tailOf(this.#tail, room);
    return `${head}\n${droppedNotice(this.#characters - head.length - end.length, this.#limit, unit)}\n${end}`;
  }

  #show(text: string): void {
    this.#onText(text);
    this.#bytes -= Buffer.byteLength(text);
    this.#keep(this.#terminal.add(text));
  }

  #keep(text: string): void {
    // So that bytes count that are not UTF-8, without those that were left out.
    this.#bytes += Buffer.byteLength(text);
    this.#characters += text.length;
    const rest = this.#isHeadFull ? text : text.slice(this.#addToHead(text));
    this.#tail += rest;
    const most = this.#limit - HEAD;
    if (this.#tail.length > 4 * most) this.#tail = tailOf(this.#tail, 2 * most);
  }

  #addToHead(text: string): number {
    const part = headOf(text, HEAD - this.#head.length);
    this.#head += part;
    this.#isHeadFull = part.length < text.length || this.#head.length === HEAD;
    return part.length;
  }
}

async function drained(finished: Promise<void>, pieces: () => number): Promise<void> {
  const done = finished.then(() => true);
  const quiet = (): Promise<boolean> => Bun.sleep(QUIET_MILLISECONDS).then(() => false);
  const deadline = performance.now() + DRAIN_MILLISECONDS;
  let before = -1;
  while (before !== pieces() && performance.now() < deadline) {
    before = pieces();
    if (await Promise.race([done, quiet()])) return;
  }
}

/** Milliseconds between two reports of the end of an output, and from the first output to the first report. */
const PAUSE = 100;
/** Lines and characters of a report at most. */
const LINES = 20;
const CHARACTERS = 4_000;
/** Characters kept; more than a report has, so that the start of its first word is known. */
const KEPT = 2 * CHARACTERS;

/** Reports the last lines of an output while it arrives: ten times a second at most, however fast that is. */
export class LiveTail {
  readonly #report: (tail: string) => void;
  #text = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(report: (tail: string) => void) {
    this.#report = report;
  }

  /** Takes the next piece of the output. */
  add(text: string): void {
    this.#text = text.length >= KEPT ? text.slice(-KEPT) : (this.#text + text).slice(-KEPT);
    this.#timer ??= setTimeout(() => this.#tell(), PAUSE);
  }

  /** Reports nothing more. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #tell(): void {
    this.#timer = undefined;
    const tail = lastLines(this.#text);
    if (tail.trim() !== "") this.#report(tail);
  }
}

/** A word at the end, which may be half a key, is left out until it is complete. */
function lastLines(text: string): string {
  const complete = headOf(`${text}x`, text.length);
  return tailOf(complete, CHARACTERS)
    .split("\n")
    .slice(-LINES - 1)
    .join("\n");
}
