import { isRecord } from "../record.ts";

/** What programs go by, or what is no text of people: a secret that happens to read so must not break a journal. */
const KEPT: ReadonlySet<string> = new Set(
  "type role id toolCallId toolName name provider model stopReason mimeType data redacted outcome step state verdict event actor level session_id tool_name".split(
    " ",
  ),
);

/** What a tool takes and gives: whatever stands in it, under whatever name, is text. */
const FOREIGN: ReadonlySet<string> = new Set(["arguments", "args", "details", "input"]);

/** Levels of a value that are looked through; what lies deeper is no data that anybody meant. */
const DEEPEST = 1000;
const TOO_DEEP = "[redacted as it is nested too deeply]";

type Redact = (text: string) => string;

/** A value with `redact` applied to its texts; pure. */
export function redactValue(value: unknown, redact: Redact, depth = 0): unknown {
  if (typeof value === "string") return redact(value);
  if (typeof value === "object" && depth > DEEPEST) return TOO_DEEP;
  if (Array.isArray(value)) return value.map((element: unknown) => redactValue(element, redact, depth + 1));
  return isRecord(value) ? redactRecord(value, redact, depth + 1) : value;
}

function redactRecord(record: Readonly<Record<string, unknown>>, redact: Redact, depth: number): unknown {
  const entries = Object.entries(record).map(([name, value]): [string, unknown] => {
    if (FOREIGN.has(name)) return [name, redactForeign(value, redact, depth)];
    return [name, KEPT.has(name) && typeof value === "string" ? value : redactValue(value, redact, depth)];
  });
  const { signature } = record;
  if (typeof signature !== "string" || isSame(record, entries)) return Object.fromEntries(entries);
  // A provider that finds another text under its signature refuses the whole conversation.
  return Object.fromEntries(entries.filter(([name]) => name !== "signature"));
}

const isSame = (record: Readonly<Record<string, unknown>>, entries: readonly [string, unknown][]): boolean =>
  JSON.stringify(record) === JSON.stringify(Object.fromEntries(entries));

function redactForeign(value: unknown, redact: Redact, depth: number): unknown {
  if (typeof value === "string") return redact(value);
  if (typeof value === "object" && depth > DEEPEST) return TOO_DEEP;
  if (Array.isArray(value)) return value.map((element: unknown) => redactForeign(element, redact, depth + 1));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [redact(name), redactForeign(inner, redact, depth + 1)]),
  );
}
