import type { AssistantMessage, LanguageModel } from "@mdx-ai/models";
import { addAnswer, noSpending } from "../spending/spending.ts";
import { firstSteps, modelStep, retryStep } from "../step-names.ts";
import type { Conversation } from "../types/compaction.ts";
import type { Spending } from "../types/event.ts";
import { askModel } from "./ask-model.ts";
import { ContextRoom } from "./context-room.ts";
import type { PromptRun } from "./prompt-run.ts";
import { isUnavailable, mayRepeat, waitForRetry } from "./retry.ts";

/** Who is asked in a prompt, and what that came to. */
export class Asking {
  /** Of the models of the run. */
  place = 0;
  spending: Spending = noSpending;
  readonly room: ContextRoom;

  constructor(run: PromptRun, conversation: Conversation) {
    this.room = new ContextRoom(run, conversation, (answer) => this.count(answer));
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
    const asked = { turn, attempt, model };
    const messages = await asking.room.messagesFor(asked);
    const message = await askModel(run, { step: modelStep(turn, attempt), model, messages });
    asking.count(message);
    if (message.stopReason === "contextExceeded" && (await asking.room.afterRefusal(asked))) continue;
    switch (remedyFor(run, message, { turn, next: attempt + 1, repetitions, place: asking.place })) {
      case "repetition":
        repetitions++;
        await waitForRetry(run, { step: retryStep(turn, attempt + 1), attempt: repetitions, failed: message });
        break;
      case "fallback":
        asking.place++;
        repetitions = 0;
        tellFallback(run, model, { to: modelAt(run, asking.place), failed: message });
        break;
      case "none":
        return message;
    }
  }
}

/** Whether an earlier process has begun an attempt, so that there is no other way than on to it. */
export const hasBegun = ({ recorded }: PromptRun, turn: number, attempt: number): boolean =>
  firstSteps(turn, attempt).some((step) => recorded.has(step));

/** How far the attempts of a turn have come. */
interface Attempts {
  readonly turn: number;
  /** The attempt that would follow. */
  readonly next: number;
  readonly repetitions: number;
  /** Of the model that was asked. */
  readonly place: number;
}

/** What is done about an answer; none where it failed for good or did not fail. */
function remedyFor(
  run: PromptRun,
  failed: AssistantMessage,
  { turn, next, repetitions, place }: Attempts,
): "repetition" | "fallback" | "none" {
  if (failed.stopReason !== "error") return "none";
  const step = retryStep(turn, next);
  if (!run.recorded.has(step) && hasBegun(run, turn, next)) return "fallback";
  if (mayRepeat(run, failed, { step, before: repetitions })) return "repetition";
  const hasOther = !run.signal.aborted && place + 1 < run.models.length;
  return hasOther && isUnavailable(failed.failure) ? "fallback" : "none";
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

/** There may be fewer by now than an earlier process has asked. */
function modelAt({ models }: PromptRun, place: number): LanguageModel {
  const model = models[place] ?? models.at(-1);
  if (model === undefined) throw new Error("a prompt needs a model");
  return model;
}
