import { afterTimers } from "@mdx-ai/base";
import { droppedNotice, headOf, OUTPUT_LIMIT, tailOf } from "@mdx-ai/loop";
import { TerminalText } from "./terminal-text.ts";

/** The number of characters kept of the start; the end, which is more useful, gets the rest. */
const HEAD = 10_000;

/**
 * How long an output may be silent after its process ended until it counts as finished, and how long it is read at most, in
 * milliseconds.
 */
const QUIET_MILLISECONDS = 50;
const DRAIN_MILLISECONDS = 1_000;

/**
 * Collects an output in constant memory: its start and its end, as a terminal would finally show them, without escape sequences
 * and with the last state of each line.
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
   * `limit` is the most characters that `text` will be asked for; at least 10,000. `onText` receives each piece as it arrives,
   * and must not throw.
   */
  constructor(limit: number = OUTPUT_LIMIT, onText: (text: string) => void = () => {}) {
    this.#limit = limit;
    this.#onText = onText;
  }

  /** The length of the whole output in UTF-16 code units, after processing. */
  get characters(): number {
    return this.#characters;
  }

  /** The length of the whole output in bytes, after processing. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Reads the output of a process until the process ends, and then the rest of the pipe, which a background child may keep open.
   * Call this once.
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
        // A flood of output would block the timers and signals that end it.
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

  /** Like `text`, with a limit in bytes of UTF-8. An output with no more bytes is complete, even if not all of it was UTF-8. */
  textWithin(bytes: number): string {
    if (this.#bytes <= bytes) return this.text(bytes);
    let text = this.text(bytes, "bytes");
    for (let limit = bytes, length = Buffer.byteLength(text); length > bytes; length = Buffer.byteLength(text)) {
      limit = Math.floor((limit * bytes) / length) - 1;
      text = this.text(limit, "bytes");
    }
    return text;
  }

  /**
   * The output, or its start and end with a notice of the missing part between, within a number of characters. The notice names
   * the unit.
   */
  text(limit: number, unit: "characters" | "bytes" = "characters"): string {
    if (this.#characters <= limit) return this.#head + this.#tail;
    // A word at the end of the head may continue in the tail.
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
    // Counts bytes that are not UTF-8, without the ones that were left out.
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

/** The interval between two reports, and the delay of the first, in milliseconds. */
const PAUSE = 100;
/** The most lines and characters of a report. */
const LINES = 20;
const CHARACTERS = 4_000;
/** The number of characters kept; more than in a report, so that the start of its first word is known. */
const KEPT = 2 * CHARACTERS;

/** Reports the last lines of an output while it arrives, at most ten times a second. */
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

/** Leaves out a word at the end until it is complete: it may be part of a key. */
function lastLines(text: string): string {
  const complete = headOf(`${text}x`, text.length);
  return tailOf(complete, CHARACTERS)
    .split("\n")
    .slice(-LINES - 1)
    .join("\n");
}
