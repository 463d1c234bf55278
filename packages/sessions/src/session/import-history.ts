import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord, jsonValue, noRedactor, type Redactor } from "@mdx-ai/base";
import { readPrivateFile, sizeOf, timeName } from "@mdx-ai/base/disk";
import { noCost } from "@mdx-ai/loop";
import type { Message } from "@mdx-ai/models";
import { NOTHING_BEFORE, type SegmentHead } from "../history/segment-head.ts";
import { JournalError } from "../journal/journal.ts";
import { EMPTY, historyBytes } from "./history-view.ts";

/**
 * The head of the journal for a session folder with only a `history.json` of another program: its messages.
 * Undefined for any other folder. Throws `JournalError` if the file is not a list of messages.
 */
export function importedHead(folder: string, redactor: Redactor = noRedactor): SegmentHead | undefined {
  const path = join(folder, "history.json");
  if (sizeOf(path) <= EMPTY.length || !readdirSync(folder).every(isOfOthers)) return undefined;
  const tail = messagesIn(path, redactor);
  return { ...NOTHING_BEFORE, messages: tail.length, tail, history: historyBytes(tail) };
}

/** Whether the messages of a head were imported: no prompt precedes them. */
export const isImported = ({ lastPrompt, tail }: SegmentHead): boolean => lastPrompt === 0 && tail.length > 0;

/** Copies the `history.json` of another program. Returns the path of the copy. Throws the file system's error. */
export function keepImported(folder: string, now: number): string {
  const path = join(folder, "history.json");
  const kept = `${path}.imported-${timeName(now)}`;
  copyFileSync(path, kept);
  return kept;
}

/** Whether the folder has no other files: otherwise the journal was lost. */
const isOfOthers = (name: string): boolean => name === "lock" || /^history\.json(\.imported-.*)?$/.test(name);

function messagesIn(path: string, redactor: Redactor): readonly Message[] {
  const entries = jsonValue(readPrivateFile(path, (descriptor) => readFileSync(descriptor, "utf8")));
  if (!Array.isArray(entries)) throw new JournalError(`${path} is not a list of messages; ${ADVICE}`);
  return entries.flatMap((entry: unknown, index) => {
    const message = messageOf(entry, redactor);
    if (message !== undefined) return message;
    throw new JournalError(`message ${index + 1} of ${path} is not {role, content, timestamp}; ${ADVICE}`);
  });
}

const ADVICE = "correct it, or use another session (--session NAME)";

/** Messages that newer releases of the specification write beside the user's and the assistant's. */
const OTHER_ROLES: readonly unknown[] = ["toolResult", "tool", "system"];

/**
 * The texts of a message: a string, or blocks as newer releases of the specification write them. Tool calls and their results are left
 * out, since other tools gave them; a message without a text is none. Undefined for what is no message.
 */
function messageOf(entry: unknown, redactor: Redactor): readonly Message[] | undefined {
  if (!isRecord(entry)) return undefined;
  const text = textIn(entry["content"]);
  const timestamp = timeOf(entry["timestamp"] ?? 0);
  if (text === undefined || timestamp === undefined) return undefined;
  if (OTHER_ROLES.includes(entry["role"])) return [];
  if (entry["role"] !== "user" && entry["role"] !== "assistant") return undefined;
  if (text === "" && typeof entry["content"] !== "string") return [];
  const content = [{ type: "text", text: redactor.text(text) }] as const;
  if (entry["role"] === "user") return [{ role: "user", content, timestamp }];
  return [{ role: "assistant", content, timestamp, ...ANOTHER_PROGRAM }];
}

/** The text of a message's content; undefined if it is neither a string nor a list of blocks. */
function textIn(content: unknown): string | undefined {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  const blocks: readonly unknown[] = content;
  const texts = blocks.map((block) => {
    if (typeof block === "string") return block;
    return isRecord(block) && block["type"] === "text" && typeof block["text"] === "string" ? block["text"] : "";
  });
  return texts.filter((text) => text !== "").join("\n\n");
}

const ANOTHER_PROGRAM = {
  provider: "imported",
  model: "history.json",
  usage: noCost.usage,
  stopReason: "stop",
} as const;

/** Milliseconds since 1970, from a number or ISO 8601; undefined if invalid. */
function timeOf(value: unknown): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : value;
  return typeof time === "number" && Number.isFinite(new Date(time).getTime()) ? time : undefined;
}
