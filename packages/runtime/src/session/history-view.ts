import { closeSync, existsSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
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
const EMPTY = "[]\n";

/** `history.json`: what people read of a session. A view of the journal, mended from it when wrong. */
export class HistoryView {
  readonly #path: string;
  #size: number;

  /** Writes the file anew unless it says just what `messages` say. Throws what the file system says. */
  constructor(path: string, messages: readonly Message[]) {
    this.#path = path;
    const entries = entriesText(messages, true);
    const text = entries === "" ? EMPTY : HEAD + entries + TAIL;
    this.#size = Buffer.byteLength(text);
    if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text, { mode: 0o600 });
  }

  /** Adds messages at a cost that does not grow with those before. */
  add(messages: readonly Message[]): void {
    const isFirst = this.#size === EMPTY.length;
    const text = entriesText(messages, isFirst);
    if (text === "") return;
    const start = isFirst ? 0 : this.#size - TAIL.length;
    const bytes = Buffer.from((isFirst ? HEAD : "") + text + TAIL);
    const descriptor = openSync(this.#path, "r+");
    try {
      writeSync(descriptor, bytes, 0, bytes.length, start);
    } finally {
      closeSync(descriptor);
    }
    this.#size = start + bytes.length;
  }
}

function entriesText(messages: readonly Message[], isFirst: boolean): string {
  const lines = messages
    .flatMap((message) => historyEntry(message) ?? [])
    .map((entry) => `\n  ${JSON.stringify(entry)}`);
  return lines.length === 0 ? "" : (isFirst ? "" : ",") + lines.join(",");
}

/** The entry of a message that people read; tool calls and results are in the journal alone. */
function historyEntry(message: Message): HistoryEntry | undefined {
  if (message.role === "toolResult") return undefined;
  const content = message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
  if (content === "") return undefined;
  return { role: message.role, content, timestamp: new Date(message.timestamp).toISOString() };
}
