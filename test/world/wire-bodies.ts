import { answerEvents } from "../support/anthropic-replies.ts";
import { answerChunks } from "../support/openai-replies.ts";
import { responseEvents } from "../support/responses-replies.ts";
import type { Wire } from "../support/wire-server.ts";
import type { PlayedReply } from "./played-server.ts";

/** A value as JSON; empty for what is not there. */
export const jsonOf = (value: unknown): string => JSON.stringify(value) ?? "";

/** An event of a stream: an object, or a text that stands there as it is. */
export type Sent = object | string;

/** How events are framed. */
export interface Framing {
  /** Default "\n". */
  readonly lineEnd?: string;
  /** What stands before the data; default "data: ". */
  readonly field?: string;
  /** Lines before each event. */
  readonly before?: (event: Sent, index: number) => string;
}

/** The body of a stream. */
export function stream(events: readonly Sent[], { lineEnd = "\n", field = "data: ", before }: Framing = {}): string {
  const text = (event: Sent): string => (typeof event === "string" ? event : JSON.stringify(event));
  const one = (event: Sent, index: number): string => `${before?.(event, index) ?? ""}${field}${text(event)}\n\n`;
  return events.map(one).join("").replaceAll("\n", lineEnd);
}

/** A chunk of a chat completion with these fields of its choice. */
export const chunk = (choice: object, rest: object = {}): object => ({
  ...{ id: "chatcmpl-w", object: "chat.completion.chunk", created: 1, model: "m" },
  choices: [{ index: 0, ...choice }],
  ...rest,
});

/** A chunk with one delta. */
export const delta = (fields: object, rest: object = {}): object =>
  chunk({ delta: fields, finish_reason: null, ...rest });

/** A chunk with a piece of a call. */
export const call = (index: number | undefined, fields: object, rest: object = {}): object =>
  delta({ tool_calls: [{ ...(index !== undefined && { index }), ...fields }] }, rest);

/** The first piece of a call. */
export const named = (id: string, name: string, json: unknown = ""): object => ({
  ...{ id, type: "function" },
  function: { name, arguments: json },
});

/** A further piece of a call. */
export const piece = (json: unknown): object => ({ function: { arguments: json } });

/** The last chunk of an answer. */
export const finish = (finish_reason: unknown, rest: object = {}): object => chunk({ delta: {}, finish_reason }, rest);

/** A whole answer of a chat completion, in chunks that end as they should. */
export const chat = (...events: readonly Sent[]): string => stream([...events, "[DONE]"]);

/** An event that names itself. */
export interface NamedEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The events of a stream of the Messages or the responses interface, each with its name. */
export const namedStream = (...events: readonly NamedEvent[]): string =>
  stream(events, {
    before: (event) => `event: ${namedOf(event)}
`,
  });

const namedOf = (event: Sent): string =>
  typeof event === "object" && "type" in event ? String(event.type) : "message";

/** A document in place of a stream. */
export const document = (body: unknown, rest: Partial<PlayedReply> = {}): PlayedReply => ({
  ...{ body: typeof body === "string" ? body : JSON.stringify(body), type: "application/json" },
  ...rest,
});

/** A refusal. */
export const refusal = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): PlayedReply =>
  document(body, { status, headers });

const DONE = "Done.";

/** An answer that nothing is odd about. */
export function plainAnswer(wire: Wire, isStream = true): PlayedReply {
  if (!isStream) return document(plainDocument(wire));
  switch (wire) {
    case "openai":
      return { body: chat(...answerChunks([{ text: [DONE] }])) };
    case "anthropic":
      return { body: namedStream(...answerEvents([{ text: [DONE] }])) };
    case "responses":
      return { body: namedStream(...responseEvents([{ text: [DONE] }])) };
  }
}

function plainDocument(wire: Wire): object {
  switch (wire) {
    case "openai":
      return { choices: [{ index: 0, message: { role: "assistant", content: DONE }, finish_reason: "stop" }] };
    case "anthropic":
      return { type: "message", role: "assistant", content: [{ type: "text", text: DONE }], stop_reason: "end_turn" };
    case "responses": {
      const content = [{ type: "output_text", text: DONE }];
      return { status: "completed", output: [{ id: "msg_0", type: "message", role: "assistant", content }] };
    }
  }
}
