import type { ThinkingRefusal } from "../history/refused-thinking.ts";
import { listOf, parseJsonObject, recordOf } from "../json.ts";

/**
 * The API's error for thinking that it does not take back. Models since 5.1 bind thinking to all that came before it
 * when they thought it: it does not outlive another system prompt, other tools or a compaction.
 */
const refusal =
  /bound to a different conversation|`signature` in `thinking`|`redacted_thinking` blocks .*cannot be modified/;

/** How the API refuses thinking; the signatures of thinking blocks mark it. */
export const thinkingRefusal: ThinkingRefusal = {
  isRefusal: ({ message }) => refusal.test(message),
  marksIn: (body) =>
    listOf(parseJsonObject(body)?.["messages"])
      .flatMap((message) => listOf(recordOf(message)["content"]))
      .map(recordOf)
      .filter(({ type }) => type === "thinking" || type === "redacted_thinking")
      .map(({ signature, data }) => String(data ?? signature)),
};
