import type { AssistantMessage } from "@mdx-ai/models";

/** What the provider calls a failure is told only where it looks like a name. */
const NAME = /^[\w.:-]{1,80}$/;

/**
 * The `error.type` of an answer that broke off or never came: `aborted`, the kind of the failure, its HTTP status, or
 * `_OTHER`. Undefined where the model ended it.
 */
export function answerErrorType({ stopReason, failure }: AssistantMessage): string | undefined {
  if (stopReason === "aborted") return "aborted";
  if (stopReason !== "error") return undefined;
  const { kind, status } = failure ?? {};
  if (kind !== undefined && NAME.test(kind)) return kind;
  return status === undefined ? UNKNOWN_ERROR : String(status);
}

/** What the conventions call an error that has no name. */
export const UNKNOWN_ERROR = "_OTHER";

/** The `error.type` of something thrown: its class, where that is one. */
export const thrownErrorType = (thrown: unknown): string =>
  thrown instanceof Error && NAME.test(thrown.name) ? thrown.name : UNKNOWN_ERROR;

/** The `error.type` of a call that gave an error result. */
export const TOOL_ERROR = "tool_error";
