import { plainLine, plainText, withNewline } from "@mdx-ai/directory/text";
import { entryLine, type MemoryEntry } from "@mdx-ai/memory";
import type { JsonObject } from "@mdx-ai/models";

/** An entry for programs: what a line of an export holds, with null for what is absent. */
export function entryReport(entry: MemoryEntry): JsonObject {
  const { id, text, speaker = null, date, session = null, summary = null, tags = {} } = entryLine(entry);
  return { id, text, speaker, date, session, summary, tags: { ...tags } };
}

/** An entry on one line, cut to the columns if they are known. */
export function entryRow(entry: MemoryEntry, columns: number | undefined): string {
  const { id, date, speaker, text } = entryLine(entry);
  const said = plainLine(`${speaker === undefined ? "" : `${speaker}: `}${text}`);
  const line = `${plainLine(id)}  ${date.slice(0, 10)}  ${said}`;
  const room = columns ?? WIDEST;
  return `${line.length > room ? `${line.slice(0, room - 1)}…` : line}\n`;
}

/** Characters of a line if it goes to a file or a program. */
const WIDEST = 500;

/** An entry in full: what is known about it, and its text. */
export function entryText(entry: MemoryEntry): string {
  const { id, date, speaker, session, summary, tags = {}, text } = entryLine(entry);
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["id", id],
    ["date", date],
    ["speaker", speaker],
    ["session", session],
    ...Object.entries(tags),
    ["summary", summary],
  ];
  const lines = facts.flatMap(([name, value]) => (value === undefined ? [] : [plainLine(`${name}: ${value}`)]));
  return `${lines.join("\n")}\n\n${withNewline(plainText(text))}`;
}
