import { isRecord } from "../record.ts";
import type { ScriptCall, ScriptError, ScriptReply } from "./script-reply.ts";
import { listShape, recordShape, type ShapeCheck, shape } from "./shape-check.ts";

type Fields<Type> = Readonly<Record<keyof Type, ShapeCheck>>;

const stopReasons: readonly unknown[] = ["stop", "toolUse", "length", "pause", "refusal", "contextExceeded"];
const contentFields = ["thinking", "text", "deltas", "calls", "error"];

const text = shape("a string", (value) => typeof value === "string");
const name = shape("a string that is not empty", (value) => typeof value === "string" && value !== "");
const count = shape("a whole number from 0", (value) => Number.isSafeInteger(value) && Number(value) >= 0);
const wait = shape("milliseconds, at most a day", (value) => Number.isSafeInteger(value) && inDay(Number(value)));

const callFields: Fields<ScriptCall> = {
  id: name,
  name,
  arguments: shape("an object, or a string", (value) => isRecord(value) || typeof value === "string"),
};

const usageFields: Fields<NonNullable<ScriptReply["usage"]>> = {
  estimated: shape("true", (value) => value === true),
  input: count,
  output: count,
  cacheRead: count,
  cacheWrite: count,
  thinking: count,
};

const errorFields: Fields<ScriptError> = {
  message: name,
  status: shape("a status from 400 to 599", (value) => /^[45]\d\d$/.test(String(value))),
  kind: name,
  isTransient: shape("true or false", (value) => typeof value === "boolean"),
  retryAfter: wait,
  after: count,
};

const replyFields: Fields<ScriptReply> = {
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
  const problem = replyShape(value, "");
  if (problem !== undefined || !isRecord(value)) return problem;
  if ("text" in value && "deltas" in value) return 'unexpected field "deltas", expected either "text" or "deltas"';
  if (contentFields.some((field) => field in value)) return undefined;
  return `unexpected reply without content, expected one of ${contentFields.join(", ")}`;
}

/** Whether a value is a reply of a model script. */
export function isScriptReply(value: unknown): value is ScriptReply {
  return replyProblem(value) === undefined;
}

function inDay(milliseconds: number): boolean {
  return milliseconds >= 0 && milliseconds <= 86_400_000;
}
