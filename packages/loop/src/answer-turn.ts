import type { AssistantMessage, Cost, ToolResultMessage, UserMessage } from "@mdx-ai/models";
import { askModel, plannedModel } from "./ask-model.ts";
import { ContextRoom } from "./context-room.ts";
import { addAnswer, addResult, noCost } from "./cost.ts";
import { emptiness, reportEmpty } from "./empty-answer.ts";
import { fullName } from "./plan.ts";
import type { PromptRun } from "./prompt-effects.ts";
import { endOf, isAdapted, isUnavailable, mayRetry, reportAdaptation, waitForRetry } from "./retry.ts";
import { STEPS } from "./steps.ts";
import type { Conversation } from "./types/compaction.ts";

/** The current model of a prompt, the cost so far, and the time. */
export class Asking {
  /** The index of the current model in the plan. */
  model = 0;
  cost: Cost = noCost;
  /** The newest timestamp among the prompt's results, in milliseconds since 1970. */
  at = 0;
  readonly room: ContextRoom;

  constructor(run: PromptRun, conversation: Conversation) {
    this.room = new ContextRoom(run, conversation, (answer) => this.count(answer));
  }

  count(answer: AssistantMessage): void {
    this.cost = addAnswer(this.cost, answer, answer.cost);
    this.tick(endOf(answer));
  }

  countResult(result: ToolResultMessage | UserMessage): void {
    if (result.cost !== undefined) this.cost = addResult(this.cost, result);
    this.tick(result.timestamp);
  }

  /** Advances the time, in milliseconds since 1970. */
  tick(at: number): void {
    this.at = Math.max(this.at, at);
  }
}

/**
 * Gets the answer of a turn. Asks the model again after a transient failure,
 * with a changed request after an adaptable rejection, once more after an empty answer, asks the next model if one is
 * unavailable, and once more with a shorter history if the request did not fit. No call is repeated: calls run only when
 * the answer is complete.
 */
export async function answerTurn(run: PromptRun, turn: number, asking: Asking): Promise<AssistantMessage> {
  let retries = 0;
  let adaptations = 0;
  let empty = 0;
  for (let attempt = 1; ; attempt++) {
    const asked = { turn, attempt, model: asking.model };
    const messages = await asking.room.messagesFor(asked);
    const message = await askModel(run, { step: STEPS.model.name(turn, attempt), model: asking.model, messages });
    asking.count(message);
    if (message.stopReason === "contextExceeded" && (await asking.room.afterRefusal(asked))) continue;
    if (isAdapted(message, adaptations)) {
      adaptations++;
      reportAdaptation(run, message);
    } else if (mayRetry(run.plan, message, retries)) {
      retries++;
      await waitForRetry(run, { name: STEPS.retry.name(turn, attempt + 1), attempt: retries, failed: message });
    } else if (mayFallBack(run, message, asking.model)) {
      asking.model++;
      retries = 0;
      adaptations = 0;
      reportFallback(run, message, asking.model);
    } else if (emptiness(message) !== undefined && empty === 0) {
      empty++;
      reportEmpty(run, message);
    } else return message;
  }
}

const mayFallBack = ({ plan }: PromptRun, { stopReason, failure }: AssistantMessage, model: number): boolean =>
  stopReason === "error" && model + 1 < plan.models.length && isUnavailable(failure);

function reportFallback(run: PromptRun, failed: AssistantMessage, to: number): void {
  run.events.emit({
    type: "model_fallback",
    from: fullName(plannedModel(run, to - 1)),
    to: fullName(plannedModel(run, to)),
    reason: failed.errorMessage ?? "the model failed",
  });
}
