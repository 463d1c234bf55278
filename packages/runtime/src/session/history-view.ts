import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import type { Message } from "@mdx-ai/models";
import { contentText } from "../content-text.ts";

/** One element of `history.json`. */
interface HistoryEntry {
  readonly role: "user" | "assistant";
  readonly content: string;
  /** ISO 8601. */
  readonly timestamp: string;
}

const HEAD = "[";
const TAIL = "\n]\n";
const EMPTY = "[]\n";

/** What a view knows to be in its file. */
interface Shown {
  /** How many messages of the transcript it shows. */
  readonly messages: number;
  /** Its length in bytes. */
  readonly size: number;
}

/** `history.json`: what people read of a session. A view of the journal, mended from it when wrong. */
export class HistoryView {
  readonly #path: string;
  #shown: Shown | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Shows a transcript that has only grown since the last time, at a cost that does not grow with what was there. At the
   * first time, after a failure, and where somebody else changed the file, it is written anew unless it is right as it is.
   * Throws what the file system says.
   */
  update(messages: readonly Message[]): void {
    const shown = this.#shown;
    // Until it has gone well nobody knows what is in the file.
    this.#shown = undefined;
    const size = shown && sizeOf(this.#path) === shown.size ? this.#add(messages, shown) : this.#mend(messages);
    this.#shown = { messages: messages.length, size };
  }

  #add(messages: readonly Message[], shown: Shown): number {
    const isFirst = shown.size === EMPTY.length;
    const text = entriesText(messages.slice(shown.messages), isFirst);
    if (text === "") return shown.size;
    const start = isFirst ? 0 : shown.size - TAIL.length;
    const bytes = Buffer.from((isFirst ? HEAD : "") + text + TAIL);
    const descriptor = openSync(this.#path, "r+");
    try {
      for (let written = 0; written < bytes.length; ) {
        written += writeSync(descriptor, bytes, written, bytes.length - written, start + written);
      }
    } finally {
      closeSync(descriptor);
    }
    return start + bytes.length;
  }

  #mend(messages: readonly Message[]): number {
    const entries = entriesText(messages, true);
    const text = entries === "" ? EMPTY : HEAD + entries + TAIL;
    const size = Buffer.byteLength(text);
    if (sizeOf(this.#path) !== size || readFileSync(this.#path, "utf8") !== text) this.#replace(text);
    return size;
  }

  #replace(text: string): void {
    const draft = `${this.#path}.${crypto.randomUUID()}.tmp`;
    try {
      writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
      renameSync(draft, this.#path);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
  }
}

/** The length of a file in bytes; undefined where there is none. */
const sizeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.size;

function entriesText(messages: readonly Message[], isFirst: boolean): string {
  const lines = messages
    .flatMap((message) => historyEntry(message) ?? [])
    .map((entry) => `\n  ${JSON.stringify(entry)}`);
  return lines.length === 0 ? "" : (isFirst ? "" : ",") + lines.join(",");
}

/** The entry of a message that people read; tool calls and results are in the journal alone. */
function historyEntry(message: Message): HistoryEntry | undefined {
  if (message.role === "toolResult") return undefined;
  const content = contentText(message.content);
  if (content === "") return undefined;
  return { role: message.role, content, timestamp: new Date(message.timestamp).toISOString() };
}
