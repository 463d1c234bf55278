import { isRecord, jsonValue, listOf, oneLine, recordOf, textOf, type UnknownRecord } from "@mdx-ai/base";

/** A problem as a server stated it; the fields may be anything that JSON holds. */
export interface StatedProblem {
  readonly message: unknown;
  readonly type?: unknown;
  readonly code?: unknown;
  readonly details?: unknown;
  /** The field of the request that is at fault. */
  readonly param?: unknown;
  /** What the model wrote, if the server could not read it. */
  readonly failed_generation?: unknown;
  /** What a gateway knows of the server behind it. */
  readonly metadata?: unknown;
  /** The whole body, if it is JSON. */
  readonly body?: unknown;
}

/** The object that servers put a problem in: as `error`, in a list (Gemini), or bare. Any other text is the message. */
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

/** The words of a server that says nothing. */
export const NO_REASON = "no reason given";

function problemIn(text: string): StatedProblem {
  const document = jsonValue(text);
  const problem = documentProblem(document);
  return { ...problem, body: document, message: problem.message ?? (text.trim() || NO_REASON) };
}

/** Names of the field in which servers say what is wrong, the usual ones first. */
const SAYING = "message msg error_message error_msg errorMessage error_description status_msg detail title".split(" ");

/** The problem that a document states; without a message if it states none. */
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

/** What is wrong one by one: a list of problems, or by the fields at fault. */
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

/** The names that an error has for itself, from the narrowest to the widest. */
export const namesOf = ({ code, type, details }: Partial<StatedProblem>): string =>
  [code, type, recordOf(details)["error_code"]].filter((name) => typeof name === "string").join(" ");

/** What a server says, in one line: its message, and what the server behind a gateway said. */
export function wordsOf({ message, metadata }: Partial<StatedProblem>): string {
  const words = oneLine(messageText(message));
  const behind = behindGateway(recordOf(metadata));
  return behind === "" || words.includes(behind) ? words : `${words.replace(/[.:]$/, "")}: ${behind}`;
}

/** Should be a text, but may be anything that JSON holds, such as a list of what is wrong in which field. */
function messageText(value: unknown): string {
  if (typeof value === "string") return value;
  const problems = Array.isArray(value) ? value : listOf(recordOf(value)["detail"]);
  const lines = problems
    .map(recordOf)
    .flatMap(({ loc, msg }) => (typeof msg === "string" ? [`${path(loc)}${msg}`] : []));
  return lines.length > 0 ? lines.join("; ") : (JSON.stringify(value) ?? "");
}

/** The field at which a validation failed, as far as the list of its problems names one. */
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
