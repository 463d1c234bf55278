import { defined, isRecord } from "@mdx-ai/base";
import { checkedEntry, invalid } from "../embedded/checked.ts";
import type { MemoryEntry, NewEntry } from "../memory-store.ts";

/** An entry as a line of an export file. */
export interface EntryLine {
  readonly id: string;
  readonly text: string;
  /** Absent if the entry has no summary. */
  readonly summary?: string;
  readonly speaker?: string;
  /** ISO 8601. Midnight UTC is written as the day alone. */
  readonly date: string;
  readonly session?: string;
  /** Without `speaker` and `session`. Absent if there are no others. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** Converts an entry to a line; `readEntryLine` restores it. */
export function entryLine({ entryId, rawEntry, summary, createdAt, tags }: MemoryEntry): EntryLine {
  const { speaker, session, ...others } = tags;
  return {
    id: entryId,
    text: rawEntry,
    ...(summary === "" || summary === rawEntry ? {} : { summary }),
    ...defined({ speaker }),
    date: dateText(createdAt),
    ...defined({ session }),
    ...(Object.keys(others).length > 0 && { tags: others }),
  };
}

const dateText = (time: string): string => time.replace(/\.000Z$/, "Z").replace(/T00:00:00Z$/, "");

/** Parses a line as an entry to add. The id is absent if the line has none. Throws `MemoryStoreError` (invalid) with the problem. */
export function readEntryLine(line: string): NewEntry {
  const value = parsed(line);
  if (!isRecord(value)) throw invalid("it is not an object");
  const id = optional(value, "id");
  const date = optional(value, "date");
  const entry: NewEntry = {
    rawEntry: required(value),
    summary: optional(value, "summary") ?? "",
    ...defined({ entryId: id }),
    ...(date !== undefined && { createdAt: timeOf(date) }),
    tags: tagsOf(value),
  };
  checkedEntry(entry, { redact: (text) => text, now: () => 0 });
  return entry;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw invalid(`it is not JSON (${cause instanceof Error ? cause.message : String(cause)})`);
  }
}

type Fields = Readonly<Record<string, unknown>>;

function required(fields: Fields): string {
  const { text } = fields;
  if (typeof text === "string" && text.trim() !== "") return text;
  throw invalid('it has no "text"');
}

/** Accepts numbers as text, since other programs number their sessions. */
function optional(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  throw invalid(`"${name}" is not a text`);
}

function tagsOf(fields: Fields): Readonly<Record<string, string>> {
  const { tags = {} } = fields;
  if (tags !== null && !isRecord(tags)) throw invalid('"tags" is not an object of texts');
  const speaker = optional(fields, "speaker");
  const session = optional(fields, "session");
  return {
    ...Object.fromEntries(Object.entries(tags ?? {}).flatMap(([name, value]) => tagOf(name, value))),
    ...defined({ speaker, session }),
  };
}

function tagOf(name: string, value: unknown): readonly (readonly [string, string])[] {
  if (value === null) return [];
  if (typeof value === "string") return [[name, value]];
  if (typeof value === "number" || typeof value === "boolean") return [[name, String(value)]];
  throw invalid(`the tag "${name}" is not a string`);
}

/** Such as "1:56 pm on 8 May, 2023", the format of the LoCoMo data set. */
const SPOKEN = /^(\d{1,2}):(\d\d) (am|pm) on (\d{1,2} \p{L}+,? \d{4})$/iu;

/** Converts the `date` of a line to ISO 8601: it is ISO or an English date. Throws `MemoryStoreError` (invalid). */
export function timeOf(text: string): string {
  const time = spokenTime(text.trim()) ?? Date.parse(text);
  if (!Number.isNaN(time)) return new Date(time).toISOString();
  throw invalid(
    `"date" is not a time: ${JSON.stringify(text.slice(0, 60))}; write it as 2026-05-08 or 2026-05-08T13:56:00Z`,
  );
}

function spokenTime(text: string): number | undefined {
  const [, hour, minute, half, day = ""] = SPOKEN.exec(text) ?? [];
  if (hour === undefined) return undefined;
  const hours = (Number(hour) % 12) + (half?.toLowerCase() === "pm" ? 12 : 0);
  return Date.parse(`${day.replace(",", "")} UTC`) + (hours * 60 + Number(minute)) * 60_000;
}
