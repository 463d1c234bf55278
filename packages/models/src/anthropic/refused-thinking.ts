import { ModelError } from "../errors/model-error.ts";
import { listOf, parseJsonObject, recordOf } from "../json.ts";
import type { ThinkingContent } from "../types/message.ts";

/**
 * The API's error for thinking that it does not take back. Models since 5.1 bind thinking to all that came before it
 * when they thought it: it does not outlive another system prompt, other tools or a compaction.
 */
const refusal =
  /bound to a different conversation|`signature` in `thinking`|`redacted_thinking` blocks .*cannot be modified/;

/** The thinking that the API refused to take back, which would be refused with each further request. */
export class RefusedThinking {
  readonly #marks = new Set<string>();

  has({ redacted, signature }: ThinkingContent): boolean {
    return this.#marks.has(redacted ?? signature ?? "");
  }

  /**
   * Looks at why a request failed. If the thinking in its body was the cause, that is remembered, and the failure that is
   * given back is transient: the next attempt goes without that thinking.
   */
  learn(error: unknown, body: string): unknown {
    if (!(error instanceof ModelError) || error.failure.status !== 400 || !refusal.test(error.message)) return error;
    const marks = thinkingIn(body);
    for (const mark of marks) this.#marks.add(mark);
    const failure = { ...error.failure, kind: "thinking_refused", retryAfter: 0, isTransient: true };
    return marks.length === 0 ? error : new ModelError(error.message, failure);
  }
}

/** The signatures of the thinking blocks of a request. */
function thinkingIn(body: string): readonly string[] {
  return listOf(parseJsonObject(body)?.["messages"])
    .flatMap((message) => listOf(recordOf(message)["content"]))
    .map(recordOf)
    .filter(({ type }) => type === "thinking" || type === "redacted_thinking")
    .map(({ signature, data }) => String(data ?? signature));
}
