import { type JsonObject, noRedactor, type Redactor, unicodeEscape } from "@mdx-ai/base";

type SessionEventName =
  | "session_start"
  | "user_message"
  | "assistant_message"
  | "tool_call"
  | "tool_result"
  | "mcp_call"
  | "mcp_result"
  | "session_clear"
  | "error";

/**
 * One line of `logs/<session>.jsonl`: always these 15 keys, in this order; null if a key does not apply.
 * Programs read the lines, so keys are never renamed.
 */
export interface SessionRecord {
  /** ISO 8601 in UTC, to the millisecond. */
  readonly ts: string;
  readonly level: "INFO" | "WARNING" | "ERROR";
  readonly event: SessionEventName;
  readonly session_id: string;
  /** The number of the user's input within the session, from 1; 0 at the start of a session. */
  readonly turn: number;
  /** Who acted: the assistant for calls, the tool for results. */
  readonly actor: "system" | "user" | "assistant" | "tool";
  /** The model's name, for a start, an answer and a failed answer. */
  readonly model: string | null;
  /** The text of a user message, the arguments of a call, or a user command that no model received. */
  readonly input: string | JsonObject | null;
  /** The text of an answer or of a tool's result. */
  readonly output: string | null;
  /** As the agent names it. */
  readonly tool_name: string | null;
  /** All input tokens, cached ones included. */
  readonly prompt_tokens: number | null;
  /** All output tokens, thinking included. */
  readonly completion_tokens: number | null;
  readonly thinking_tokens: number | null;
  /** Milliseconds of an answer or of a tool. */
  readonly latency_ms: number | null;
  readonly error: string | null;
}

type RecordHead = Pick<SessionRecord, "level" | "event" | "session_id" | "turn" | "actor">;

/** Completes a record for this time (milliseconds since 1970), with its keys in order. */
export const sessionRecord = (time: number, fields: RecordHead & Partial<SessionRecord>): SessionRecord => ({
  ts: new Date(time).toISOString(),
  level: fields.level,
  event: fields.event,
  session_id: fields.session_id,
  turn: fields.turn,
  actor: fields.actor,
  model: fields.model ?? null,
  input: fields.input ?? null,
  output: fields.output ?? null,
  tool_name: fields.tool_name ?? null,
  prompt_tokens: fields.prompt_tokens ?? null,
  completion_tokens: fields.completion_tokens ?? null,
  thinking_tokens: fields.thinking_tokens ?? null,
  latency_ms: fields.latency_ms ?? null,
  error: fields.error ?? null,
});

/** Line breaks and control characters that JSON does not escape: a record must be one line for every reader. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029]/g;

/** A record as one line of printable text, redacted. */
export const recordLine = (record: SessionRecord, redactor: Redactor = noRedactor): string =>
  redactor.json(record).replace(UNSAFE, unicodeEscape);

/** Whether a text begins as a line of a session's log does. */
export const isRecordLine = (text: string): boolean =>
  /^\{"ts":"\d{4}-[\dT:.-]+Z","level":"[A-Z]+","event":"[a-z_]+","session_id":"/.test(text);
