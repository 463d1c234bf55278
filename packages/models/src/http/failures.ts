import { oneLine, recordOf, redactKey, shortened } from "@mdx-ai/base";
import { contextExceeded, ModelError, type ModelErrorDetails, type RefusalWords } from "../errors.ts";
import type { Connection } from "../vendors/connection.ts";
import { connectionProblem, proxyAdvice, wayOf } from "./connection-problem.ts";
import { saysFullWindow } from "./full-window.ts";
import { judge, longestWait, saysFailedCall, saysFinal, saysSpentMoney } from "./judgement.ts";
import { problemInPlace } from "./problem-in-place.ts";
import type { HttpProxy } from "./proxy.ts";
import { pageWords, shownAddress } from "./shown-text.ts";
import { fieldOf, namesOf, type StatedProblem, statedProblem, wordsOf } from "./stated-problem.ts";
import { askedWait, waitText } from "./waits.ts";

export { proxyFor } from "./proxy.ts";

const longestText = 500;

/** Characters shown of a model's output that a server could not parse. */
const longestGeneration = 300;

/** The server's names for messages; the key is included so that it can be redacted. */
type Asked = Pick<Connection, "vendor" | "host" | "key" | "keyName" | "urlName"> &
  Partial<Pick<Connection, "url">> & { readonly proxy?: HttpProxy | undefined };

/** An unsuccessful response. */
interface Refusal {
  readonly status: number;
  readonly headers: Headers;
  /** The start of the body. */
  readonly text: string;
}

/** Why a server refused a request, with its message if it can be read. */
export function refusalFailure({ status, headers, text }: Refusal, asked: Asked): ModelError {
  return statedFailure({ ...statedProblem(text), status, headers }, asked);
}

/** Why a request failed that a server answered with a status. */
export function statedFailure(
  problem: StatedProblem & { readonly status: number; readonly headers: Headers },
  asked: Asked,
): ModelError {
  const { status, headers } = problem;
  const kind = kindOf(problem);
  const words = wordsOfRefusal(problem);
  const details = judge({ status, ...(kind !== undefined && { kind }), headers, body: problem.body, said: words.said });
  const said = redacted(wordsOf(problem), asked.key);
  const shown = pageWords(said);
  const text = shortened(shown, longestText).replace(/\.$/, "") + (shown === said ? "" : pageHint(status, asked));
  const answered = `${asked.vendor} answered ${status}${kind === undefined ? "" : ` ${kind}`}${placeOf(status, asked)}: ${text}`;
  const generation = generationOf(problem, asked.key);
  return new ModelError(`${answered}${generation}${adviceOf(details, asked)}${proxyHint(status, asked)}`, {
    ...details,
    words,
  });
}

/** Statuses of a proxy that cannot reach the server or requires a password. */
const ofProxies: readonly number[] = [407, 502, 503, 504];

const proxyHint = (status: number, { proxy, host }: Asked): string =>
  proxy === undefined || !ofProxies.includes(status) ? "" : `. It was asked${wayOf(proxy)}${proxyAdvice(host, proxy)}`;

/** Statuses of a server that has nothing at an address. */
const lost: readonly number[] = [404, 405, 501];

/** The address, if it may be the problem: it was redirected or not found. */
const placeOf = (status: number, { url }: Asked): string =>
  url !== undefined && (status < 400 || lost.includes(status)) ? ` at ${shownAddress(url)}` : "";

/** As `placeOf`, for a web page that refuses; error pages of a failing server come from the right address. */
const pageHint = (status: number, { url }: Asked): string =>
  url !== undefined && status >= 400 && status < 404 ? ` (asked at ${shownAddress(url)})` : "";

/** The server's full message, for those who can interpret it. */
function wordsOfRefusal(problem: Partial<StatedProblem>): RefusalWords {
  const { param, failed_generation: generation } = problem;
  const extra = [typeof param === "string" ? param : "", generation === undefined ? "" : "failed_generation"];
  const said = [namesOf(problem), wordsOf(problem), ...extra].filter((part) => part !== "").join(" ");
  return { said: said.slice(0, mostWords), field: fieldOf(problem) };
}

/** The model's output, if the server could not parse it. */
function generationOf({ failed_generation: generation }: Partial<StatedProblem>, key: string): string {
  if (generation === undefined || generation === null || generation === "") return "";
  const written = typeof generation === "string" ? generation : (JSON.stringify(generation) ?? "");
  return `. The model wrote: ${shortened(oneLine(redacted(written, key)), longestGeneration)}`;
}

