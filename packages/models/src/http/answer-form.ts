import type { ByteReader } from "./answer-reader.ts";

/** The format of an answer's body; "other" does not come from a model, for example an HTML page. */
export type AnswerForm = "events" | "document" | "other";

/** The start of a field in an event stream; a comment starts with the colon. */
const FIELD = /^(?:data|event|id|retry)?[ \t]*:/;
const FIELDS: readonly string[] = ["data:", "event:", "id:", "retry:"];

/**
 * Detects the format of a body from its start: servers and gateways send JSON with a text type, and events as JSON or without a type. Reads
 * no more than needed and leaves the body complete. `type` is the content type.
 */
export async function answerForm(bytes: ByteReader, type: string): Promise<AnswerForm> {
  const decoder = new TextDecoder();
  const kept: Uint8Array[] = [];
  let text = "";
  for (;;) {
    const next = await bytes.next();
    // Leading blanks keep the connection alive; they mean nothing in either format.
    if (next !== undefined && kept.length === 0 && next.every((byte) => BLANKS.includes(byte))) continue;
    if (next !== undefined) kept.push(next);
    text = (text + decoder.decode(next, { stream: next !== undefined })).trimStart();
    const form = formOf(text, type) ?? (next === undefined ? formOfType(type) : undefined);
    if (form === undefined) continue;
    if (kept.length > 0) bytes.giveBack(Buffer.concat(kept));
    return form;
  }
}

/** Tab, line feed, carriage return and space. */
const BLANKS: readonly number[] = [9, 10, 13, 32];

/** Undefined while more is needed. */
function formOf(text: string, type: string): AnswerForm | undefined {
  if (text === "") return undefined;
  if (/^[{[]/.test(text)) return "document";
  if (type.startsWith("text/event-stream") || FIELD.test(text)) return "events";
  if (text.startsWith("<")) return "other";
  return FIELDS.some((field) => field.startsWith(text)) ? undefined : formOfType(type);
}

function formOfType(type: string): AnswerForm {
  if (type.startsWith("text/event-stream")) return "events";
  return type.startsWith("application/json") ? "document" : "other";
}
