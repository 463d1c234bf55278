import { closeSync, existsSync, openSync, renameSync, writeSync } from "node:fs";
import { ifExists, noRedactor, type Redactor } from "@mdx-ai/base";
import { readEnd, replaceFileSync, sizeOf } from "@mdx-ai/base/disk";
import { type Conversation, contentText, lengthOf } from "@mdx-ai/loop";
import type { Message } from "@mdx-ai/models";

/** One element of `history.json`. */
interface HistoryEntry {
  readonly role: "user" | "assistant";
  readonly content: string;
  /** ISO 8601. */
  readonly timestamp: string;
}

const HEAD = "[";
const TAIL = "\n]\n";
/** The file of a session without messages. */
export const EMPTY = "[]\n";

/** The known content of the file. */
export interface Shown {
  /** How many messages of the transcript it shows. */
  readonly messages: number;
  /** Bytes up to the end of the last entry; 0 if there is none. */
  readonly bytes: number;
}

export interface HistoryViewOptions {
  readonly path: string;
  /** The content of the file at the end of the older journals; later messages are in memory and compared. */
  readonly start: Shown;
  /** Returns the whole transcript, if only a part of it is in memory. */
  readonly whole: () => readonly Message[];
  /** The path for keeping a file with other content. Absent: the file is replaced. */
  readonly kept?: string | undefined;
  /** Redacts the shown text. */
  readonly redactor?: Redactor | undefined;
}

/** `history.json`: the readable form of a session. A view of the journal, rebuilt from it when wrong. */
export class HistoryView {
  readonly #options: HistoryViewOptions;
  readonly #redactor: Redactor;
  #shown: Shown | undefined;

  constructor(options: HistoryViewOptions) {
    this.#options = options;
    this.#redactor = options.redactor ?? noRedactor;
  }

  /** The content of the file; undefined if unknown. */
  get shown(): Shown | undefined {
    return this.#shown;
  }

  /**
   * Updates the file for a transcript that has only grown since the last call, in time independent of its length. The
   * first time, after a failure, and if another program changed the file, it is rewritten unless it is correct.
   * Throws the file system's error.
   */
  update(conversation: Conversation): void {
    const shown = this.#shown;
    // Until the write succeeds, the content of the file is unknown.
    this.#shown = undefined;
    const isCurrent = shown !== undefined && sizeOf(this.#options.path) === fileSize(shown.bytes);
    this.#shown = isCurrent ? this.#add(conversation, shown) : this.#rebuild(conversation);
  }

  #add(conversation: Conversation, shown: Shown): Shown {
    const messages = lengthOf(conversation);
    const text = this.#text(conversation.messages.slice(shown.messages - conversation.first), shown.bytes === 0);
    if (text === "") return { ...shown, messages };
    const bytes = Buffer.from(text + TAIL);
    const descriptor = openSync(this.#options.path, "r+");
    try {
      for (let written = 0; written < bytes.length; ) {
        written += writeSync(descriptor, bytes, written, bytes.length - written, shown.bytes + written);
      }
    } finally {
      closeSync(descriptor);
    }
    return { messages, bytes: shown.bytes + bytes.length - TAIL.length };
  }

  #rebuild(conversation: Conversation): Shown {
    const { path, start, whole, kept } = this.#options;
    const messages = lengthOf(conversation);
    if (conversation.first <= start.messages) {
      const text = this.#text(conversation.messages.slice(start.messages - conversation.first), start.bytes === 0);
      const bytes = start.bytes + Buffer.byteLength(text);
      const rest = Buffer.from(bytes === 0 ? EMPTY : text + TAIL);
      if (sizeOf(path) === fileSize(bytes) && rest.equals(readEnd(path, start.bytes))) return { messages, bytes };
    }
    const all = this.#text(conversation.first === 0 ? conversation.messages : whole(), true);
    // It may contain messages that the journal has lost.
    if (kept !== undefined && !existsSync(kept)) ifExists(() => renameSync(path, kept));
    // An empty view has lost nothing.
    replaceFileSync({ path, text: fileText(all), isDispensable: sizeOf(path) <= EMPTY.length });
    return { messages, bytes: Buffer.byteLength(all) };
  }

  #text(messages: readonly Message[], isFirst: boolean): string {
    return entriesText(messages, isFirst, this.#redactor);
  }
}

/** The content of the view of a whole transcript. */
export const historyText = (messages: readonly Message[], redactor: Redactor = noRedactor): string =>
  fileText(entriesText(messages, true, redactor));

/** Bytes of the view of these messages, up to the end of the last entry. */
export const historyBytes = (messages: readonly Message[]): number =>
  Buffer.byteLength(entriesText(messages, true, noRedactor));

const fileText = (entries: string): string => (entries === "" ? EMPTY : entries + TAIL);

/** The length of the file whose entries end after this many bytes. */
const fileSize = (bytes: number): number => (bytes === 0 ? EMPTY.length : bytes + TAIL.length);

function entriesText(messages: readonly Message[], isFirst: boolean, redactor: Redactor): string {
  const lines = messages
    .flatMap((message) => historyEntry(message, redactor) ?? [])
    .map((entry) => `\n  ${JSON.stringify(entry)}`);
  return lines.length === 0 ? "" : (isFirst ? HEAD : ",") + lines.join(",");
}

/** The entry of a message for people; tool calls and results are only in the journal. */
function historyEntry(message: Message, redactor: Redactor): HistoryEntry | undefined {
  if (message.role === "toolResult" || (message.role === "user" && message.origin !== undefined)) return undefined;
  // Block by block, as in the journal.
  const content = contentText(
    message.content.map((block) => (block.type === "text" ? { ...block, text: redactor.text(block.text) } : block)),
  );
  if (content === "") return undefined;
  return { role: message.role, content, timestamp: new Date(message.timestamp).toISOString() };
}
