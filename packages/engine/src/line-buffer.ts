import type { Journal, JournalLine } from "@mdx-ai/sessions";

/** New lines of a session, until they are sent to the engine. */
export class LineBuffer implements Journal {
  #lines: JournalLine[] = [];

  append(line: JournalLine): void {
    this.#lines.push(line);
  }

  /** Removes and returns all lines. */
  take(): readonly JournalLine[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }

  /** The engine acknowledges lines with the steps that follow. */
  async sync(): Promise<void> {}

  isInPlace(): boolean {
    return true;
  }

  close(): void {}
}
