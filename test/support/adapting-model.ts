import type { AssistantMessage, LanguageModel, ModelRequest } from "@mdx-ai/models";
import { endOf, eventsOf, modelRequest } from "./model-request.ts";

/** How an answer came: what the model learned before it, in order, and the answer itself. */
export interface AdaptedAnswer {
  readonly changes: readonly string[];
  readonly answer: AssistantMessage;
}

/** Asks as the loop does: again at once as long as the model learns from refusals, at most 8 times. */
export async function askAdapting(
  model: LanguageModel,
  request: ModelRequest = modelRequest("Hi"),
): Promise<AdaptedAnswer> {
  const changes: string[] = [];
  for (;;) {
    const answer = endOf(await eventsOf(model, request)).message;
    const { adapted } = answer.failure ?? {};
    if (adapted === undefined || changes.length === 8) return { changes, answer };
    changes.push(adapted);
  }
}
