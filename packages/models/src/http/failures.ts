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

/** Characters that are shown of what a model wrote and a server could not read. */
const longestGeneration = 300;

/** Who was asked, as far as a failure names it; the key is here to be redacted. */
type Asked = Pick<Connection, "vendor" | "host" | "key" | "keyName" | "urlName"> &
  Partial<Pick<Connection, "url">> & { readonly proxy?: HttpProxy | undefined };

/** A server's answer other than a success. */
interface Refusal {
  readonly status: number;
  readonly headers: Headers;
  /** Of the beginning of its body. */
  readonly text: string;
}

/** Why a server refused a request, in its own words if they can be read. */
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

/** Statuses of a proxy that does not reach the server, or asks for a password. */
const ofProxies: readonly number[] = [407, 502, 503, 504];

const proxyHint = (status: number, { proxy, host }: Asked): string =>
  proxy === undefined || !ofProxies.includes(status) ? "" : `. It was asked${wayOf(proxy)}${proxyAdvice(host, proxy)}`;

/** Statuses of a server that has nothing at an address. */
const lost: readonly number[] = [404, 405, 501];

/** Where a request was sent to, if that may be what is wrong: it was redirected, or nothing is there. */
const placeOf = (status: number, { url }: Asked): string =>
  url !== undefined && (status < 400 || lost.includes(status)) ? ` at ${shownAddress(url)}` : "";

/** The same behind a web page that refuses; pages of servers in trouble come from the right address. */
const pageHint = (status: number, { url }: Asked): string =>
  url !== undefined && status >= 400 && status < 404 ? ` (asked at ${shownAddress(url)})` : "";

/** All that a server said, for those who know what it means. */
function wordsOfRefusal(problem: Partial<StatedProblem>): RefusalWords {
  const { param, failed_generation: generation } = problem;
  const extra = [typeof param === "string" ? param : "", generation === undefined ? "" : "failed_generation"];
  const said = [namesOf(problem), wordsOf(problem), ...extra].filter((part) => part !== "").join(" ");
  return { said: said.slice(0, mostWords), field: fieldOf(problem) };
}

/** What the model wrote, if that is what the server could not read. */
function generationOf({ failed_generation: generation }: Partial<StatedProblem>, key: string): string {
  if (generation === undefined || generation === null || generation === "") return "";
  const written = typeof generation === "string" ? generation : (JSON.stringify(generation) ?? "");
  return `. The model wrote: ${shortened(oneLine(redacted(written, key)), longestGeneration)}`;
}

/** Why a connection could not be made or broke off without the server saying so. A proxy on the way is named. */
export function connectionFailure(thrown: unknown, host: string, proxy?: HttpProxy): ModelError {
  if (thrown instanceof ModelError) return thrown;
  const { text, isTransient } = connectionProblem(thrown, host, proxy);
  return new ModelError(text, { kind: "connection", isTransient });
}

/** Why an answer broke off in mid-stream; mostly the error has no status. */
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

/** The failure of a document that is no answer: its words if it has any, and where it was asked. */
export function missingAnswer(document: unknown, { vendor, host, url, urlName }: Connection): ModelError {
  const problem = problemInPlace(document);
  if (problem === undefined) return new ModelError(`${host} sent no answer. Is ${urlName} right?`);
  const { message, failure, words } = streamFailure(problem, vendor);
  const asked = `${message.replace(/\.$/, "")}. It was asked at ${shownAddress(url)}`;
  return new ModelError(asked, { ...failure, ...(words && { words }) });
}

/** A limit on how fast one may ask says how long to wait; beyond what is worth it, the user decides. */
function transience(kind: string, said: string, body: unknown): ModelErrorDetails {
  const isLimit = /rate.?limit|exhausted|too.many/i.test(`${kind} ${said}`);
  const wait = isLimit ? askedWait({ headers: new Headers(), body, said, isLimit }, Date.now()) : undefined;
  return wait === undefined ? { isTransient: true } : { isTransient: wait <= longestWait, retryAfter: wait };
}

const longestMessage = 1000;

/** Characters of what a server says in which its meaning is looked for: patterns take longer than the text grows. */
const mostWords = 10_000;

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
const shownText = (text: string, key: string, length: number): string => shortened(redacted(text, key), length);

/** A text without the key; of megabytes the beginning. */
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
