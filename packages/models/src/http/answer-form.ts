import type { ByteReader } from "./answer-reader.ts";

/** The form of an answer's body; "other" is nothing that a model sends, such as a page. */
export type AnswerForm = "events" | "document" | "other";

/** How a field of a stream of events begins; a comment begins with the colon. */
const FIELD = /^(?:data|event|id|retry)?[ \t]*:/;
const FIELDS: readonly string[] = ["data:", "event:", "id:", "retry:"];

/**
 * Finds out what a body is by how it begins: servers and gateways stream JSON documents as text, and events as JSON or
 * without any type. Reads no further than needed, and leaves the body as it is. `type` is the content type.
 */
export async function answerForm(bytes: ByteReader, type: string): Promise<AnswerForm> {
  const decoder = new TextDecoder();
  const kept: Uint8Array[] = [];
  let text = "";
  for (;;) {
    const next = await bytes.next();
    // Blanks before an answer keep its connection alive; they mean nothing in either form.
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

/** Undefined as long as too little is known. */
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
