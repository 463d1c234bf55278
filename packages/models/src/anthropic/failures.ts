import { ModelError } from "../errors/model-error.ts";
import { recordOf } from "../record.ts";
import type { AnthropicSettings } from "./settings.ts";

const longestText = 500;
const longestMessage = 1000;
const shortestKey = 8;

const advice: ReadonlyMap<number, string> = new Map([
  [401, ". Is ANTHROPIC_API_KEY right?"],
  [404, ". Is the name of the model right?"],
  [429, ". Try again later."],
  [529, ". Try again later."],
]);

/** Why no answer came: an error of the SDK, which has a status where the server did answer. */
export function requestFailure(thrown: unknown, { host, key }: AnthropicSettings): ModelError {
  const { status, type, apiMessage, message, cause } = recordOf(thrown);
  if (typeof status !== "number") return new ModelError(`could not reach ${host}: ${reasonOf(cause ?? thrown)}`);
  const kind = typeof type === "string" ? type : undefined;
  const name = kind === undefined ? `${status}` : `${status} ${kind}`;
  const said = blotOut(oneLine(String(apiMessage ?? message).replace(`${status} `, "")), key);
  const text = cut(said, longestText).replace(/\.$/, "");
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

/**
 * The same failure as it may be shown: in a short line, with a key blotted out that a server may have quoted. That comes
 * before the cut, which would leave a half of the key.
 */
export function showable(error: ModelError, key: string): ModelError {
  const { status, kind } = error;
  return new ModelError(cut(blotOut(error.message, key), longestMessage), {
    ...(status === undefined ? {} : { status }),
    ...(kind === undefined ? {} : { kind: cut(blotOut(kind, key), longestText) }),
  });
}

/** A word too short to be a key is let stand. */
function blotOut(text: string, key: string): string {
  return key.length < shortestKey ? text : text.replaceAll(key, "[key]");
}

/** The code of a system's failure, such as ECONNREFUSED, else its text. */
function reasonOf(thrown: unknown): string {
  const { code, message } = recordOf(thrown);
  return typeof code === "string" && code !== "" ? code : oneLine(String(message ?? thrown));
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
