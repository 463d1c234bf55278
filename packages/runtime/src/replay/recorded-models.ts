import { type AssistantMessage, isAssistantMessage, type LanguageModel } from "@mdx-ai/models";
import { isCompactionOutcome } from "../context/compaction-guard.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import { isCompactionStep, isModelStep, isRetryStep, turnOf } from "../step-names.ts";
import { ReplayError } from "./replay-error.ts";

/** An answer, or one with a summary, and the turn for which it was given. */
interface Answer {
  readonly turn: string;
  readonly message: AssistantMessage;
  readonly isSummary: boolean;
}

/**
 * The models that were asked in a prompt, in the order in which they stood in for one another. Not empty. None of them can
 * be asked again.
 */
export function recordedModels(lines: readonly JournalLine[]): readonly LanguageModel[] {
  const models: LanguageModel[] = [];
  /** The answer that failed and that no wait followed: the next attempt of its turn is another model's. */
  let given: Answer | undefined;
  for (const line of lines) {
    if (isRetryStep(line.step)) given = undefined;
    const answer = answerOf(line);
    if (answer === undefined) continue;
    if (models.length === 0 || given?.turn === answer.turn) models.push(silentModel(answer.message));
    given = !answer.isSummary && answer.message.stopReason === "error" ? answer : undefined;
  }
  return models.length === 0 ? [silentModel({ provider: "recording", model: "none" })] : models;
}

function answerOf(line: JournalLine): Answer | undefined {
  if (!("result" in line)) return undefined;
  const { step, result } = line;
  if (isModelStep(step)) {
    return isAssistantMessage(result) ? { turn: turnOf(step), message: result, isSummary: false } : undefined;
  }
  if (!isCompactionStep(step) || !isCompactionOutcome(result) || result.answer === undefined) return undefined;
  const [turn = ""] = /(?<=:)\d+/.exec(step) ?? [];
  return { turn, message: result.answer, isSummary: true };
}

const silentModel = ({ provider, model }: Pick<AssistantMessage, "provider" | "model">): LanguageModel => ({
  provider,
  name: model,
  stream() {
    throw new ReplayError(`${provider}/${model} was to be asked in a replay`);
  },
});
