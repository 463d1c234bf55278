import {
  type GuardedKeys,
  isRecord,
  oneLine,
  parseJsonObject,
  recordOf,
  redactKeys,
  textOf,
  type UnknownRecord,
} from "@mdx-ai/base";
import { MissingKeyError, ModelError, type ModelErrorDetails, unfinished } from "../errors.ts";
import { connectionFailure, showable, statedFailure, streamFailure } from "../http/failures.ts";
import { saysFailedCall } from "../http/judgement.ts";
import { type StatedProblem, statedProblem, wordsOf } from "../http/stated-problem.ts";

/** The provider of a failure. */
export interface FailureOrigin extends GuardedKeys {
  /** For messages. */
  readonly provider: string;
}

/** AI SDK errors for an unreadable answer. */
const unreadable: readonly unknown[] = [
  "AI_JSONParseError",
  "AI_TypeValidationError",
  "AI_InvalidResponseDataError",
  "AI_EmptyResponseBodyError",
  "AI_NoContentGeneratedError",
];

/** Names and codes of network failures in operating systems, Bun and Node. */
const network = /^(?:E[A-Z]+|UND_ERR_\w+|Connection\w+|FailedToOpenSocket|AbortError|TimeoutError)$/;

/** Levels of causes that are checked. */
const mostCauses = 8;

/**
 * Converts an error that an AI SDK provider threw or streamed. SDK errors contain whole requests, headers and answers, so only known fields
 * are used, with keys redacted.
 */
export function aiSdkFailure(thrown: unknown, origin: FailureOrigin): ModelError {
  const { message, failure, words } = thrown instanceof ModelError ? thrown : readable(thrown, origin);
  const shown = showable(new ModelError(oneLine(redactKeys(message, origin)), failure), "");
  return new ModelError(shown.message, { ...shown.failure, ...(words && { words }) });
}

/** Guards against errors whose properties throw. */
function readable(thrown: unknown, origin: FailureOrigin): ModelError {
  try {
    return read(thrown, origin);
  } catch {
    return new ModelError(`${origin.provider} failed with an error that cannot be read`);
  }
}

function read(thrown: unknown, origin: FailureOrigin): ModelError {
  const error = recordOf(thrown);
  const { name, statusCode, isRetryable } = error;
  const { provider } = origin;
  if (name === "AI_LoadAPIKeyError") return missingKey(error);
  if (typeof statusCode === "number" && statusCode >= 400) return refused(error, statusCode, origin);
  const cause = networkCause(thrown);
  if (cause !== undefined) return connectionFailure(cause, provider);
  if (isRetryable === true && !(thrown instanceof Error)) return streamed(error, origin);
  if (isRetryable === true)
    return new ModelError(`could not reach ${provider}`, { kind: "connection", isTransient: true });
  if (unreadable.includes(name) || typeof statusCode === "number") return unfinished(provider);
  if (thrown instanceof Error) return new ModelError(`${provider} failed: ${redactKeys(thrown.message, origin)}`);
  return streamed(isRecord(thrown) ? thrown : { message: String(thrown) }, origin);
}

/** Only the provider's text names the missing variable. */
function missingKey({ message }: UnknownRecord): ModelError {
  const variable = missingVariable(message);
  const text = variable === undefined ? "the model's key is missing" : new MissingKeyError(variable).message;
  return new ModelError(text, { kind: "missing_key", isTransient: false });
}

/** The environment variable in the AI SDK's message about a missing key. */
export function missingVariable(text: unknown): string | undefined {
  return /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/.exec(String(text))?.[0];
}

/** A server's refusal. If it rejected the key, its text is dropped, since it may quote the key. */
function refused(error: UnknownRecord, status: number, origin: FailureOrigin): ModelError {
  const { type, code } = kindsOf(error, origin);
  const isKeyRefused = status === 401 || status === 403;
  const stated = isKeyRefused ? undefined : statedIn(error);
  const { param, failed_generation: generation, body } = stated ?? {};
  const failure = statedFailure(
    {
      status,
      headers: headersOf(error["responseHeaders"]),
      type,
      code,
      message: isKeyRefused ? "the key was rejected" : redactKeys(saidIn(error, stated), origin),
      param,
      ...(typeof generation === "string" && { failed_generation: redactKeys(generation, origin) }),
      body,
    },
    {
      ...{ vendor: origin.provider, host: origin.provider, key: "", keyName: "the key", urlName: "the address" },
      ...(typeof error["url"] === "string" && { url: error["url"] }),
    },
  );
  return mayPass(failure, error) ? failure : final(failure);
}

/** AI SDK providers decide by status alone, whatever the model wrote. */
const mayPass = ({ words }: ModelError, { isRetryable }: UnknownRecord): boolean =>
  isRetryable !== false || saysFailedCall(words?.said ?? "");

/** The server's text. A provider that cannot parse the server's error reports the status name instead. */
function saidIn(error: UnknownRecord, stated: StatedProblem | undefined): string {
  const own = textOf(error["message"]);
  return error["data"] === undefined && stated !== undefined ? wordsOf(stated) || own : own;
}

/** The problem in the body of a response, if it is JSON. */
function statedIn({ responseBody }: UnknownRecord): StatedProblem | undefined {
  const stated = typeof responseBody === "string" ? statedProblem(responseBody) : undefined;
  return stated?.body === undefined ? undefined : stated;
}

const bodyOf = ({ responseBody }: UnknownRecord): UnknownRecord | undefined =>
  typeof responseBody === "string" ? parseJsonObject(responseBody) : undefined;

/** An error in mid-stream. */
function streamed(error: UnknownRecord, origin: FailureOrigin): ModelError {
  const message = redactKeys(String(error["message"] ?? "no message"), origin);
  const failure = streamFailure({ message, ...kindsOf(error, origin) }, origin.provider);
  return mayPass(failure, error) ? failure : final(failure);
}

const final = ({ message, failure, words }: ModelError): ModelError =>
  new ModelError(message, { ...failure, isTransient: false, ...(words && { words }) } satisfies ModelErrorDetails);

/** The server's names for the failure, wherever the provider keeps them. */
function kindsOf(error: UnknownRecord, origin: FailureOrigin): { readonly type?: string; readonly code?: string } {
  const body = bodyOf(error);
  const holders = [error, error["data"], recordOf(error["data"])["error"], body, body?.["error"]].map(recordOf);
  const word = (field: string): string | undefined =>
    holders.map((holder) => holder[field]).findLast((value): value is string => isWord(value, origin));
  const type = word("type");
  const code = word("code");
  return { ...(type !== undefined && { type }), ...(code !== undefined && { code }) };
}

function isWord(value: unknown, origin: FailureOrigin): boolean {
  return typeof value === "string" && /^[\w.:-]{1,64}$/.test(value) && redactKeys(value, origin) === value;
}

function headersOf(value: unknown): Headers {
  const headers = new Headers();
  for (const [name, text] of Object.entries(recordOf(value))) {
    if (typeof text === "string" && /^retry-after(?:-ms)?$|^x-should-retry$|rate-?limit/i.test(name))
      headers.set(name, text);
  }
  return headers;
}

/** The network failure in an error or its causes. */
function networkCause(thrown: unknown): unknown {
  let cause = thrown;
  for (let level = 0; level < mostCauses && cause !== undefined; level++) {
    const { code, name } = recordOf(cause);
    const word = [code, name].find((text) => typeof text === "string" && network.test(text));
    if (word !== undefined) return { code: word };
    cause = recordOf(cause)["cause"];
  }
  return undefined;
}
