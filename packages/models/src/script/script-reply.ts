import { isRecord, type JsonObject } from "@mdx-ai/base";
import type { FinishReason } from "../message-builder.ts";
import { type FieldShapes, listShape, recordShape, type ShapeProblem, shape } from "../shapes.ts";
import type { Usage } from "../types/message.ts";

/** A tool call of a scripted reply. */
export interface ScriptCall {
  /** Default: one that no other call of the script has. */
  readonly id?: string;
  readonly name: string;
  /** A string is the exact text of the arguments, to play a model that writes broken JSON. Default `{}`. */
  readonly arguments?: JsonObject | string;
}

/** A failure of a scripted reply. */
export interface ScriptError {
  readonly message: string;
  /** HTTP status, such as 529. */
  readonly status?: number;
  /** The kind of failure, such as "overloaded_error". */
  readonly kind?: string;
  /** Whether another attempt may succeed; default by the status, and false without one. */
  readonly isTransient?: boolean;
  /** Milliseconds that the server asks to wait. */
  readonly retryAfter?: number;
  /** What a model has learned from the refusal, so that it is asked again at once. */
  readonly adapted?: string;
  /** How many deltas arrive before it; without it, the answer does not even begin. A call and a thought are a delta each. */
  readonly after?: number;
}

/**
 * One line of a model script: what the model answers to one request. It is played in this order: `thinking`,
 * `text` or `deltas`, `calls`.
 *
 * @example
 * ```jsonl
 * {"calls": [{"name": "get_weather", "arguments": {"city": "Vienna"}}]}
 * {"deltas": ["It is ", "sunny."], "deltaDelay": 50, "usage": {"input": 120, "output": 8}}
 * {"error": {"message": "overloaded", "status": 529}}
 * ```
 */
export interface ScriptReply {
  readonly thinking?: string;
  /** Arrives as one delta. */
  readonly text?: string;
  /** The text in pieces, instead of `text`. */
  readonly deltas?: readonly string[];
  readonly calls?: readonly ScriptCall[];
  readonly usage?: Partial<Usage>;
  /** Milliseconds before the answer begins. */
  readonly delay?: number;
  /** Milliseconds before each delta but the first. */
  readonly deltaDelay?: number;
  /** Default "toolUse" with calls, else "stop". */
  readonly stopReason?: FinishReason;
  readonly error?: ScriptError;
}

const stopReasons: readonly unknown[] = ["stop", "toolUse", "length", "pause", "refusal", "contextExceeded"];
const contentFields = ["thinking", "text", "deltas", "calls", "error"];

const text = shape("a string", (value) => typeof value === "string");
const name = shape("a string that is not empty", (value) => typeof value === "string" && value !== "");
const count = shape("a whole number from 0", (value) => Number.isSafeInteger(value) && Number(value) >= 0);
const wait = shape("milliseconds, at most a day", (value) => Number.isSafeInteger(value) && inDay(Number(value)));

const callFields: FieldShapes<ScriptCall> = {
  id: name,
  name,
  arguments: shape("an object, or a string", (value) => isRecord(value) || typeof value === "string"),
};

const usageFields: FieldShapes<NonNullable<ScriptReply["usage"]>> = {
  estimated: shape("true", (value) => value === true),
  input: count,
  output: count,
  cacheRead: count,
  cacheWrite: count,
  thinking: count,
};

const errorFields: FieldShapes<ScriptError> = {
  message: name,
  status: shape("a status from 400 to 599", (value) => /^[45]\d\d$/.test(String(value))),
  kind: name,
  isTransient: shape("true or false", (value) => typeof value === "boolean"),
  retryAfter: wait,
  adapted: name,
  after: count,
};

const replyFields: FieldShapes<ScriptReply> = {
  thinking: text,
  text,
  deltas: listShape(text),
  calls: listShape(recordShape(callFields, ["name"])),
  usage: recordShape(usageFields),
  delay: wait,
  deltaDelay: wait,
  stopReason: shape(`one of ${stopReasons.join(", ")}`, (value) => stopReasons.includes(value)),
  error: recordShape(errorFields, ["message"]),
};

const replyShape = recordShape(replyFields);

/** What is wrong with a value as a reply of a model script. */
export function replyProblem(value: unknown): string | undefined {
  const problem = replyShape(value, []);
  if (problem !== undefined) return `unexpected ${problem.found}${within(problem.path)}, ${problem.hint}`;
  if (!isRecord(value)) return undefined;
  if ("text" in value && "deltas" in value) return 'unexpected field "deltas", expected either "text" or "deltas"';
  if (contentFields.some((field) => field in value)) return undefined;
  return `the reply has no content; expected one of ${contentFields.join(", ")}`;
}

const within = (path: ShapeProblem["path"]): string =>
  path.length === 0
    ? ""
    : ` in ${path
        .map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`))
        .join("")
        .slice(1)}`;

/** Whether a value is a reply of a model script. */
export function isScriptReply(value: unknown): value is ScriptReply {
  return replyProblem(value) === undefined;
}

function inDay(milliseconds: number): boolean {
  return milliseconds >= 0 && milliseconds <= 86_400_000;
}
