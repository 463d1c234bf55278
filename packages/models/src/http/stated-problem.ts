import { isRecord, jsonValue, listOf, oneLine, recordOf, textOf, type UnknownRecord } from "@mdx-ai/base";

/** A problem as reported by a server; fields may be any JSON. */
export interface StatedProblem {
  readonly message: unknown;
  readonly type?: unknown;
  readonly code?: unknown;
  readonly details?: unknown;
  /** The faulty field of the request. */
  readonly param?: unknown;
  /** The model's output that the server could not parse. */
  readonly failed_generation?: unknown;
  /** A gateway's data about the server behind it. */
  readonly metadata?: unknown;
  /** The whole body, if it is JSON. */
  readonly body?: unknown;
}

/** The object with the problem: in `error`, in a list (Gemini), or bare. Other text is the message. */
export function statedProblem(text: string): StatedProblem {
  const problem = problemIn(text);
  // Proxies put the whole document of the server behind them into the message.
  const inner = typeof problem.message === "string" ? jsonValue(problem.message) : undefined;
  if (!isRecord(recordOf(Array.isArray(inner) ? inner[0] : inner)["error"])) return problem;
  return { ...problem, ...defined(problemIn(textOf(problem.message))) };
}

const defined = (problem: StatedProblem): StatedProblem => ({
  message: problem.message,
  ...Object.fromEntries(Object.entries(problem).filter(([, value]) => value !== undefined)),
});

/** The message for a server that gives none. */
export const NO_REASON = "no reason given";

function problemIn(text: string): StatedProblem {
  const document = jsonValue(text);
  const problem = documentProblem(document);
  return { ...problem, body: document, message: problem.message ?? (text.trim() || NO_REASON) };
}

/** Names of the message field, the common ones first. */
const SAYING = "message msg error_message error_msg errorMessage error_description status_msg detail title".split(" ");

/** The problem in a document; without a message if there is none. */
export function documentProblem(document: unknown): StatedProblem {
  const body = recordOf(Array.isArray(document) ? document[0] : document);
  const { error, detail, base_resp: status } = body;
  const isText = typeof error === "string";
  const problem = [error, detail, status].find(isRecord) ?? (error === undefined || isText ? body : {});
  const { type = isText ? undefined : problem["status"], code, details, param, metadata, failed_generation } = problem;
  const own = SAYING.map((name) => problem[name]).find(isSaid);
  const said = own ?? [isText ? error : undefined, body["detail"]].find(isSaid);
  return {
    ...{ type, code, details, param, failed_generation, metadata },
    message: withListed(said, listedProblems(problem["errors"] ?? problem["issues"])),
  };
}

const withListed = (said: unknown, listed: string): unknown =>
  listed === "" || typeof said !== "string"
    ? (said ?? (listed || undefined))
    : `${said.replace(/[.:]$/, "")}: ${listed}`;

/** Joins a list of problems, or problems by field. */
function listedProblems(errors: unknown): string {
  if (!isRecord(errors)) return listOf(errors).map(problemText).filter(Boolean).join("; ");
  return Object.entries(errors)
    .map(([field, texts]) => `${field}: ${[texts].flat().map(problemText).join(" ")}`)
    .join("; ");
}

const problemText = (problem: unknown): string =>
  typeof problem === "string" ? problem : textOf(SAYING.map((name) => recordOf(problem)[name]).find(isSaid));

const isSaid = (value: unknown): boolean =>
  typeof value === "string" ? value.trim() !== "" : value !== undefined && value !== null;

/** The names in an error, from the most specific. */
export const namesOf = ({ code, type, details }: Partial<StatedProblem>): string =>
  [code, type, recordOf(details)["error_code"]].filter((name) => typeof name === "string").join(" ");

/** A server's message on one line, including the message of the server behind a gateway. */
export function wordsOf({ message, metadata }: Partial<StatedProblem>): string {
  const words = oneLine(messageText(message));
  const behind = behindGateway(recordOf(metadata));
  return behind === "" || words.includes(behind) ? words : `${words.replace(/[.:]$/, "")}: ${behind}`;
}

/** Usually a string, but may be any JSON, such as a list of faulty fields. */
function messageText(value: unknown): string {
  if (typeof value === "string") return value;
  const problems = Array.isArray(value) ? value : listOf(recordOf(value)["detail"]);
  const lines = problems
    .map(recordOf)
    .flatMap(({ loc, msg }) => (typeof msg === "string" ? [`${path(loc)}${msg}`] : []));
  return lines.length > 0 ? lines.join("; ") : (JSON.stringify(value) ?? "");
}

/** The field that failed validation, if the problems name one. */
export function fieldOf({ param, message, body }: Partial<StatedProblem>): string | undefined {
  if (typeof param === "string" && param !== "") return param;
  const lists = [message, recordOf(message)["detail"], recordOf(body)["detail"]];
  const [first] = lists.flatMap((list) => (Array.isArray(list) ? list : [])).map(recordOf);
  const field = path(first?.["loc"]).replace(/: $/, "");
  return field === "" ? undefined : field;
}

/** `["body", "stream_options"]` as `stream_options: `. */
const path = (loc: unknown): string => {
  const names = listOf(loc).filter((name) => name !== "body");
  return names.length === 0 ? "" : `${names.join(".")}: `;
};

/** OpenRouter keeps the answer of the server behind it as text in `metadata.raw`. */
function behindGateway({ raw }: UnknownRecord): string {
  if (typeof raw !== "string" && !isRecord(raw)) return "";
  const text = typeof raw === "string" ? raw : JSON.stringify(raw);
  const problem = statedProblem(text);
  return oneLine(textOf(problem.message) || text);
}
