import { type JsonObject, recordOf, type UnknownRecord } from "@mdx-ai/base";
import { type Finding, problemText, type Schema, unlocated, validate } from "@mdx-ai/base/schema";
import type { FinishReason } from "../message-builder.ts";
import type { Usage } from "../types/message.ts";

/** A tool call of a scripted reply. */
export interface ScriptCall {
  /** Default: an id that is unique in the script. */
  readonly id?: string;
  readonly name: string;
  /** A string is the exact text of the arguments, to simulate invalid JSON. Default: `{}`. */
  readonly arguments?: JsonObject | string;
}

/** A failure of a scripted reply. */
export interface ScriptError {
  readonly message: string;
  /** HTTP status, such as 529. */
  readonly status?: number;
  /** The kind of failure, such as "overloaded_error". */
  readonly kind?: string;
  /** Whether a retry may succeed. Default: by the status; false without one. */
  readonly isTransient?: boolean;
  /** Milliseconds that the server asks to wait. */
  readonly retryAfter?: number;
  /** What the model learned from the refusal, so that the request is sent again at once. */
  readonly adapted?: string;
  /** The number of deltas before it; without it, the answer does not start. A call and a thought count as one delta each. */
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
  /** Milliseconds before the answer starts. */
  readonly delay?: number;
  /** Milliseconds before each delta except the first. */
  readonly deltaDelay?: number;
  /** Default: "toolUse" with calls, else "stop". */
  readonly stopReason?: FinishReason;
  readonly error?: ScriptError;
}

const stopReasons = ["stop", "toolUse", "length", "pause", "refusal", "contextExceeded"];
const contentFields = ["thinking", "text", "deltas", "calls", "error"];

const text: Schema = { title: "a string", type: "string" };
const name: Schema = { title: "a string that is not empty", type: "string", minLength: 1 };
const truth: Schema = { title: "true or false", type: "boolean" };
const count: Schema = { title: "a whole number from 0", type: "integer", minimum: 0 };
const wait: Schema = { title: "milliseconds, at most a day", type: "integer", minimum: 0, maximum: 86_400_000 };

const objectOf = <T>(properties: NonNullable<Schema["properties"]>, required: readonly string[] = []): Schema<T> => ({
  title: "an object",
  type: "object",
  additionalProperties: false,
  properties,
  required,
});

const call = objectOf({ id: name, name, arguments: { title: "an object, or a string", type: ["object", "string"] } }, [
  "name",
]);

const usage = objectOf({
  estimated: { ...truth, title: "true", accepts: (value) => value === true },
  ...{ input: count, output: count, cacheRead: count, cacheWrite: count, thinking: count },
});

const error = objectOf(
  {
    ...{ message: name, kind: name, isTransient: truth, retryAfter: wait, adapted: name, after: count },
    status: { title: "a status from 400 to 599", type: "integer", minimum: 400, maximum: 599 },
  },
  ["message"],
);

const reply: Schema<ScriptReply> = {
  ...objectOf<ScriptReply>({
    ...{ thinking: text, text },
    deltas: { title: "a list", type: "array", items: text },
    calls: { title: "a list", type: "array", items: call },
    ...{ usage, delay: wait, deltaDelay: wait },
    stopReason: { title: `one of ${stopReasons.join(", ")}`, type: "string", enum: stopReasons },
    error,
  }),
  check: (value) => contentFindings(recordOf(value)),
};

function contentFindings(value: UnknownRecord): readonly Finding[] {
  if ("text" in value && "deltas" in value) {
    return [{ message: "unexpected field `deltas`, expected either `text` or `deltas`", hint: "remove one" }];
  }
  if (contentFields.some((field) => field in value)) return [];
  const message = `the reply has no content, expected one of ${contentFields.join(", ")}`;
  return [{ message, hint: "" }];
}

/** Why a value is not a valid reply of a model script. */
export function replyProblem(value: unknown): string | undefined {
  const [problem] = validate(reply, unlocated(value), { noun: "field", hasIndexes: true }).problems;
  return problem && problemText(problem);
}

/** Whether a value is a reply of a model script. */
export const isScriptReply = (value: unknown): value is ScriptReply => replyProblem(value) === undefined;
