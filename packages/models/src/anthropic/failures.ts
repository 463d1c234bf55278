import { ModelError } from "../errors/model-error.ts";
import { recordOf } from "../record.ts";

const longestText = 500;
const shortestKey = 8;

const advice: ReadonlyMap<number, string> = new Map([
  [401, ". Is ANTHROPIC_API_KEY right?"],
  [404, ". Is the name of the model right?"],
  [429, ". Try again later."],
  [529, ". Try again later."],
]);

/** Why no answer came: an error of the SDK, which has a status where the server did answer. */
export function requestFailure(thrown: unknown, host: string): ModelError {
  const { status, type, apiMessage, message, cause } = recordOf(thrown);
  if (typeof status !== "number") return new ModelError(`could not reach ${host}: ${reasonOf(cause ?? thrown)}`);
  const kind = typeof type === "string" ? type : undefined;
  const name = kind === undefined ? `${status}` : `${status} ${kind}`;
  const text = oneLine(String(apiMessage ?? message).replace(`${status} `, "")).replace(/\.$/, "");
  const details = kind === undefined ? { status } : { status, kind };
  return new ModelError(`anthropic answered ${name}: ${text}${advice.get(status) ?? ""}`, details);
}

/** Why a stream broke off without the server saying so. */
export function connectionFailure(thrown: unknown, host: string): ModelError {
  return new ModelError(`the connection to ${host} broke off: ${reasonOf(thrown)}`);
}

/** What an `error` event in mid-stream tells; it has no status. */
export function streamFailure(error: unknown): ModelError {
  const { type, message } = recordOf(error);
  const kind = typeof type === "string" ? type : "error";
  return new ModelError(`anthropic broke off with ${kind}: ${oneLine(String(message ?? "no message"))}`, { kind });
}

/** The same failure with a key blotted out, which a server may have quoted. A word too short to be one is let stand. */
export function withoutKey(error: ModelError, key: string): ModelError {
  if (key.length < shortestKey || !error.message.includes(key)) return error;
  const { status, kind } = error;
  return new ModelError(error.message.replaceAll(key, "[key]"), {
    ...(status === undefined ? {} : { status }),
    ...(kind === undefined ? {} : { kind }),
  });
}

/** The code of a system's failure, such as ECONNREFUSED, else its text. */
function reasonOf(thrown: unknown): string {
  const { code, message } = recordOf(thrown);
  return typeof code === "string" && code !== "" ? code : oneLine(String(message ?? thrown));
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > longestText ? `${line.slice(0, longestText)}…` : line;
}
