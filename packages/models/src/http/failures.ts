import { contextExceeded, ModelError, type ModelErrorDetails, type RefusalWords } from "../errors.ts";
import { jsonValue, recordOf } from "../json.ts";
import { secondsText } from "../seconds-text.ts";
import type { Connection } from "../vendors/connection.ts";
import { judge, longestWait, saidWait, saysFinal, saysOverflow } from "./judgement.ts";
import { cut, oneLine, pageWords, redactKey } from "./shown-text.ts";

const longestText = 500;

/** Who was asked, as far as a failure names it; the key is here to be redacted. */
type Asked = Pick<Connection, "vendor" | "host" | "key" | "keyName" | "urlName">;

/** A server's answer other than a success. */
interface Refusal {
  readonly status: number;
  readonly headers: Headers;
  /** Of the beginning of its body. */
  readonly text: string;
}

/** Why a server refused a request, in its own words if they can be read. */
export function refusalFailure({ status, headers, text }: Refusal, asked: Asked): ModelError {
  return statedFailure({ status, headers, ...statedProblem(text) }, asked);
}

/** A problem as a server stated it; the fields may be anything that JSON holds. */
interface StatedProblem {
  readonly message: unknown;
  readonly param?: unknown;
  readonly type?: unknown;
  readonly code?: unknown;
  readonly details?: unknown;
}

/** The object that servers put a problem in: as `error`, in a list (Gemini), or bare. Any other text is the message. */
function statedProblem(text: string): StatedProblem {
  const document = jsonValue(text);
  const body = recordOf(Array.isArray(document) ? document[0] : document);
  const { error } = body;
  if (typeof error === "string") return { ...body, message: body["message"] ?? error };
  const problem = error === undefined ? body : recordOf(error);
  const { message, type = problem["status"], code, details, param } = problem;
  const isSaid = typeof message === "string" ? message.trim() !== "" : message !== undefined && message !== null;
  return { message: isSaid ? message : text.trim() || "no reason given", type, code, details, param };
}

/** Why a request failed that a server answered with a status. */
export function statedFailure(
  problem: StatedProblem & { readonly status: number; readonly headers: Headers },
  asked: Asked,
): ModelError {
  const { status, headers } = problem;
  const said = oneLine(wordsOf(problem.message));
  const kind = kindOf(problem);
  const known = { status, ...(kind !== undefined && { kind }) };
  const details = judge(known, { said: `${namesOf(problem)} ${said}`, headers });
  const text = cut(pageWords(redacted(said, asked.key)), longestText).replace(/\.$/, "");
  const words = `${asked.vendor} answered ${status}${kind === undefined ? "" : ` ${kind}`}: ${text}`;
  return new ModelError(`${words}${adviceOf(details, asked)}`, { ...details, words: wordsOfRefusal(problem) });
}

/** All that a server said, for those who know what it means. */
const wordsOfRefusal = (problem: Partial<StatedProblem>): RefusalWords => ({
  said: `${namesOf(problem)} ${oneLine(wordsOf(problem.message).slice(0, longestRead))}`.trim(),
  field: typeof problem.param === "string" && problem.param !== "" ? problem.param : undefined,
});

/** Why a connection could not be made or broke off without the server saying so. */
export function connectionFailure(thrown: unknown, host: string): ModelError {
  if (thrown instanceof ModelError) return thrown;
  const reason = reasonOf(thrown);
  const isUnreachable = /refused|unable to connect|notfound|resolve|failedtoopen|cert|signature|tls/i.test(reason);
  const problem = isUnreachable ? `could not reach ${host}` : `lost the connection to ${host}`;
  const isTransient = !/cert|tls|signature/i.test(reason);
  const advice = connectionAdvice.find(([pattern]) => pattern.test(reason))?.[1] ?? "";
  return new ModelError(`${problem}: ${reason}${advice}`, { kind: "connection", isTransient });
}