/** Why a connection failed without an answer from the server. Names the proxy, if any. */
export function connectionFailure(thrown: unknown, host: string, proxy?: HttpProxy): ModelError {
  if (thrown instanceof ModelError) return thrown;
  const { text, isTransient } = connectionProblem(thrown, host, proxy);
  return new ModelError(text, { kind: "connection", isTransient });
}

/** Why an answer broke off in mid-stream; such errors rarely have a status. */
export function streamFailure(error: unknown, vendor: string): ModelError {
  const fields = typeof error === "string" ? { message: error } : recordOf(error);
  const stated: Partial<StatedProblem> = { ...fields, message: fields["message"] ?? "no message", body: error };
  const kind = kindOf(stated) ?? "error";
  const words = wordsOfRefusal(stated);
  const problem = `${vendor} stopped with ${kind}: ${wordsOf(stated)}${generationOf(stated, "")}`;
  if (saysFailedCall(words.said)) return new ModelError(problem, { kind, words, isTransient: true });
  if (saysFullWindow(words.said)) return new ModelError(problem, { kind: contextExceeded, words });
  if (saysFinal(namesOf(stated)) || saysSpentMoney(words.said)) return new ModelError(problem, { kind, words });
  const { code } = stated;
  const isStatus = typeof code === "number" && code >= 400 && code < 600;
  return new ModelError(problem, {
    kind,
    words,
    ...(isStatus ? { status: code } : transience(kind, words.said, error)),
  });
}

/** The failure for a document that is not an answer: its message if it has one, and the address. */
export function missingAnswer(document: unknown, { vendor, host, url, urlName }: Connection): ModelError {
  const problem = problemInPlace(document);
  if (problem === undefined) return new ModelError(`${host} sent no answer. Is ${urlName} right?`);
  const { message, failure, words } = streamFailure(problem, vendor);
  const asked = `${message.replace(/\.$/, "")}. The request went to ${shownAddress(url)}`;
  return new ModelError(asked, { ...failure, ...(words && { words }) });
}

/** A rate limit says how long to wait; above the maximum, the user decides. */
function transience(kind: string, said: string, body: unknown): ModelErrorDetails {
  const isLimit = /rate.?limit|exhausted|too.many/i.test(`${kind} ${said}`);
  const wait = isLimit ? askedWait({ headers: new Headers(), body, said, isLimit }, Date.now()) : undefined;
  return wait === undefined ? { isTransient: true } : { isTransient: wait <= longestWait, retryAfter: wait };
}

const longestMessage = 1000;

/** Characters of a message that are analysed: patterns take more than linear time. */
const mostWords = 10_000;

/** Characters of a text that are searched for the key. */
const longestRead = 100_000;

/** The failure as it may be shown: one short line without the key. */
export function showable(error: ModelError, key: string): ModelError {
  const { kind, adapted } = error.failure;
  return new ModelError(shownText(error.message, key, longestMessage), {
    ...error.failure,
    ...(kind === undefined ? {} : { kind: shownText(kind, key, longestText) }),
    ...(adapted === undefined ? {} : { adapted: shownText(adapted, key, longestText) }),
  });
}

/** Redacts before cutting, which could break the key in two. */
const shownText = (text: string, key: string, length: number): string => shortened(redacted(text, key), length);

/** A text without the key; only the start of very long text. */
const redacted = (text: string, key: string): string => redactKey(text.slice(0, longestRead), key);

function kindOf({ code, type }: Partial<StatedProblem>): string | undefined {
  const kind = [code, type].find((name) => typeof name === "string" && name !== "");
  return typeof kind === "string" ? oneLine(kind) : undefined;
}

function adviceOf({ status = 0, kind, retryAfter: wait = 0 }: ModelErrorDetails, asked: Asked): string {
  if (status < 400) return `. Is ${asked.urlName} right?`;
  if (status === 401) return `. Is ${asked.keyName} right?`;
  if (status === 404) return `. Is the name of the model right${kind === undefined ? `, and ${asked.urlName}` : ""}?`;
  if (lost.includes(status)) return `. Is ${asked.urlName} right?`;
  return wait > longestWait ? `. Try again in ${waitText(wait)}.` : "";
}
