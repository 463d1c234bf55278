import { errorCode, errorMessage } from "@mdx-ai/base";
import { ModelError } from "@mdx-ai/models";
import {
  AgentClosedError,
  DisabledSkillError,
  McpPromptError,
  ModelMissingError,
  PromptKeyError,
  SkillFileError,
  SkillTextError,
  UnknownPriceError,
  UnknownSkillError,
} from "@mdx-ai/runtime";
import {
  AnswerError,
  AnsweredQuestionError,
  JournalError,
  SessionBusyError,
  SessionExistsError,
  SessionIdError,
  SessionInUseError,
  StoreUnavailableError,
  UnknownPromptError,
  UnknownQuestionError,
  UnknownSessionError,
  UnsupportedOperationError,
} from "@mdx-ai/sessions";
import { ServerClosedError, UnknownAgentError } from "../agents/served-agents.ts";

/** What went wrong with a request. */
export interface Problem {
  readonly status: number;
  /** A word for programs, such as "unknown_session". */
  readonly code: string;
  /** A sentence for people, without a full stop. */
  readonly detail: string;
  /** One sentence for each mistake in the body. */
  readonly errors?: readonly string[];
}

/** Ends the work on a request with a problem. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

type ErrorClass = abstract new (...args: never[]) => Error;

/** The statuses and codes of known errors. Their messages are for users. */
const KNOWN: readonly (readonly [error: ErrorClass, status: number, code: string])[] = [
  [UnknownAgentError, 404, "unknown_agent"],
  [UnknownSessionError, 404, "unknown_session"],
  [SessionIdError, 404, "unknown_session"],
  [UnknownQuestionError, 404, "unknown_question"],
  [UnknownPromptError, 404, "unknown_prompt"],
  [SessionExistsError, 409, "session_exists"],
  [SessionInUseError, 409, "session_in_use"],
  [SessionBusyError, 409, "session_running"],
  [UnsupportedOperationError, 409, "unsupported"],
  [AnsweredQuestionError, 409, "question_answered"],
  [PromptKeyError, 409, "key_reused"],
  [ModelMissingError, 409, "model_missing"],
  [AnswerError, 422, "wrong_answer"],
  [UnknownSkillError, 422, "unknown_skill"],
  [DisabledSkillError, 422, "disabled_skill"],
  [SkillTextError, 422, "skill_without_text"],
  [McpPromptError, 422, "mcp_prompt"],
  [UnknownPriceError, 422, "unknown_price"],
  [ModelError, 502, "model_failed"],
  [SkillFileError, 500, "skill_file"],
  [JournalError, 500, "journal"],
  [StoreUnavailableError, 503, "store_unavailable"],
  [AgentClosedError, 503, "closing"],
  [ServerClosedError, 503, "closing"],
];

const isShortage = (error: unknown): boolean => ["EMFILE", "ENFILE"].includes(errorCode(error) ?? "");

/** Silent connections are closed after a while. */
const NO_FILES: Problem = {
  status: 503,
  code: "too_many_files",
  detail: "too many files and connections are open; try again in a while",
};

/** The problem that an error is; undefined for a bug of the program, whose message may say too much. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof ProblemError) return error.problem;
  if (isShortage(error) || (error instanceof JournalError && isShortage(error.cause))) return NO_FILES;
  const [, status, code] = KNOWN.find(([known]) => error instanceof known) ?? [];
  return status === undefined || code === undefined ? undefined : { status, code, detail: errorMessage(error) };
}

const TITLES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  421: "Misdirected Request",
  422: "Unprocessable Content",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
};

/** A problem as RFC 9457 describes it, with the members `code` and `errors`. */
export function problemResponse(
  { status, ...rest }: Problem,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = { type: "about:blank", title: TITLES[status] ?? "Error", status, ...rest };
  return new Response(`${JSON.stringify(body)}\n`, {
    status,
    headers: { "content-type": "application/problem+json", ...headers },
  });
}