/** What to look at first, by the system's word for what happened. */
const connectionAdvice: readonly (readonly [RegExp, string])[] = [
  [/refused/i, ". Is the server running, or a proxy in front of it?"],
  [/notfound|eai_again/i, ". Is the address right, and the network up?"],
  [/eproto|wrong_version/i, ". Does the server speak https?"],
  [/cert|leaf_signature/i, ". Name your own certificates in NODE_EXTRA_CA_CERTS."],
];

/** Why an answer broke off in mid-stream; mostly the error has no status. */
export function streamFailure(error: unknown, vendor: string): ModelError {
  const stated = typeof error === "string" ? { message: error } : recordOf(error);
  const kind = kindOf(stated) ?? "error";
  const text = oneLine(wordsOf(stated["message"] ?? "no message"));
  const problem = `${vendor} stopped with ${kind}: ${text}`;
  const words = wordsOfRefusal({ message: "no message", ...stated });
  if (saysOverflow(words.said)) return new ModelError(problem, { kind: contextExceeded, words });
  if (saysFinal(namesOf(stated))) return new ModelError(problem, { kind, words });
  const { code } = stated;
  const isStatus = typeof code === "number" && code >= 400 && code < 600;
  return new ModelError(problem, { kind, words, ...(isStatus ? { status: code } : transience(kind, text)) });
}

/** A limit on how fast one may ask says how long to wait; beyond what is worth it, the user decides. */
function transience(kind: string, text: string): ModelErrorDetails {
  const wait = /rate_limit/.test(kind) ? saidWait(text) : undefined;
  return wait === undefined ? { isTransient: true } : { isTransient: wait <= longestWait, retryAfter: wait };
}

const longestMessage = 1000;

/** Characters of a text that are looked through for the key. */
const longestRead = 100_000;

/** The same failure as it may be shown: in a short line, and without a key that a server may have quoted. */
export function showable(error: ModelError, key: string): ModelError {
  const { kind, adapted } = error.failure;
  return new ModelError(shownText(error.message, key, longestMessage), {
    ...error.failure,
    ...(kind === undefined ? {} : { kind: shownText(kind, key, longestText) }),
    ...(adapted === undefined ? {} : { adapted: shownText(adapted, key, longestText) }),
  });
}

/** Redacted before the cut, which would leave a half of the key. */
const shownText = (text: string, key: string, length: number): string => cut(redacted(text, key), length);

/** A text without the key; of megabytes the beginning. */
const redacted = (text: string, key: string): string => redactKey(text.slice(0, longestRead), key);

/** The names that an error has for itself, from the narrowest to the widest. */
const namesOf = ({ code, type, details }: Partial<StatedProblem>): string =>
  [code, type, recordOf(details)["error_code"]].filter((name) => typeof name === "string").join(" ");

function kindOf({ code, type }: Partial<StatedProblem>): string | undefined {
  const kind = [code, type].find((name) => typeof name === "string" && name !== "");
  return typeof kind === "string" ? oneLine(kind) : undefined;
}

function adviceOf({ status = 0, kind, retryAfter: wait = 0 }: ModelErrorDetails, asked: Asked): string {
  if (status < 400) return `. Is ${asked.urlName} right?`;
  if (status === 401) return `. Is ${asked.keyName} right?`;
  if (status === 404) return `. Is the name of the model right${kind === undefined ? `, and ${asked.urlName}` : ""}?`;
  return wait > longestWait ? `. Try again in ${secondsText(Math.ceil(wait / 1000))}.` : "";
}

/** Should be a text, but may be anything that JSON holds. */
const wordsOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

/** The code of a system's failure, such as ECONNREFUSED, else its text. */
function reasonOf(thrown: unknown): string {
  const { code, message } = recordOf(thrown);
  return typeof code === "string" && code !== ""
    ? code
    : oneLine(message === undefined ? String(thrown) : wordsOf(message));
}
