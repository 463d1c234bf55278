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
  let kept = new Uint8Array();
  let text = "";
  for (;;) {
    const next = await bytes.next();
    if (next !== undefined) kept = joined(kept, next);
    text = (text + decoder.decode(next, { stream: next !== undefined })).trimStart();
    // Blanks before an answer keep its connection alive; they mean nothing in either form.
    if (text === "") kept = new Uint8Array();
    const form = formOf(text, type) ?? (next === undefined ? formOfType(type) : undefined);
    if (form === undefined) continue;
    if (kept.length > 0) bytes.giveBack(kept);
    return form;
  }
}

const joined = (one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> => {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
};

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
