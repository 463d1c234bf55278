import type { AssistantMessage, LanguageModel, ModelRequest } from "@mdx-ai/models";
import { contentText } from "../content-text.ts";
import { errorMessage } from "../error-message.ts";

/** What came of the question for a summary. */
export type SummaryAnswer =
  | { readonly summary: string; readonly answer: AssistantMessage }
  | { readonly reason: string; readonly answer?: AssistantMessage };

/** Asks a model for a summary, once, unless the signal has fired. Never rejects. */
export async function askSummary(
  model: LanguageModel,
  request: ModelRequest,
  { signal, ready }: { readonly signal: AbortSignal; readonly ready?: Promise<void> },
): Promise<SummaryAnswer> {
  if (signal.aborted) return { reason: "aborted" };
  try {
    for await (const event of model.stream(request, signal, ready)) {
      if (event.type === "done" || event.type === "error") return summaryOf(event.message);
    }
    return { reason: "the model's answer has no end" };
  } catch (error) {
    // A model must not throw; one of another's making may all the same.
    return { reason: errorMessage(error) };
  }
}

function summaryOf(answer: AssistantMessage): SummaryAnswer {
  const reason = refusalOf(answer);
  if (reason !== undefined) return { reason, answer };
  const text = contentText(answer.content).trim();
  const summary = answer.stopReason === "length" ? `${text}\n[The summary was cut off here.]` : text;
  return { summary, answer };
}

/** Why an answer is no summary. */
function refusalOf({ stopReason, errorMessage, content }: AssistantMessage): string | undefined {
  switch (stopReason) {
    case "error":
    case "aborted":
      return errorMessage ?? "the model's answer broke off";
    case "refusal":
      return "the model refused to write a summary";
    case "contextExceeded":
      return "what is to be summarised does not fit the model's window";
    case "toolUse":
    case "pause":
    case "length":
    case "stop":
      if (content.some((block) => block.type === "toolCall")) return "the model called a tool in place of a summary";
      return contentText(content).trim() === "" ? "the model wrote an empty summary" : undefined;
  }
}
