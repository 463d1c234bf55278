import type { AssistantMessage, LanguageModel } from "@mdx-ai/models";
import { addAnswer, noSpending } from "../spending/spending.ts";
import { modelStep, retryStep } from "../step-names.ts";
import type { Conversation } from "../types/compaction.ts";
import type { Spending } from "../types/event.ts";
import { askModel } from "./ask-model.ts";
import type { PromptRun } from "./prompt-run.ts";
import { isUnavailable, waitForRetry } from "./retry.ts";
import { Room } from "./room.ts";

/** Who is asked in a prompt, and what that came to. */
export class Asking {
  /** Of the models of the run. */
  place = 0;
  spending: Spending = noSpending;
  readonly room: Room;

  constructor(run: PromptRun, conversation: Conversation) {
    this.room = new Room(run, conversation, (answer) => this.count(answer));
  }

  count(answer: AssistantMessage): void {
    this.spending = addAnswer(this.spending, answer, answer.cost);
  }
}

/**
 * Gets the answer of a turn. The model is asked again after a failure that may pass, the next one where a model is
 * unavailable, and once more with a shorter history where that did not fit. What was executed is not touched: calls are
 * run when the answer is whole.
 */
export async function answerTurn(run: PromptRun, turn: number, asking: Asking): Promise<AssistantMessage> {
  let repetitions = 0;
  for (let attempt = 1; ; attempt++) {
    const model = modelAt(run, asking.place);
    const messages = await asking.room.messagesFor({ turn, model });
    const message = await askModel(run, { step: modelStep(turn, attempt), model, messages });
    asking.count(message);
    if (message.stopReason === "contextExceeded" && (await asking.room.afterRefusal({ turn, model }))) continue;
    if (message.stopReason !== "error" || run.signal.aborted) return message;
    if (message.failure?.isTransient && repetitions < run.retries.length) {
      repetitions++;
      await waitForRetry(run, { step: retryStep(turn, attempt + 1), attempt: repetitions, failed: message });
    } else if (isUnavailable(message.failure) && asking.place + 1 < run.models.length) {
      asking.place++;
      repetitions = 0;
      tellFallback(run, model, { to: modelAt(run, asking.place), failed: message });
    } else {
      return message;
    }
  }
}

function tellFallback(
  run: PromptRun,
  from: LanguageModel,
  { to, failed }: { readonly to: LanguageModel; readonly failed: AssistantMessage },
): void {
  const reason = failed.errorMessage ?? "the model failed";
  run.emit({ type: "model_fallback", from: fullName(from), to: fullName(to), reason });
}

const fullName = ({ provider, name }: LanguageModel): string => `${provider}/${name}`;

function modelAt({ models }: PromptRun, place: number): LanguageModel {
  const model = models[place];
  if (model === undefined) throw new Error("a prompt needs a model");
  return model;
}
