import { isRecord } from "../record.ts";

/** What programs go by, or what is no text of people: a secret that happens to read so must not break a journal. */
const KEPT: ReadonlySet<string> = new Set(
  "type role id toolCallId toolName name provider model stopReason mimeType data redacted outcome step state verdict event actor level session_id tool_name".split(
    " ",
  ),
);

/** What a tool takes and gives: whatever stands in it, under whatever name, is text. */
const FOREIGN: ReadonlySet<string> = new Set(["arguments", "args", "details", "input"]);

/** A value with `redact` applied to its texts; pure. */
export function redactValue(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((element: unknown) => redactValue(element, redact));
  return isRecord(value) ? redactRecord(value, redact) : value;
}

function redactRecord(record: Readonly<Record<string, unknown>>, redact: (text: string) => string): unknown {
  const entries = Object.entries(record).map(([name, value]): [string, unknown] => {
    if (FOREIGN.has(name)) return [name, redactForeign(value, redact)];
    return [name, KEPT.has(name) && typeof value === "string" ? value : redactValue(value, redact)];
  });
  const { signature } = record;
  if (typeof signature !== "string" || isSame(record, entries)) return Object.fromEntries(entries);
  // A provider that finds another text under its signature refuses the whole conversation.
  return Object.fromEntries(entries.filter(([name]) => name !== "signature"));
}

const isSame = (record: Readonly<Record<string, unknown>>, entries: readonly [string, unknown][]): boolean =>
  JSON.stringify(record) === JSON.stringify(Object.fromEntries(entries));

function redactForeign(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((element: unknown) => redactForeign(element, redact));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [redact(name), redactForeign(inner, redact)]));
}
